package doc

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fragments is what planning files are made of, and what people do to them.
var fragments = []string{
	"---\nphase: 02-api\nplan: 01 # why\nwave: 1\ndepends_on: []\nmust_haves:\n  truths:\n    - \"D-01: chosen\"\n  artifacts:\n    - path: a.go\n      exports: [A, B]\n---\n",
	"---\ngsd_state_version: '1.0'\nunknown: {a: [1, 2]}\nprogress:\n  percent: 20\n---\n", "---\nnever closed: yes\n", "---\n\tbad: |\n  x\n---\n",
	"# Roadmap: Widget\n\n", "## v1.0 First\n", "### 🚧 **v1.1 Second** (In Progress)\n", "<details>\n<summary>✅ v0.9</summary>\n", "</details>\n",
	"- [ ] **Phase 1: Base** - base (completed 2026-01-02)\n", "- [x] 01-01: base\n", "  1. works\n", "* bullet\n", "### Phase 2: API (INSERTED)\n",
	"**Goal:** Serve it\n", "**Plans**: TBD\n", "Status: Ready\n", "**Progress:** [██░░] 20%\n", "\n", "   \n", "---\n",
	"| Phase | Plans Complete | Status | Completed |\n|---|---|---|---|\n| 1. Base | 1/1 | Complete | - |\n| 2. a \\| b\n",
	"```md\n### Phase 77: fake\n```\n", "~~~\n```\n", "<!-- comment\n## not a heading\n-->\n", "<!-- one line -->\n",
	"<objective>\nBuild it.\n</objective>\n", "<tasks>\n<task type=\"auto\" tdd='true'>\n <name>T</name>\n<action>x</action>\n</task>\n</tasks>\n", "<task type=\"never closed\n",
	"<decisions>\n### Routing\n- **D-01 [deferred]:** text\n\tcontinues\n</decisions>\n", "text with \x00 and \xff\xc3\n", "über ’quotes’ 決定\n", "\r", "no final newline",
}

// generate makes one file.
func generate(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(20) == 0 {
		b.WriteString(bom)
	}
	for range r.IntN(14) {
		b.WriteString(fragments[r.IntN(len(fragments))])
	}
	s := b.String()
	switch r.IntN(5) {
	case 0:
		s = strings.ReplaceAll(s, "\n", "\r\n")
	case 1: // cut anywhere
		s = s[:r.IntN(len(s)+1)]
	case 2: // two halves with different endings
		half := r.IntN(len(s) + 1)
		s = strings.ReplaceAll(s[:half], "\n", "\r\n") + s[half:]
	}
	return s
}

// look reads everything there is to read.
func look(t *Text) {
	r := ReadRoadmap(t)
	for _, p := range r.Phases {
		r.Criteria(p)
		r.PhaseField(p, "Goal")
	}
	r.Progress()
	t.Fields(0, t.Len())
	t.Items(0, t.Len())
	t.Blocks(0, t.Len(), "task")
	t.Section("Decisions")
	t.Front()
	t.FrontProblems()
}

func TestPrintOfParseIsTheFile(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 10_000 { // trees of five files
		for range 5 {
			s := generate(r)
			d := Parse([]byte(s))
			look(d)
			if got := string(d.Bytes()); got != s {
				t.Fatalf("%q became %q", s, got)
			}
		}
	}
	err := filepath.WalkDir("../testdata/trees", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		d := Parse(b)
		look(d)
		if string(d.Bytes()) != string(b) {
			t.Errorf("%s changed", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// An edit changes the lines it names and no other.
func TestEditsTouchTheirLines(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	edits := 0
	for range 5_000 {
		s := generate(r)
		before := Parse([]byte(s))
		d := before.Clone()
		var line int
		switch fields, items := d.Fields(0, d.Len()), d.Items(0, d.Len()); {
		case r.IntN(2) == 0 && len(fields) > 0:
			f := fields[r.IntN(len(fields))]
			d.SetField(f, "new value")
			line = f.Line
			if got, _ := d.Field(f.Line, f.Line+1, f.Name); got.Value != "new value" {
				t.Fatalf("%q: field %q is %q", s, f.Name, got.Value)
			}
		case len(items) > 0:
			it := items[r.IntN(len(items))]
			d.Tick(it, !it.Done)
			line = it.Line
		default:
			continue
		}
		edits++
		if d.Len() != before.Len() {
			t.Fatalf("%q: %d lines became %d", s, before.Len(), d.Len())
		}
		for i := range d.Len() {
			if i != line && d.lines[i] != before.lines[i] {
				t.Fatalf("%q: line %d changed to %q", s, i, d.lines[i])
			}
		}
	}
	if edits < 1000 {
		t.Errorf("only %d edits", edits)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range fragments {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		d := Parse(b)
		look(d)
		if string(d.Bytes()) != string(b) {
			t.Errorf("%q changed", b)
		}
	})
}
