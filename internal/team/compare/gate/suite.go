package gate

import (
	"cmp"
	"fmt"
	"slices"

	"cairn/internal/team/compare"
	"cairn/internal/team/result"
	"cairn/internal/text"
)

// suite is what the rules ask of one suite, or one variant. Quarantined cases are
// not in it.
type suite struct {
	name    string
	tested  *compare.Test // nil where the suite is in no run
	cases   []*compare.Case
	lost    []string
	broke   map[compare.Class]int // of lost
	apart   map[compare.Class]int // cases that passed in the baseline and were not judged in the run
	gone    []string
	missed  []string  // of gone, that passed
	before  int       // cases that were judged, or ended in an error, in the baseline
	after   int       // the same in the run
	known   bool      // the baseline has a case
	rates   []float64 // of the judged cases
	judged  int
	errored int      // attempts
	tries   int      // attempts that were to be judged
	aside   int      // cases in quarantine
	bad     []string // of these, that do not pass
}

func (k *checker) of(name string) suite {
	return k.gather(name, k.c.Suites, func(c *compare.Case) bool { return c.Suite == name })
}

func (k *checker) ofVariant(name string) suite {
	s := k.gather(name, k.c.Groups, func(c *compare.Case) bool { return c.Group == name && !k.policy.exempt(c.Suite) })
	if len(k.c.Groups) == 0 && s.cases != nil {
		s.tested = &k.c.Run // the only one there is
	}
	return s
}

func (k *checker) gather(name string, tests []compare.Suite, in func(*compare.Case) bool) suite {
	s := suite{name: name, broke: map[compare.Class]int{}, apart: map[compare.Class]int{}}
	if i := slices.IndexFunc(tests, func(t compare.Suite) bool { return t.Name == name }); i >= 0 {
		s.tested = &tests[i].Test
	}
	for i := range k.c.Cases {
		c := &k.c.Cases[i]
		switch {
		case !in(c):
			continue
		case c.Quarantined:
			s.aside++
			if status := c.B.Status(); c.B != nil && status != string(result.Pass) && status != string(result.Skip) {
				s.bad = append(s.bad, c.Name)
			}
			if c.B != nil && s.cases == nil {
				s.cases = []*compare.Case{} // the suite did run
			}
			continue
		}
		leftOut(s.apart, c)
		s.known = s.known || c.A != nil
		if c.A != nil && c.A.Judged()+c.A.Errored > 0 {
			s.before++
		}
		if c.B == nil {
			if s.gone = append(s.gone, c.Name); c.Broke() != "" {
				s.missed = append(s.missed, c.Name)
			}
			continue
		}
		if how := c.Broke(); how == compare.Lost || how != "" && k.c.Deterministic() {
			s.lost = append(s.lost, c.Name)
			s.broke[how]++
		}
		s.cases = append(s.cases, c)
		s.errored += c.B.Errored
		s.tries += c.B.Errored + c.B.Judged()
		if c.B.Errored+c.B.Judged() > 0 {
			s.after++
		}
		if n := c.B.Judged(); n > 0 {
			s.judged++
			s.rates = append(s.rates, float64(c.B.Passed)/float64(n))
		}
	}
	return s
}

func (k *checker) check(s suite, r Rules) {
	k.rates(s, r.Rates)
	if r.MustPass != nil {
		k.mustPass(s, *r.MustPass)
	}
	k.criteria(s, r.Criteria)
	k.unruled(s, r.Criteria)
	if r.MaxCostUSD != nil {
		k.maxCost(*r.MaxCostUSD, s.name, "the suite", func(r *result.Result) bool { return cmp.Or(r.Suite, k.run.Suite) == s.name })
	}
	cost, duration := k.c.SpendOf(s.name)
	k.increase("max_cost_increase_pct", "cost", r.MaxCostIncreasePct, cost)
	k.increase("max_duration_increase_pct", "time", r.MaxDurationIncreasePct, duration)
	k.quarantine(s)
}

// quarantine reports the cases that are set aside; they never stop a run.
func (k *checker) quarantine(s suite) {
	if s.aside > 0 {
		k.say(Skip, "quarantine", s.bad, "%s set aside, %d of them did not pass", text.Count(s.aside, "case"), len(s.bad))
	}
}

// rates checks the rules about passes.
func (k *checker) rates(s suite, r Rates) {
	k.passRates(s, r)
	if r.MinCases != nil {
		k.hold(s.judged >= *r.MinCases, "min_cases", nil, "%s judged, at least %d are wanted", text.Count(s.judged, "case"), *r.MinCases)
	}
	if r.MaxErrorRate != nil && s.tries > 0 {
		share := float64(s.errored) / float64(s.tries)
		k.hold(share <= *r.MaxErrorRate, "max_error_rate", nil, "%d of %s ended in an error (%.1f %%), at most %g %% may",
			s.errored, text.Count(s.tries, "attempt"), share*100, *r.MaxErrorRate*100)
	}
	tested := r.NoRegression != nil && *r.NoRegression
	k.noRegression(s, tested)
	k.margin(s.tested, r.Margin)
	k.maxLost(s, r.MaxLost, tested)
	k.maxGone(s, r.MaxGone)
}

// deterministic says why a rule is checked that the policy does not have.
const deterministic = "; kind unit is taken to be deterministic, %s allows more"

// strict reports whether the suite that is being looked at may lose nothing unless
// the policy says so: it is deterministic. Of its variants the suite's rules say
// enough.
func (k *checker) strict() bool { return k.c.Deterministic() && k.suite != "" }

// maxLost limits how many cases regress. Of deterministic ones that is any case that
// passed and does not now: no server was busy, and no model in another mood.
// said is whether no_regression says what could not be compared.
func (k *checker) maxLost(s suite, most *int, said bool) {
	why := ""
	if most == nil && k.strict() {
		most, why = new(int), fmt.Sprintf(deterministic, "max_lost")
	}
	switch {
	case most == nil:
	case !k.baseline:
		k.say(Skip, "max_lost", nil, "no baseline")
	case len(s.lost) == 0 && (s.tested == nil || s.tested.Units() == 0) && said:
		k.say(Skip, "max_lost", nil, "nothing could be tested")
	case len(s.lost) == 0 && (s.tested == nil || s.tested.Units() == 0):
		k.untested(s, "max_lost")
	default:
		how := ""
		if len(s.lost) > s.broke[compare.Lost] {
			how = " (" + compare.BrokeText(s.broke) + ")"
		}
		k.hold(len(s.lost) <= *most, "max_lost", s.lost, "%s regressed%s, at most %d may%s", text.Count(len(s.lost), "case"), how, *most, why)
	}
}

// maxGone limits how many cases are missing.
func (k *checker) maxGone(s suite, most *int) {
	switch {
	case most != nil && !k.baseline:
		k.say(Skip, "max_gone", nil, "no baseline")
	case most != nil:
		k.hold(len(s.gone) <= *most, "max_gone", s.gone, "%s of the baseline gone, at most %d may be", text.Count(len(s.gone), "case"), *most)
	case k.strict() && k.baseline && len(s.missed) > 0:
		k.say(Fail, "max_gone", s.missed, "%s that passed in the baseline gone, at most 0 may be%s", text.Count(len(s.missed), "case"), fmt.Sprintf(deterministic, "max_gone"))
	}
}

func (k *checker) passRates(s suite, r Rates) {
	rate := compare.RateOf(s.rates, 0.95)
	for _, rule := range []struct {
		key   string
		least *float64
	}{{"min_pass_rate", r.MinPassRate}, {"min_pass_rate_lower", r.MinPassRateLower}} {
		switch {
		case rule.least == nil:
		case rate == nil:
			k.say(Fail, rule.key, nil, "no case was judged, so there is no pass rate")
		case rule.key == "min_pass_rate":
			k.hold(rate.Rate >= *rule.least-rounding, rule.key, nil, "pass rate %.1f %% of %s, at least %g %% is wanted", rate.Rate*100, text.Count(s.judged, "case"), *rule.least*100)
		default:
			k.hold(rate.Lo >= *rule.least, rule.key, nil, "pass rate %.1f %% of %s, with 95 %% confidence above %.1f %%; above %g %% is wanted",
				rate.Rate*100, text.Count(s.judged, "case"), rate.Lo*100, *rule.least*100)
		}
	}
}

// leftOut counts a case that passed in the baseline and that no test of the run can
// have in it, by why.
func leftOut(apart map[compare.Class]int, c *compare.Case) {
	if how := c.Broke(); how != "" && c.B.Judged() == 0 {
		apart[how]++
	}
}

func (k *checker) noRegression(s suite, asked bool) {
	apart := ""
	if len(s.apart) > 0 && (s.tested == nil || s.tested.Verdict != compare.Regression) { // then the cases that fell follow
		apart = "; passed in the baseline and not compared: " + compare.BrokeText(s.apart)
	}
	switch {
	case !asked:
	case !k.baseline:
		k.say(Skip, "no_regression", nil, "no baseline")
	case s.tested == nil || s.tested.Verdict == compare.NotComparable:
		k.untested(s, "no_regression")
	case s.tested.Verdict == compare.NoDifference:
		k.say(Pass, "no_regression", nil, "%s; %s%s", s.tested.Changes(), s.tested.Limits(), apart)
	default:
		k.hold(s.tested.Verdict != compare.Regression, "no_regression", s.lost, "%s (%s)%s", s.tested.Changes(), s.tested.PText(), apart)
	}
}

// margin wants it shown that the run is at most so much worse. What was not shown
// does not hold: that is what the rule is for.
func (k *checker) margin(tested *compare.Test, margin *float64) {
	const rule = "non_inferiority_margin"
	switch {
	case margin == nil:
	case !k.baseline:
		k.say(Skip, rule, nil, "no baseline")
	case tested == nil || tested.Units() == 0:
		k.say(Fail, rule, nil, "no case was judged in both runs, so nothing is shown")
	default:
		m := tested.Within(*margin, 1-k.policy.Alpha)
		k.hold(m.Verdict == compare.MarginShown, rule, nil, "%s", tested.MarginText(m))
	}
}

// mustPass wants each name or glob to match a case, and every case that
// matches to pass in all its attempts. It holds in quarantine too.
func (k *checker) mustPass(s suite, patterns []string) {
	var failed, missing []string
	matched := 0
	for _, pattern := range patterns {
		found := false
		for i := range k.c.Cases {
			c := &k.c.Cases[i]
			if c.Suite != s.name || c.B == nil || !anyMatch([]string{pattern}, c.Name, c.CaseID) {
				continue
			}
			found = true
			matched++
			if (c.B.Status() != string(result.Pass) || c.B.Errored > 0) && !slices.Contains(failed, c.Name) {
				failed = append(failed, c.Name)
			}
		}
		if !found {
			missing = append(missing, pattern)
		}
	}
	switch {
	case len(missing) > 0:
		k.say(Fail, "must_pass", missing, "not in the run")
	case len(failed) > 0:
		k.say(Fail, "must_pass", failed, "%d of %s did not pass", len(failed), text.Count(matched, "case"))
	default:
		k.say(Pass, "must_pass", nil, "%s passed", text.Count(matched, "case"))
	}
}
