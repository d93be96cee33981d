// Package manual makes the pages of the commands out of their declarations:
// Markdown for docs/cli, man pages for packages, and the topics of `cairn help`.
//
// The command line imports it for the topics, scripts and tests for the rest.
// It is a leaf that knows the commands' library and none of ours. What a page
// says stands with the command that it is about, never here.
package manual

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A File is a page: its name, without a directory, and what is in it.
type File struct{ Name, Text string }

// A Book is all that there is to print.
type Book struct {
	Root   *cobra.Command
	Topics []Topic
}

// A Topic is help that is about no single command. Text is in lines of 80
// columns at most; the rows come below it.
type Topic struct {
	Name, Short, Text string
	Rows              []Row
}

// A Row names a thing and says what it is, in a sentence or two.
type Row struct{ Name, Means string }

// verbs are the commands below cmd that help lists.
func verbs(cmd *cobra.Command) (list []*cobra.Command) {
	for _, c := range cmd.Commands() {
		if !c.Hidden && c.Name() != "help" {
			list = append(list, c)
		}
	}
	return list
}

// A part is a group of verbs, as help's first page has them.
type part struct {
	title string
	verbs []*cobra.Command
}

func groups(root *cobra.Command) (parts []part) {
	for _, g := range append(root.Groups(), &cobra.Group{Title: "Others"}) {
		p := part{title: g.Title}
		for _, v := range verbs(root) {
			if v.GroupID == g.ID {
				p.verbs = append(p.verbs, v)
			}
		}
		if len(p.verbs) > 0 {
			parts = append(parts, p)
		}
	}
	return parts
}

// tree is cmd and everything below it, in the order of help.
func tree(cmd *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{cmd}
	for _, c := range verbs(cmd) {
		list = append(list, tree(c)...)
	}
	return list
}

// A flag is one as help shows it: -n, --limit int.
type flag struct{ name, means, def string }

func flags(cmd *cobra.Command) (list []flag) {
	cmd.InheritedFlags() // merges what is declared further up
	cmd.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, means := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if value != "" {
			name += " " + value
		}
		one := flag{name: name, means: means}
		switch f.DefValue {
		case "", "false", "0", "[]", "0s":
		default:
			one.def = f.DefValue
		}
		list = append(list, one)
	})
	return list
}

// A block is a paragraph, or lines that stand as they are.
type block struct {
	text     string
	verbatim bool
}

// blocks takes a help text apart: what is indented is verbatim.
func blocks(text string) (list []block) {
	for _, part := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		indented := strings.HasPrefix(part, " ") || strings.Contains(part, "\n ")
		if indented {
			part = strings.Trim(part, "\n")
		} else {
			part = strings.Join(strings.Fields(part), " ")
		}
		list = append(list, block{part, indented})
	}
	return list
}

// examples are a command's, one a line, without the margin of help.
func examples(cmd *cobra.Command) []string {
	if cmd.Example == "" {
		return nil
	}
	lines := strings.Split(strings.Trim(cmd.Example, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "  ")
	}
	return lines
}

// long is what a command says of itself beyond its title.
func long(cmd *cobra.Command) string {
	if cmd.Long == cmd.Short {
		return ""
	}
	return cmd.Long
}
