package gate

import (
	"cmp"
	"maps"
	"slices"

	"cairn/internal/team/compare"
	"cairn/internal/text"
)

// ownScore is how a policy calls the score that a result has itself.
const ownScore = "score"

// A rule about a score is called as its key in the policy: criteria.NAME.min.
const (
	criteriaRule   = "criteria."
	minRule        = ".min"
	regressionRule = ".no_regression"
)

func (k *checker) criteria(s suite, criteria map[string]Criterion) {
	for _, name := range slices.Sorted(maps.Keys(criteria)) {
		c := criteria[name]
		if c.Min != nil {
			k.minScore(s, name, *c.Min)
		}
		if c.NoRegression != nil && *c.NoRegression {
			k.scoreRegression(s, name)
		}
	}
}

// minScore wants the mean of the cases' means to reach a score.
func (k *checker) minScore(s suite, name string, least float64) {
	rule := criteriaRule + name + minRule
	sum, n, scale, mixed := 0., 0, "", false
	for _, c := range s.cases {
		v, ok := c.B.Scores[name]
		if name == ownScore && c.B.Score != nil {
			v, ok = *c.B.Score, true
		}
		if !ok {
			continue
		}
		mixed = mixed || n > 0 && c.B.Scale != scale
		sum, n, scale = sum+v, n+1, c.B.Scale
	}
	switch {
	case n == 0:
		k.say(Fail, rule, nil, "no case has this score")
	case mixed:
		k.say(Fail, rule, nil, "the cases have this score on several scales, so there is no mean")
	default:
		k.hold(sum/float64(n) >= least-rounding, rule, nil, "mean %.3f of %s on %s, at least %g is wanted", sum/float64(n), text.Count(n, "case"), scale, least)
	}
}

// scoreRegression wants the criterion not to be lower than in the baseline.
func (k *checker) scoreRegression(s suite, name string) {
	rule := criteriaRule + name + regressionRule
	if !k.baseline {
		k.say(Skip, rule, nil, "no baseline")
		return
	}
	found := false
	for _, score := range k.c.Scores {
		if score.Pooled || score.Suite != s.name || score.Criterion != name && !(name == ownScore && score.Criterion == "") {
			continue
		}
		found = true
		if score.Verdict == compare.NotComparable {
			k.say(Warn, rule, nil, "not compared: %s", score.Why)
			continue
		}
		p := ""
		if score.PHolm != nil {
			p = " (" + compare.PSentence(*score.PHolm) + ")"
		}
		k.hold(score.Verdict != compare.Regression, rule, nil, "%.3f → %.3f over %s%s", score.A, score.B, text.Count(score.Cases, "case"), p)
	}
	if !found {
		why := "no case has this score in both runs"
		if a, b := k.c.A.JudgeTier, k.c.B.JudgeTier; a != b && a != "" && b != "" {
			why = "judged by different tiers, " + k.c.A.JudgeTier + " and " + k.c.B.JudgeTier
		}
		k.say(Warn, rule, nil, "not compared: %s", why)
	}
}

// unruled tells of scores that are lower by more than noise and that no rule
// is about: they do not stop the run, and nobody should have to look for them.
func (k *checker) unruled(s suite, criteria map[string]Criterion) {
	for _, score := range k.c.Scores {
		name := cmp.Or(score.Criterion, ownScore)
		if _, ruled := criteria[name]; ruled || score.Pooled || score.Suite != s.name || score.Verdict != compare.Regression || !k.baseline {
			continue
		}
		k.say(Warn, criteriaRule+name+regressionRule, nil, "%.3f → %.3f over %s, and no rule is about it", score.A, score.B, text.Count(score.Cases, "case"))
	}
}

// pooled checks the criteria that fell over all suites together. It is a failure
// where the default of suites asks that they do not.
func (k *checker) pooled() {
	for _, score := range k.c.Scores {
		if !score.Pooled || score.Verdict != compare.Regression || !k.baseline {
			continue
		}
		name, status, why := cmp.Or(score.Criterion, ownScore), Warn, ", and no rule is about it"
		if rule := k.policy.Default.Criteria[name].NoRegression; rule != nil {
			if !*rule {
				continue
			}
			status, why = Fail, " ("+compare.PSentence(*score.PHolm)+")"
		}
		k.say(status, criteriaRule+name+regressionRule, nil, "%.3f → %.3f over %s of all suites%s", score.A, score.B, text.Count(score.Cases, "case"), why)
	}
}
