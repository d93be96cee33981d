package compare

import "cairn/internal/team/stats"

// A Spend is cost or time of the cases that were judged in both runs: a new
// case makes B no dearer, and a timeout no slower. A case counts with the mean
// of its attempts.
type Spend struct {
	Cases    int      `json:"cases"`
	A        float64  `json:"a"` // of one case, on average: US dollars or milliseconds
	B        float64  `json:"b"`
	Diff     float64  `json:"diff"`
	Lo       *float64 `json:"lo,omitempty"` // of the difference: paired bootstrap
	Hi       *float64 `json:"hi,omitempty"`
	Increase *float64 `json:"increase,omitempty"` // B over A less 1: 0.25 is a quarter more; absent where A is 0
}

// Clear reports whether the interval leaves 0 out.
func (s *Spend) Clear() bool {
	return s.Lo != nil && s.Hi != nil && (*s.Lo > 0 || *s.Hi < 0)
}

func spending(pairs []*pair, opts Options) (cost, duration *Spend) {
	said := [2]bool{} // most runners of tests know of no cost
	for _, p := range pairs {
		said[0] = said[0] || p.ranA.CostUSD != 0 || p.ranB.CostUSD != 0
		said[1] = said[1] || p.ranA.DurationMS != 0 || p.ranB.DurationMS != 0
	}
	found := [2]*Spend{}
	parallel(2, func(i int) {
		if said[i] {
			found[i] = spend(pairs, [...]figure{costOf, durationOf}[i], opts)
		}
	})
	return found[0], found[1]
}

// spend is nil where no attempt says anything.
func spend(pairs []*pair, of figure, opts Options) *Spend {
	var s Spend
	var diffs []float64
	for _, p := range pairs {
		a, b, ok := means(p.a, p.b, of)
		if !ok {
			continue
		}
		s.A, s.B = s.A+a, s.B+b
		diffs = append(diffs, b-a)
	}
	if s.A == 0 && s.B == 0 {
		return nil
	}
	s.Cases = len(diffs)
	s.Increase = increase(s.A, s.B)
	s.A, s.B = s.A/float64(s.Cases), s.B/float64(s.Cases)
	interval := stats.PairedBootstrap(diffs, resamples(len(diffs)), opts.Confidence, opts.Seed)
	s.Diff = interval.Estimate
	s.Lo, s.Hi, _ = ends(interval)
	return &s
}

// SpendOf is the increase of cost and time in one suite, without intervals.
func (c *Comparison) SpendOf(suite string) (cost, duration *float64) {
	var costA, costB, timeA, timeB float64
	for i := range c.Cases {
		k := &c.Cases[i]
		if k.Suite != suite || k.A.Judged() == 0 || k.B.Judged() == 0 {
			continue
		}
		costA, costB = costA+k.A.CostUSD, costB+k.B.CostUSD
		timeA, timeB = timeA+k.A.DurationMS, timeB+k.B.DurationMS
	}
	return increase(costA, costB), increase(timeA, timeB)
}

func increase(a, b float64) *float64 {
	if a == 0 {
		return nil
	}
	i := b/a - 1
	return &i
}
