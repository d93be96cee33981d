// Evalstore makes what scripts/bench.sh measures cairn eval on: a store of
// many small runs, two large runs to compare, and an entry of the cache.
//
// Usage: evalstore CAIRN_HOME
package main

import (
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/home"
	"cairn/internal/team/eval"
	"cairn/internal/team/result"
)

const (
	runs  = 10_000
	cases = 5_000
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: evalstore CAIRN_HOME")
	}
	h := home.Home(os.Args[1])
	random := rand.New(rand.NewPCG(1, 2))
	store := eval.Open(h.Evals())
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range runs {
		run := made(random, 12, fmt.Sprintf("suite-%d", i%7), .9)
		run.Timestamp = result.Time{Time: began.Add(time.Duration(i) * 40 * time.Minute)}
		run.GitBranch, run.GitSHA = []string{"main", "feat/terse", "fix/tone"}[i%3], fmt.Sprintf("%040x", i)
		run.Label = eval.Sanitize(run.GitBranch)
		if _, _, err := store.Put(run); err != nil {
			log.Fatal(err)
		}
	}
	for name, rate := range map[string]float64{"a.json": .8, "b.json": .79} {
		data, err := result.Encode(made(random, cases, "large", rate))
		if err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(string(h), name), data, 0o600); err != nil {
			log.Fatal(err)
		}
	}
}

// made is a run of n cases of which a share passes.
func made(random *rand.Rand, n int, suite string, rate float64) *result.Run {
	run := &result.Run{SchemaVersion: result.Version, Suite: suite, Repo: "acme/widget", Hostname: "dev-box"}
	for i := range n {
		r := result.Result{
			Name: fmt.Sprintf("case %d of the suite", i), Category: fmt.Sprintf("category-%d", i%8), DurationMS: 100 + 900*random.Float64(),
			CostUSD: .001 + .01*random.Float64(), Model: "claude-sonnet-4-6",
			JudgeScores:     map[string]float64{"accuracy": random.Float64(), "tone": random.Float64()},
			ResponsePreview: strings.Repeat("The proposed legislation would change zoning. ", 4),
		}
		r.Set(result.Pass)
		if random.Float64() > rate {
			r.Set(result.Fail)
			r.Failures = []result.Failure{{Type: "threshold", ExpectationType: "quality_check", Message: "accuracy 0.42 is below 0.7"}}
		}
		run.Results = append(run.Results, r)
	}
	run.Recount()
	run.Derive()
	return run
}
