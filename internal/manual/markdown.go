package manual

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// madeFrom stands above every page, for who would edit one.
const madeFrom = "<!-- Made from the declarations of the commands: go generate ./internal/cli writes it. -->\n\n"

// Markdown returns the pages of docs/cli: README.md, topics.md, and one for
// each verb with all that is below it.
func (b Book) Markdown() []File {
	files := []File{{"README.md", b.index()}, {"topics.md", b.topicsPage()}}
	for _, v := range verbs(b.Root) {
		files = append(files, File{v.Name() + ".md", verbPage(v)})
	}
	return files
}

func (b Book) index() string {
	var s strings.Builder
	s.WriteString(madeFrom + "# The commands\n\n")
	paragraphs(&s, long(b.Root))
	for _, g := range groups(b.Root) {
		fmt.Fprintf(&s, "**%s**\n\n| | |\n|---|---|\n", strings.TrimSuffix(g.title, ":"))
		for _, v := range g.verbs {
			fmt.Fprintf(&s, "| [`%s`](%s.md) | %s |\n", v.CommandPath(), v.Name(), cell(v.Short))
		}
		s.WriteString("\n")
	}
	s.WriteString("Flags may stand anywhere on the line. `-h` prints what these pages have, `cairn help TOPIC` one of these:\n\n")
	s.WriteString("| topic | what it has |\n|---|---|\n")
	for _, t := range b.Topics {
		fmt.Fprintf(&s, "| [`cairn help %s`](topics.md#%s) | %s |\n", t.Name, t.Name, cell(t.Short))
	}
	return s.String()
}

func (b Book) topicsPage() string {
	var s strings.Builder
	s.WriteString(madeFrom + "# Topics\n\nWhat `cairn help TOPIC` prints.\n")
	for _, t := range b.Topics {
		fmt.Fprintf(&s, "\n## %s\n\n%s.\n", t.Name, escape(t.Short))
		if t.Text != "" {
			s.WriteString("\n")
			paragraphs(&s, t.Text)
		}
		if len(t.Rows) > 0 {
			s.WriteString("\n| | |\n|---|---|\n")
		}
		for _, r := range t.Rows {
			fmt.Fprintf(&s, "| `%s` | %s |\n", strings.ReplaceAll(r.Name, "|", `\|`), cell(r.Means))
		}
	}
	return strings.ReplaceAll(s.String(), "\n\n\n", "\n\n")
}

func verbPage(v *cobra.Command) string {
	var s strings.Builder
	s.WriteString(madeFrom)
	fmt.Fprintf(&s, "# %s\n\n%s.\n\n", v.CommandPath(), escape(v.Short))
	body(&s, v)
	all := tree(v)[1:]
	if len(all) > 0 {
		s.WriteString("| command | what it does |\n|---|---|\n")
	}
	for _, c := range all {
		fmt.Fprintf(&s, "| [`%s`](#%s) | %s |\n", c.CommandPath(), strings.ReplaceAll(c.CommandPath(), " ", "-"), cell(c.Short))
	}
	if len(all) > 0 {
		s.WriteString("\n")
	}
	for _, c := range all {
		fmt.Fprintf(&s, "## %s\n\n%s.\n\n", c.CommandPath(), escape(c.Short))
		body(&s, c)
	}
	return strings.TrimRight(s.String(), "\n") + "\n"
}

// body is what a command says below its title.
func body(s *strings.Builder, c *cobra.Command) {
	if !c.HasSubCommands() || len(flags(c)) > 0 {
		fmt.Fprintf(s, "```\n%s\n```\n\n", c.UseLine())
	}
	paragraphs(s, long(c))
	if list := flags(c); len(list) > 0 {
		s.WriteString("| flag | |\n|---|---|\n")
		for _, f := range list {
			fmt.Fprintf(s, "| `%s` | %s |\n", strings.ReplaceAll(f.name, "|", `\|`), strings.ReplaceAll(f.text(), "|", `\|`))
		}
		s.WriteString("\n")
	}
	if list := examples(c); list != nil {
		fmt.Fprintf(s, "```sh\n%s\n```\n\n", strings.Join(list, "\n"))
	}
}

func paragraphs(s *strings.Builder, text string) {
	for _, b := range blocks(text) {
		if b.verbatim {
			fmt.Fprintf(s, "```text\n%s\n```\n\n", b.text)
		} else {
			s.WriteString(escape(b.text) + "\n\n")
		}
	}
}

// escape keeps text from being markup; what stands in backquotes is code.
func escape(text string) string {
	parts := strings.Split(text, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = strings.NewReplacer(`\`, `\\`, "<", "&lt;", "*", `\*`, "[", `\[`, "_ ", `\_ `).Replace(parts[i])
	}
	text = strings.Join(parts, "`")
	if strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "#") || strings.HasPrefix(text, "+ ") || strings.HasPrefix(text, ">") {
		text = `\` + text
	}
	return text
}

// cell is text in a table.
func cell(text string) string { return strings.ReplaceAll(oneLine(text), "|", `\|`) }

func oneLine(text string) string { return strings.Join(strings.Fields(escape(text)), " ") }

// text is what the flag means, with what holds without it.
func (f flag) text() string {
	if f.def == "" || strings.Contains(f.means, "(default") {
		return oneLine(f.means)
	}
	return oneLine(f.means) + " (default `" + f.def + "`)"
}
