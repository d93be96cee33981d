package compare

import (
	"math"
	"testing"

	"cairn/internal/team/result"
)

// scored is a run whose cases have one criterion each, at these scores; several
// in one list are attempts.
func scored(criterion string, cases ...[]float64) *result.Run {
	r := &result.Run{SchemaVersion: 1, Suite: "s"}
	for i, attempts := range cases {
		for try, v := range attempts {
			one := result.Result{Name: string(rune('a' + i)), Attempt: try + 1, JudgeScores: map[string]float64{criterion: v}}
			if criterion == "" {
				one.Score, one.JudgeScores = &v, nil
			}
			one.Set(result.Pass)
			r.Results = append(r.Results, one)
		}
	}
	r.Recount()
	return r
}

func each(n int, v func(i int) float64) (cases [][]float64) {
	for i := range n {
		cases = append(cases, []float64{v(i)})
	}
	return cases
}

func TestScores(t *testing.T) {
	before := func(i int) float64 { return 0.5 + float64(i)/100 }
	for _, test := range []struct {
		name  string
		after func(i int) float64
		n     int
		want  Verdict
		p     float64
	}{
		{"six of six lower", func(i int) float64 { return before(i) - 0.1 - float64(i)/50 }, 6, Regression, 2. / 64},
		{"five cannot show it", func(i int) float64 { return before(i) - 0.1 - float64(i)/50 }, 5, NoDifference, 2. / 32},
		{"six of six higher", func(i int) float64 { return before(i) + 0.1 + float64(i)/50 }, 6, Improvement, 2. / 64},
		{"the same", before, 6, NoDifference, 1},
	} {
		for _, criterion := range []string{"", "accuracy"} {
			c := Runs(scored(criterion, each(test.n, before)...), scored(criterion, each(test.n, test.after)...), Options{})
			if len(c.Scores) != 1 || c.ScoreVerdict != test.want || c.Scores[0].Criterion != criterion || math.Abs(*c.Scores[0].P-test.p) > 1e-9 {
				t.Errorf("%s: %s, %+v", test.name, c.ScoreVerdict, c.Scores)
			}
			if c.Verdict != NoDifference {
				t.Errorf("%s: scores made the verdict %s of passes", test.name, c.Verdict)
			}
		}
	}
}

// As many attempts as both runs have; errors have no score.
func TestScoresOfRepeats(t *testing.T) {
	a := scored("x", []float64{0.2, 0.4, 0.9}, []float64{0.5})
	b := scored("x", []float64{0.6, 0.4}, []float64{0.1, 0.5})
	b.Results[2].Set(result.Error)
	s := Runs(a, b, Options{}).Scores[0]
	if s.Cases != 2 || math.Abs(s.A-0.4) > 1e-9 || math.Abs(s.B-0.5) > 1e-9 {
		t.Errorf("%+v", s)
	}
}

func TestScalesAndJudges(t *testing.T) {
	a, b := scored("x", each(8, func(int) float64 { return 0.9 })...), scored("x", each(8, func(int) float64 { return 4 })...)
	for i := range b.Results {
		b.Results[i].Scale = "1-5"
	}
	c := Runs(a, b, Options{})
	if s := c.Scores[0]; c.ScoreVerdict != NotComparable || s.P != nil || s.Why != "0-1 in A, 1-5 in B" {
		t.Errorf("two scales: %s, %+v", c.ScoreVerdict, s)
	}
	if want := "on different scales in A and B, not compared"; c.ScoreSummary() != want {
		t.Errorf("%q", c.ScoreSummary())
	}
	b.Results[0].Scale, b.Results[0].JudgeScores["x"] = "0.0-1.0", 0.9
	if c := Runs(a, b, Options{}); c.ScoreVerdict != NoDifference || len(c.Scores) != 2 {
		t.Errorf("one case on the same scale, said in another way: %+v", c.Scores)
	}
	b = scored("x", each(8, func(int) float64 { return 0.1 })...)
	a.JudgeTier, b.JudgeTier = "fast", "full"
	if c := Runs(a, b, Options{}); len(c.Scores) != 0 || c.ScoreVerdict != "" || c.Notes[0].Code != "judge-tier" {
		t.Errorf("judges of two tiers: %+v, %v", c.Scores, c.Notes)
	}
}

func TestHolmAcrossCriteria(t *testing.T) {
	two := func(lower float64) *result.Run {
		r := scored("x", each(6, func(i int) float64 { return 0.5 - lower*float64(i+1) })...)
		for i := range r.Results {
			r.Results[i].JudgeScores["y"] = 0.5
		}
		return r
	}
	c := Runs(two(0), two(0.05), Options{})
	if s := c.Scores[0]; *s.P != 2./64 || *s.PHolm != 4./64 || s.Verdict != NoDifference {
		t.Errorf("%+v", s)
	}
}
