package verb

import (
	"fmt"
	"strings"
)

// Page returns the verbs as a page of the documentation, in Markdown.
func Page() string {
	var b strings.Builder
	b.WriteString(`# cairn plan

Every verb takes ` + "`-C DIR`" + ` (the project, or a directory in it), ` + "`--ws NAME`" + ` (a workstream),
` + "`--json`" + ` and ` + "`--get PATH`" + ` (one value of the JSON). Verbs that write take ` + "`--dry-run`" + `,
which prints what would change as a diff. Exit codes: 0 ok, 1 failed, 2 usage, 3 bad input
data, 5 a gate or check said no.

This page is made from the declarations that make the commands.
`)
	nouns := append([]Noun{{"", "Verbs of the plan itself"}}, Nouns()...)
	for _, n := range nouns {
		fmt.Fprintf(&b, "\n## %s\n", strings.TrimSpace(n.Name+" — "+n.Short))
		for _, v := range All() {
			if v.Noun == n.Name {
				b.WriteString(v.section())
			}
		}
	}
	return strings.ReplaceAll(b.String(), "## — ", "## ")
}

func (v *Verb) section() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### `%s`\n\n%s (%s).\n", v.Line(), v.Short, v.Effect)
	if v.Long != "" {
		fmt.Fprintf(&b, "\n%s\n", v.Long)
	}
	if len(v.Args)+len(v.Flags) > 0 {
		b.WriteString("\n| | |\n|---|---|\n")
	}
	for _, a := range v.Args {
		if a.Help != "" {
			fmt.Fprintf(&b, "| `%s` | %s |\n", a.Name, cell(a.Help))
		}
	}
	for _, f := range v.Flags {
		fmt.Fprintf(&b, "| `--%s` | %s%s |\n", f.Name, cell(f.Help), f.defaultText())
	}
	fmt.Fprintf(&b, "\n```sh\n%s\n```\n", strings.Join(v.Examples, "\n"))
	return b.String()
}

// Line returns how the verb is called: cairn plan phase add TEXT... .
func (v *Verb) Line() string {
	words := []string{"cairn plan"}
	if v.Noun != "" {
		words = append(words, v.Noun)
	}
	return strings.Join(append(words, v.Use()), " ")
}

// Use returns the verb's name and its arguments.
func (v *Verb) Use() string {
	use := v.Name
	for _, a := range v.Args {
		name := a.Name
		if a.Many {
			name += "..."
		}
		if a.Optional {
			name = "[" + name + "]"
		}
		use += " " + name
	}
	return use
}

func (f Flag) defaultText() string {
	switch d := f.Default.(type) {
	case string:
		if d == "" {
			return ""
		}
	case int:
	default:
		return ""
	}
	return fmt.Sprintf(" (default `%v`)", f.Default)
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
