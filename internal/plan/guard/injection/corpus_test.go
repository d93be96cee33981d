package injection

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// texts returns the texts of the corpora that match pattern, by corpus and name.
func texts(t *testing.T, pattern string) []txtar.File {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join("testdata", pattern))
	if names == nil {
		t.Fatalf("nothing matches %s", pattern)
	}
	var out []txtar.File
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			f.Name = strings.TrimSuffix(filepath.Base(name), ".txtar") + "/" + f.Name
			out = append(out, f)
		}
	}
	return out
}

// A tally counts how many of some texts were flagged.
type tally struct{ all, ours, high, baseline int }

func count(files []txtar.File, see func(f txtar.File, found []Finding)) tally {
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
		see(f, found)
	}
	return n
}

func (n tally) percent(k int) string {
	return fmt.Sprintf("%.1f %%", 100*float64(k)/float64(n.all))
}

func TestAttacks(t *testing.T) {
	tuned := count(texts(t, "attacks/tune.txtar"), func(f txtar.File, found []Finding) {
		if found == nil {
			t.Logf("missed: %s", f.Name)
		}
	})
	t.Logf("tuned on: %+v %s", tuned, tuned.percent(tuned.ours))
	held := count(texts(t, "attacks/heldout.txtar"), func(txtar.File, []Finding) {})
	t.Logf("held out: %+v %s", held, held.percent(held.ours))
}
