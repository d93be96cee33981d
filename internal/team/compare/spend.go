package compare

import (
	"math"

	"cairn/internal/team/stats"
)

// A Spend is cost or time of the cases that were judged in both runs: a new
// case makes B no dearer, and a timeout no slower. A case counts with the mean
// of its attempts. Where one run does not say it, which reads as 0, the case is not
// in the figures: what nobody said is not free.
type Spend struct {
	Cases    int      `json:"cases"`
	OnlyA    int      `json:"only_a,omitempty"` // cases of which B does not say it
	OnlyB    int      `json:"only_b,omitempty"` // cases of which A does not
	A        float64  `json:"a"`                // of one case, on average: US dollars or milliseconds
	B        float64  `json:"b"`
	Diff     float64  `json:"diff"`
	Lo       *float64 `json:"lo,omitempty"` // of the difference: paired bootstrap
	Hi       *float64 `json:"hi,omitempty"`
	Increase *float64 `json:"increase,omitempty"` // B over A less 1: 0.25 is a quarter more; absent where it is not known
}

// Clear reports whether the interval leaves 0 out.
func (s *Spend) Clear() bool {
	return s.Lo != nil && s.Hi != nil && (*s.Lo > 0 || *s.Hi < 0)
}

// A measure is what is spent of something, and what a 0 may be instead of not known:
// clocks of test runners show hundredths of a second.
type measure struct {
	of      figure
	rounded float64
}

var (
	costs = measure{of: costOf}
	times = measure{of: durationOf, rounded: 10}
)

func spending(pairs []*pair, opts Options) (cost, duration *Spend) {
	said := [2]bool{} // most runners of tests know of no cost
	for _, p := range pairs {
		said[0] = said[0] || p.ranA.CostUSD != 0 || p.ranB.CostUSD != 0
		said[1] = said[1] || p.ranA.DurationMS != 0 || p.ranB.DurationMS != 0
	}
	found := [2]*Spend{}
	parallel(2, func(i int) {
		if said[i] {
			found[i] = spend(pairs, [...]measure{costs, times}[i], opts)
		}
	})
	return found[0], found[1]
}

// add takes a case into the sums, if both runs say it.
func (s *Spend) add(a, b, rounded float64) bool {
	switch {
	case a > 0 && b == 0 && a > rounded:
		s.OnlyA++
		return false
	case b > 0 && a == 0 && b > rounded:
		s.OnlyB++
		return false
	}
	s.A, s.B = s.A+a, s.B+b
	s.Cases++
	return true
}

// spend is nil where no attempt says anything.
func spend(pairs []*pair, m measure, opts Options) *Spend {
	var s Spend
	var diffs []float64
	for _, p := range pairs {
		if a, b, ok := means(p.a, p.b, m.of); ok && s.add(a, b, m.rounded) {
			diffs = append(diffs, b-a)
		}
	}
	if s.A == 0 && s.B == 0 {
		if s.OnlyA+s.OnlyB == 0 {
			return nil
		}
		s.Cases = 0
		return &s
	}
	s.Increase = increase(s.A, s.B)
	s.A, s.B = s.A/float64(s.Cases), s.B/float64(s.Cases)
	interval := stats.PairedBootstrap(diffs, resamples(len(diffs)), opts.Confidence, opts.Seed)
	s.Diff = interval.Estimate
	s.Lo, s.Hi, _ = ends(interval)
	return &s
}

// SpendOf is cost and time in one suite as sums, without intervals.
func (c *Comparison) SpendOf(suite string) (cost, duration *Spend) {
	cost, duration = &Spend{}, &Spend{}
	for i := range c.Cases {
		k := &c.Cases[i]
		if k.Suite != suite || k.A.Judged() == 0 || k.B.Judged() == 0 {
			continue
		}
		cost.add(k.A.CostUSD, k.B.CostUSD, costs.rounded)
		duration.add(k.A.DurationMS, k.B.DurationMS, times.rounded)
	}
	for _, s := range [...]*Spend{cost, duration} {
		s.Diff, s.Increase = s.B-s.A, increase(s.A, s.B)
	}
	return cost, duration
}

func increase(a, b float64) *float64 {
	if a == 0 || math.IsInf(b/a, 0) {
		return nil
	}
	i := b/a - 1
	return &i
}
