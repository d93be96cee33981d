package eval

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"cairn/internal/team/result"
)

// fillStore puts n runs of results cases each into a store, as a team's would
// be after a year: 6 suites, 40 branches.
func fillStore(tb testing.TB, dir string, n, results int) *Store {
	tb.Helper()
	s, rnd := Open(dir), rand.New(rand.NewPCG(1, 2))
	for i := range n {
		branch := "main"
		if i%3 > 0 {
			branch = fmt.Sprintf("feature/improve-%d", i%40)
		}
		run := &result.Run{SchemaVersion: 1, Suite: fmt.Sprintf("suite-%d", i%6), Label: Sanitize(branch), Repo: "acme/app", GitBranch: branch,
			GitSHA: fmt.Sprintf("%040x", i/2), Hostname: "builder-7.example.com", Tool: "promptfoo", Kind: "eval", JudgeTier: "standard",
			Timestamp: result.Time{Time: day0.Add(time.Duration(i) * 50 * time.Minute)}, Results: []result.Result{}}
		for k := range results {
			r := result.Result{Name: fmt.Sprintf("case %d", k), CostUSD: rnd.Float64() / 100, DurationMS: 1000, Model: "claude-sonnet-5"}
			r.Set(result.Pass)
			if rnd.IntN(10) == 0 {
				r.Set(result.Fail)
				r.Failures = []result.Failure{{Message: "expected a summary of at most 40 words, got 61"}}
			}
			run.Results = append(run.Results, r)
		}
		run.Derive()
		if _, _, err := s.Put(run); err != nil {
			tb.Fatal(err)
		}
	}
	return s
}

func BenchmarkList(b *testing.B) {
	s := fillStore(b, b.TempDir(), 10_000, 1)
	b.ReportAllocs()
	for b.Loop() {
		if entries, broken, err := s.List(); len(entries) != 10_000 || len(broken) > 0 || err != nil {
			b.Fatal(len(entries), broken, err)
		}
	}
}

func BenchmarkListWithoutIndex(b *testing.B) {
	s := fillStore(b, b.TempDir(), 1_000, 20)
	for b.Loop() {
		os.Remove(filepath.Join(s.dir, indexName))
		if entries, _, err := s.List(); len(entries) != 1_000 || err != nil {
			b.Fatal(len(entries), err)
		}
	}
}
