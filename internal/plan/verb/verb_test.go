package verb

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("update", false, "write docs/plan.md")

// Every verb can be found, understood and tried from its declaration alone.
func TestDeclarations(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range All() {
		line := v.Line()
		if seen[v.Noun+" "+v.Name] {
			t.Errorf("%s is declared twice", line)
		}
		seen[v.Noun+" "+v.Name] = true
		if v.Noun != "" && !slices.ContainsFunc(Nouns(), func(n Noun) bool { return n.Name == v.Noun }) {
			t.Errorf("%s: the noun is not in Nouns", line)
		}
		if v.Short == "" || strings.HasSuffix(v.Short, ".") || v.Run == nil || v.Effect != Reads && v.Effect != Writes {
			t.Errorf("%s: incomplete", line)
		}
		if len(v.Examples) < 2 {
			t.Errorf("%s has %d examples, two are the least", line, len(v.Examples))
		}
		prefix := strings.TrimSpace("cairn plan " + v.Noun)
		for _, e := range v.Examples {
			if !strings.HasPrefix(e, prefix+" "+v.Name) {
				t.Errorf("%s: the example %q shows something else", line, e)
			}
			for _, word := range strings.Fields(e) {
				if name, ok := strings.CutPrefix(word, "--"); ok && !v.takes(name) {
					t.Errorf("%s: the example %q has an unknown --%s", line, e, name)
				}
			}
		}
		for i, a := range v.Args {
			if (a.Optional || a.Many) && i < len(v.Args)-1 {
				t.Errorf("%s: only the last argument may be optional or many", line)
			}
		}
		for _, f := range v.Flags {
			switch f.Default.(type) {
			case bool, string, int, []string:
			default:
				t.Errorf("%s: --%s is of no kind", line, f.Name)
			}
			if f.Help == "" || slices.Contains(everyVerb, f.Name) {
				t.Errorf("%s: --%s has no help, or is every verb's", line, f.Name)
			}
		}
	}
	for _, n := range Nouns() {
		if !slices.ContainsFunc(All(), func(v *Verb) bool { return v.Noun == n.Name }) {
			t.Errorf("%s has no verb", n.Name)
		}
	}
}

var everyVerb = []string{"dir", "ws", "json", "get", "dry-run", "help"}

func (v *Verb) takes(flag string) bool {
	flag, _, _ = strings.Cut(flag, "=")
	return slices.Contains(everyVerb, flag) || slices.ContainsFunc(v.Flags, func(f Flag) bool { return f.Name == flag })
}

func TestPageIsCurrent(t *testing.T) {
	const name = "../../../docs/plan.md"
	if *rewrite {
		if err := os.WriteFile(name, []byte(Page()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(name)
	if err != nil || string(b) != Page() {
		t.Errorf("docs/plan.md is not what the verbs say: go test ./internal/plan/verb -update")
	}
}

func TestGet(t *testing.T) {
	data := []phaseRow{{Number: "1", Name: "a<b"}}
	if got, err := Get(data, "[0].name"); got != "a<b" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := Get(data, "[0].none"); err == nil {
		t.Errorf("got %q", got)
	}
}
