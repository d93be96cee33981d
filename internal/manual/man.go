package manual

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Man returns a man page of section 1 for each command, cairn-eval-push, as
// Markdown without a title line, of the dialect that go-md2man reads.
func (b Book) Man() (files []File) {
	for _, c := range tree(b.Root) {
		files = append(files, File{manName(c), manPage(c)})
	}
	return files
}

func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

func manPage(c *cobra.Command) string {
	var s strings.Builder
	fmt.Fprintf(&s, "# NAME\n%s - %s\n\n# SYNOPSIS\n`%s`\n", manName(c), escape(c.Short), c.UseLine())
	if text := long(c); text != "" {
		s.WriteString("\n# DESCRIPTION\n\n")
		paragraphs(&s, text)
	}
	terms := func(title string, list []flag) {
		if len(list) > 0 {
			fmt.Fprintf(&s, "\n# %s\n", title)
		}
		for _, f := range list {
			fmt.Fprintf(&s, "\n`%s`\n: %s\n", f.name, f.text())
		}
	}
	var below []flag
	see := []string{}
	if c.HasParent() {
		see = append(see, "**"+manName(c.Parent())+"**(1)")
	}
	for _, v := range verbs(c) {
		below = append(below, flag{name: v.CommandPath(), means: v.Short})
		see = append(see, "**"+manName(v)+"**(1)")
	}
	terms("COMMANDS", below)
	terms("OPTIONS", flags(c))
	if list := examples(c); list != nil {
		fmt.Fprintf(&s, "\n# EXAMPLES\n\n```\n%s\n```\n", strings.Join(list, "\n"))
	}
	fmt.Fprintf(&s, "\n# SEE ALSO\n%s\n", strings.Join(append(see, "**cairn-topics**(7)"), ", "))
	return s.String()
}
