package injection

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"cairn/test/cairntest"
)

var update = flag.Bool("update", false, "write docs/injection.md")

// texts returns the texts of some corpora.
func texts(t *testing.T, names ...string) []txtar.File {
	t.Helper()
	var out []txtar.File
	for _, name := range names {
		a, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			f.Name = name + "/" + f.Name
			out = append(out, f)
		}
	}
	return out
}

// A tally counts how many of some texts were flagged.
type tally struct{ all, ours, high, baseline int }

func count(files []txtar.File, flagged func(f txtar.File, found []Finding)) tally {
	n := tally{all: len(files)}
	for _, f := range files {
		found := Scan(string(f.Data))
		if found != nil {
			n.ours++
		}
		if Severity(found) == "high" {
			n.high++
		}
		if baselineFlags(string(f.Data)) {
			n.baseline++
		}
		if flagged != nil && found != nil {
			flagged(f, found)
		}
	}
	return n
}

func (n tally) row(name string) string {
	part := func(k int) string { return fmt.Sprintf("%d (%.1f %%)", k, 100*float64(k)/float64(n.all)) }
	return fmt.Sprintf("| %s | %d | %s | %d | %s |\n", name, n.all, part(n.ours), n.high, part(n.baseline))
}

// TestFigures counts attacks found and innocents flagged, ours and the baseline's,
// and holds docs/injection.md to them. Names of texts that were held out are never
// printed, so that nobody tunes on them.
func TestFigures(t *testing.T) {
	cairntest.Long(t)
	tuned := count(texts(t, "attacks/tune"), nil)
	held := count(texts(t, "attacks/heldout"), nil)
	tell := func(f txtar.File, found []Finding) { t.Logf("innocent %s: %v", f.Name, found) }
	ordinary := count(texts(t, "innocents/readmes", "innocents/docs", "innocents/code"), tell)
	prompts := count(texts(t, "innocents/prompts"), tell)

	if tuned.all+held.all < 250 || held.all < 80 || ordinary.all+prompts.all < 400 {
		t.Errorf("corpora too small: %d + %d attacks, %d + %d innocents", tuned.all, held.all, ordinary.all, prompts.all)
	}
	for name, n := range map[string]tally{"tuned": tuned, "held out": held} {
		if n.ours < n.baseline {
			t.Errorf("%s: %d attacks found, the baseline finds %d", name, n.ours, n.baseline)
		}
	}
	for name, n := range map[string]tally{"ordinary": ordinary, "about prompts": prompts} {
		if n.ours*50 >= n.all { // 2 %
			t.Errorf("%s: %d of %d innocents flagged", name, n.ours, n.all)
		}
	}

	var table strings.Builder
	table.WriteString("| texts | number | flagged | of these high | baseline flags |\n|---|---|---|---|---|\n")
	table.WriteString(tuned.row("attacks, tuned on"))
	table.WriteString(held.row("attacks, held out"))
	table.WriteString(ordinary.row("innocent: READMEs, docs, code"))
	table.WriteString(prompts.row("innocent: prompts, agent files, LLM code"))
	t.Log("\n" + table.String())
	page, err := os.ReadFile("testdata/page.md")
	if err != nil {
		t.Fatal(err)
	}
	page = bytes.Replace(page, []byte("FIGURES\n"), []byte(table.String()), 1)
	const path = "../../../../docs/injection.md"
	if *update {
		if err := os.WriteFile(path, page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, _ := os.ReadFile(path); !bytes.Equal(have, page) {
		t.Errorf("%s is not what the figures say: run go test -run Figures -update", filepath.Base(path))
	}
}
