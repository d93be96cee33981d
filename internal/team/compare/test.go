package compare

import (
	"math"

	"cairn/internal/team/stats"
)

// power is how often a drop should be found to be called detectable.
const power = 0.8

// A Test is the paired test of some of the cases: of the whole run, a suite, or a
// group. Its unit is the input: the variants of one case are averaged inside it.
type Test struct {
	Tested int `json:"cases"`            // cases judged in both runs
	Inputs int `json:"inputs,omitempty"` // the units, where cases share some; else the cases
	Counts
	RateA *Rate `json:"rate_a,omitempty"` // of the tested inputs
	RateB *Rate `json:"rate_b,omitempty"`

	Difference *Difference `json:"difference,omitempty"`

	P       *float64 `json:"p,omitempty"`        // two-sided, of McNemar's test
	PHolm   *float64 `json:"p_holm,omitempty"`   // adjusted for everything that was tested
	Method  string   `json:"method,omitempty"`   // exact or mid-p
	PStrict *float64 `json:"p_strict,omitempty"` // the exact p, adjusted: what a verdict asks too
	Verdict Verdict  `json:"verdict"`

	// SmallestDrop is the drop in pass rate below which no outcome of so many
	// inputs is significant; absent where no drop can be. DetectableDrop is the
	// one that would be called four times in five.
	SmallestDrop   *float64 `json:"smallest_drop,omitempty"`
	DetectableDrop *float64 `json:"detectable_drop,omitempty"`

	Margin *Margin `json:"margin,omitempty"` // where one was asked for

	units         int
	worse, better int     // units
	fell, rose    float64 // by how much in all
}

// A Rate is a mean pass rate of inputs and its Wilson interval.
type Rate struct {
	Rate float64 `json:"rate"`
	Lo   float64 `json:"lo"`
	Hi   float64 `json:"hi"`
}

// RateOf is the mean of the pass rates of inputs with its interval, as
// stats.WilsonMean gives them; nil without one.
func RateOf(rates []float64, confidence float64) *Rate {
	if len(rates) == 0 {
		return nil
	}
	mean, lo, hi := stats.WilsonMean(rates, confidence)
	return &Rate{mean, lo, hi}
}

// A unit is one input: the sums of the pass rates of its cases.
type unit struct {
	a, b  float64
	cases float64
}

// A gathering of units by their input.
type gathering struct {
	units  []unit
	shared map[int]int // where the unit of an input is
}

// add counts a case with its figures in A and B.
func (g *gathering) add(p *pair, a, b float64) {
	if p.input > 0 {
		if at, ok := g.shared[p.input]; ok {
			u := &g.units[at]
			u.a, u.b, u.cases = u.a+a, u.b+b, u.cases+1
			return
		}
		if g.shared == nil {
			g.shared = map[int]int{}
		}
		g.shared[p.input] = len(g.units)
	}
	g.units = append(g.units, unit{a, b, 1})
}

// testOf tests the cases of one part, not yet looked at together with others.
func testOf(pairs []*pair, opts Options) Test {
	t := Test{Verdict: NotComparable}
	g := gathering{units: make([]unit, 0, len(pairs))}
	for _, p := range pairs {
		if t.Counts.add(&p.Case); p.tested && !p.Quarantined {
			g.add(p, p.before, p.after)
		}
	}
	units := g.units
	t.Tested, t.units = t.Counts.Tested(), len(units)
	if t.units != t.Tested {
		t.Inputs = t.units
	}
	if t.units == 0 {
		return t
	}
	before, after := make([]float64, len(units)), make([]float64, len(units))
	for i, u := range units {
		before[i], after[i] = u.a/u.cases, u.b/u.cases
		// Thirds that are added up in another order are not a change.
		switch change := (u.b - u.a) / u.cases; {
		case change < -1e-9:
			t.worse, t.fell = t.worse+1, t.fell-change
		case change > 1e-9:
			t.better, t.rose = t.better+1, t.rose+change
		}
	}
	t.RateA, t.RateB = RateOf(before, opts.Confidence), RateOf(after, opts.Confidence)
	p, method := stats.McNemar(t.worse, t.better)
	t.P, t.Method = &p, method
	t.Difference = differenceOf(t.fell, t.rose, t.units, opts.Confidence)
	if opts.Margin != 0 {
		t.Margin = t.Within(opts.Margin, opts.Confidence)
	}
	return t
}

// Units is how many inputs were tested.
func (t *Test) Units() int { return t.units }

// judge makes the verdict from the p-values adjusted for all tests. Mid-p, the
// one that is shown past 25 inputs that changed, is right on average and too
// small for some tables (20 of 29 worse come by chance in 3.07 %); what may stop
// a merge asks the exact one as well, which is never too small. level is what
// the correction asks of the smallest p.
func (t *Test) judge(alpha, level float64, known limits) {
	switch {
	case !(*t.PHolm < alpha && *t.PStrict < alpha):
		t.Verdict = NoDifference
		t.SmallestDrop, t.DetectableDrop = known.of(t.units, t.RateA.Rate, level)
	case t.worse > t.better:
		t.Verdict = Regression
	default:
		t.Verdict = Improvement
	}
}

// Near reports whether mid-p alone would have made a verdict of it.
func (t *Test) Near(alpha float64) bool {
	return t.PHolm != nil && *t.PHolm < alpha && t.Verdict == NoDifference
}

// limits are what so few inputs cannot show. Suites of a run are often alike: each
// answer is worked out once, and what answers have in common too.
type limits struct {
	known map[[3]float64][2]*float64
	drops map[float64]*stats.Drops // by alpha
}

func newLimits() limits {
	return limits{map[[3]float64][2]*float64{}, map[float64]*stats.Drops{}}
}

func (l limits) of(units int, rate, alpha float64) (smallest, detectable *float64) {
	key := [3]float64{float64(units), rate, alpha}
	if known, ok := l.known[key]; ok {
		return known[0], known[1]
	}
	if l.drops[alpha] == nil {
		l.drops[alpha] = stats.NewDrops(alpha)
	}
	if drop, ok := stats.SmallestSignificantDrop(units, alpha); ok && drop <= rate {
		smallest = &drop
	}
	if drop, ok := l.drops[alpha].MinDetectable(units, rate, power); ok && smallest != nil {
		detectable = &drop
	}
	l.known[key] = [2]*float64{smallest, detectable}
	return smallest, detectable
}

// untested takes the test away: of a run with itself there is none.
func (t *Test) untested() {
	t.P, t.PHolm, t.PStrict, t.Method, t.Verdict = nil, nil, nil, "", SameRun
	t.SmallestDrop, t.DetectableDrop, t.Difference, t.Margin = nil, nil, nil, nil
}

// adjusted corrects the p-values of the whole run and of its parts together, so
// that any of them is below α by chance with a probability of at most α. Half of
// α is the run's, half the parts', which share it by Holm; what is significant
// hands its half on to the other (Bretz, Maurer, Brannath and Posch, "A graphical
// approach to sequentially rejective multiple test procedures", Statistics in
// Medicine 28, 2009). Without parts the run's p stays as it is. NaN is no test.
func adjusted(whole float64, parts []float64) (float64, []float64) {
	holm := stats.Holm(parts)
	largest := math.Inf(-1)
	for _, p := range holm {
		if !math.IsNaN(p) {
			largest = math.Max(largest, p)
		}
	}
	if math.IsInf(largest, -1) {
		return whole, holm
	}
	for i, p := range holm {
		if !math.IsNaN(p) {
			holm[i] = min(1, 2*p, math.Max(p, 2*whole))
		}
	}
	return min(1, 2*whole, math.Max(whole, 2*largest)), holm
}
