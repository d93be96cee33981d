package grade

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"cairn/internal/team/cases"
)

var rewrite = flag.Bool("update", false, "write the table of docs/eval-cases.md")

// The table of the types in the documentation is made from the declarations.
func TestPageIsCurrent(t *testing.T) {
	const (
		name = "../../../docs/eval-cases.md"
		from = "<!-- types: made by go test ./internal/team/grade -run Page -update -->\n"
		to   = "<!-- end of types -->"
	)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(data), from)
	_, tail, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", name)
	}
	page := head + from + table() + "\n" + to + tail
	if page == string(data) {
		return
	}
	if !*rewrite {
		t.Fatalf("%s is not what the types say: go test ./internal/team/grade -run Page -update", name)
	}
	if err := os.WriteFile(name, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
}

// table returns the types as Markdown: by category what each means, its keys
// and the paths that it reads.
func table() string {
	var b strings.Builder
	category := ""
	for _, s := range Specs() {
		if s.Category != category {
			category = s.Category
			fmt.Fprintf(&b, "\n### %s\n\n| type | keys | reads | holds when |\n|---|---|---|---|\n", category)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", s.Name, keyCell(&s), readCell(s.Reads), cell(s.About))
	}
	return b.String()
}

func readCell(reads []string) string {
	if len(reads) == 0 {
		return "–"
	}
	return "`" + strings.Join(reads, "`, `") + "`"
}

func keyCell(s *cases.Spec) string {
	var all []string
	for _, k := range s.Keys {
		text := "`" + k.Name + "` " + k.Kind.String()
		if note := KeyNote(k); note != "" {
			text += " (" + note + ")"
		}
		all = append(all, cell(text))
	}
	if len(s.Needs) > 0 {
		all = append(all, "one of them is required")
	}
	if len(all) == 0 {
		return "–"
	}
	return strings.Join(all, "<br>")
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
