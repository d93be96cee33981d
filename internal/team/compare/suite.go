package compare

import (
	"math"

	"cairn/internal/team/stats"
)

// power is how often a drop should be found to be called detectable.
const power = 0.8

// A Suite is the test of one suite.
type Suite struct {
	Name   string `json:"name"`
	Tested int    `json:"cases"` // cases judged in both runs
	Counts
	RateA *Rate `json:"rate_a,omitempty"` // of the tested cases
	RateB *Rate `json:"rate_b,omitempty"`

	P       *float64 `json:"p,omitempty"`        // two-sided, of McNemar's test
	PHolm   *float64 `json:"p_holm,omitempty"`   // adjusted for the number of suites
	Method  string   `json:"method,omitempty"`   // exact or mid-p
	PStrict *float64 `json:"p_strict,omitempty"` // the exact p, adjusted: what a verdict asks too
	Verdict Verdict  `json:"verdict"`

	// SmallestDrop is the drop in pass rate below which no outcome of so many
	// cases is significant; absent where no drop can be. DetectableDrop is the
	// one that would be called four times in five.
	SmallestDrop   *float64 `json:"smallest_drop,omitempty"`
	DetectableDrop *float64 `json:"detectable_drop,omitempty"`
}

// A Rate is a mean pass rate of cases and its Wilson interval.
type Rate struct {
	Rate float64 `json:"rate"`
	Lo   float64 `json:"lo"`
	Hi   float64 `json:"hi"`
}

// RateOf is the mean of the pass rates of cases with its interval, as
// stats.WilsonMean gives them; nil without a case.
func RateOf(rates []float64, confidence float64) *Rate {
	if len(rates) == 0 {
		return nil
	}
	mean, lo, hi := stats.WilsonMean(rates, confidence)
	return &Rate{mean, lo, hi}
}

// testSuites makes one test for each suite, and judges them together. The pairs
// come suite by suite.
func testSuites(pairs []*pair, opts Options) []Suite {
	suites := []Suite{} // an empty list in JSON, not null
	for begin := 0; begin < len(pairs); {
		end := begin
		for end < len(pairs) && pairs[end].Suite == pairs[begin].Suite {
			end++
		}
		suites = append(suites, testSuite(pairs[begin:end], opts))
		begin = end
	}
	tests := 0
	p, strict := make([]float64, len(suites)), make([]float64, len(suites))
	for i, s := range suites {
		if p[i], strict[i] = math.NaN(), math.NaN(); s.P != nil {
			p[i], strict[i] = *s.P, stats.McNemarExact(s.Worse(), s.Better())
			tests++
		}
	}
	p, strict = stats.Holm(p), stats.Holm(strict)
	for i := range suites {
		if s := &suites[i]; s.P != nil {
			s.PHolm, s.PStrict = &p[i], &strict[i]
			s.judge(opts.Alpha, tests)
		}
	}
	return suites
}

func testSuite(pairs []*pair, opts Options) Suite {
	s := Suite{Name: pairs[0].Suite, Verdict: NotComparable}
	var before, after []float64
	for _, p := range pairs {
		s.Counts.add(&p.Case)
		if p.Quarantined {
			continue
		}
		if a, b, ok := means(p.a, p.b, passed); ok {
			before, after = append(before, a), append(after, b)
		}
	}
	s.RateA, s.RateB = RateOf(before, opts.Confidence), RateOf(after, opts.Confidence)
	if s.Tested = s.Counts.Tested(); s.Tested > 0 {
		p, method := stats.McNemar(s.Worse(), s.Better())
		s.P, s.Method = &p, method
	}
	return s
}

// judge makes the verdict from the p-values adjusted for all tests. Mid-p, the
// one that is shown past 25 cases that changed, is right on average and too
// small for some tables (20 of 29 lost come by chance in 3.07 %); what may stop
// a merge asks the exact one as well, which is never too small.
func (s *Suite) judge(alpha float64, tests int) {
	switch {
	case !(*s.PHolm < alpha && *s.PStrict < alpha):
		s.Verdict = NoDifference
		s.limits(alpha / float64(tests)) // what Holm asks of the smallest p
	case s.Worse() > s.Better():
		s.Verdict = Regression
	default:
		s.Verdict = Improvement
	}
}

// Near reports whether mid-p alone would have made a verdict of it.
func (s *Suite) Near(alpha float64) bool {
	return s.PHolm != nil && *s.PHolm < alpha && s.Verdict == NoDifference
}

// limits computes what so few cases cannot show.
func (s *Suite) limits(alpha float64) {
	if drop, ok := stats.SmallestSignificantDrop(s.Tested, alpha); ok && drop <= s.RateA.Rate {
		s.SmallestDrop = &drop
	}
	if drop, ok := stats.MinDetectableDrop(s.Tested, s.RateA.Rate, alpha, power); ok && s.SmallestDrop != nil {
		s.DetectableDrop = &drop
	}
}

// untested takes the test away: of a run with itself there is none.
func (s *Suite) untested() {
	s.P, s.PHolm, s.PStrict, s.Method, s.Verdict = nil, nil, nil, "", SameRun
	s.SmallestDrop, s.DetectableDrop = nil, nil
}
