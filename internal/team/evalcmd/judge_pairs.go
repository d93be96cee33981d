package evalcmd

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"cairn/internal/answer"
	"cairn/internal/team/judge"
	"cairn/internal/team/result"
	"cairn/internal/team/stats"
)

// counterparts returns the output of another run's case: the same suite, name,
// variant and attempt, or else the only one of the suite and name.
func counterparts(run *result.Run) func(*result.Result) string {
	type name struct {
		suite, name, variant string
		attempt              int
	}
	exact, alike := map[name]string{}, map[name][]string{}
	of := func(r *result.Result) name { return name{r.Suite, r.Name, r.Variant, max(1, r.Attempt)} }
	for i := range run.Results {
		r := &run.Results[i]
		out := judge.OutputOf(r)
		if out == "" {
			continue
		}
		exact[of(r)] = out
		short := name{suite: r.Suite, name: r.Name}
		alike[short] = append(alike[short], out)
	}
	return func(r *result.Result) string {
		if out, ok := exact[of(r)]; ok {
			return out
		}
		if list := alike[name{suite: r.Suite, name: r.Name}]; len(list) == 1 {
			return list[0]
		}
		return ""
	}
}

// A pairing is how often each of two runs was preferred by one criterion.
type pairing struct {
	Criterion string  `json:"criterion"`
	Preferred int     `json:"preferred"` // this run's output
	Other     int     `json:"other"`
	Ties      int     `json:"ties"` // also where judges go by the order
	P         float64 `json:"p"`    // of the sign test, ties left out
}

// notePairs counts preferences, writes them into the run and shows them.
func notePairs(run *result.Run, questions []judge.Question, verdicts []judge.Verdict) answer.View {
	lo, hi, _ := questions[0].Scale.Bounds()
	middle := (lo + hi) / 2
	var list []pairing
	t := answer.NewTable("criterion:name", "preferred:count", "the_other:count", "ties:count", "p:name")
	for _, c := range questions[0].Criteria {
		p := pairing{Criterion: c.Name}
		for i := range verdicts {
			s, ok := verdicts[i].Scores[c.Name]
			switch {
			case !ok:
			case s > middle:
				p.Preferred++
			case s < middle:
				p.Other++
			default:
				p.Ties++
			}
		}
		p.P = stats.McNemarExact(p.Other, p.Preferred) // the sign test
		list = append(list, p)
		t.Add(p.Criterion, p.Preferred, p.Other, p.Ties, fmt.Sprintf("%.3g", p.P))
	}
	if data, err := json.Marshal(list); err == nil {
		run.X = judge.WithMember(run.X, "pairwise", data)
	}
	return t
}
