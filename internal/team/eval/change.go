package eval

import (
	"math"

	"cairn/internal/team/stats"
)

// A Change is the run with which a suite's pass rate went up or down, and
// stayed there.
//
// The run is the one that splits the series into the two halves whose mean pass
// rates differ most (the least-squares estimate of one change point). P is a
// sign-flip test on the cases: the same number of runs before and after it,
// the nearest, are averaged case by case, so that without a change each
// difference could as well have had the other sign. Because any run could have
// been the one, p is multiplied by their number (Bonferroni), and then held
// against the other series (Holm). Only what is below Alpha is a change.
type Change struct {
	At     int     `json:"at"` // the point
	Before float64 `json:"before"`
	After  float64 `json:"after"`  // mean pass rates of the cases, over Window runs each
	Window int     `json:"window"` // runs
	Cases  int     `json:"cases"`  // that were judged on both sides
	P      float64 `json:"p"`
}

const (
	changeResamples = 10_000
	changeSeed      = 1
)

// changeOf returns the likeliest change, whose P is of this series alone.
func changeOf(points []Point) *Change {
	at := splitOf(points)
	if at == 0 {
		return nil
	}
	c := &Change{At: at, Window: min(at, len(points)-at)}
	before, after := sharesOf(points[at-c.Window:at]), sharesOf(points[at:at+c.Window])
	var diffs []float64
	for _, t := range firstTallies(points) {
		// The nearest runs on each side, as many as both have: more on one
		// side would make the difference lean.
		b, a := before[t.Key], after[t.Key]
		n := min(len(a), len(b))
		if n == 0 {
			continue
		}
		was, is := stats.Mean(b[len(b)-n:]), stats.Mean(a[:n])
		c.Before, c.After = c.Before+was, c.After+is
		diffs = append(diffs, is-was)
	}
	if c.Cases = len(diffs); c.Cases == 0 {
		return nil
	}
	c.Before, c.After = c.Before/float64(c.Cases), c.After/float64(c.Cases)
	p, _ := stats.SignFlip(diffs, changeResamples, changeSeed)
	c.P = min(1, p*float64(len(points)-1))
	return c
}

// splitOf returns the first point of the second half, 0 for none.
func splitOf(points []Point) (at int) {
	var rates []float64
	for _, p := range points {
		rate := math.NaN()
		if p.Rate != nil {
			rate = p.Rate.Mean
		}
		rates = append(rates, rate)
	}
	most := 1e-9
	for k := 1; k < len(rates); k++ {
		before, n := known(rates[:k])
		after, m := known(rates[k:])
		if n == 0 || m == 0 {
			continue
		}
		if d := math.Abs(after-before) * math.Sqrt(float64(n*m)/float64(n+m)); d > most {
			most, at = d, k
		}
	}
	return at
}

// known is the mean of what is no NaN.
func known(values []float64) (m float64, n int) {
	for _, v := range values {
		if !math.IsNaN(v) {
			m, n = m+v, n+1
		}
	}
	return m / float64(n), n
}

// sharesOf lists the pass rates of each case, in the order of the points.
func sharesOf(points []Point) map[string][]float64 {
	shares := map[string][]float64{}
	for _, p := range points {
		for _, t := range p.tallies {
			if share, ok := t.Counts.Rate(); ok {
				shares[t.Key] = append(shares[t.Key], share)
			}
		}
	}
	return shares
}

// firstTallies lists each case once, always in the same order.
func firstTallies(points []Point) (first []*Tally) {
	seen := map[string]bool{}
	for _, p := range points {
		for _, t := range p.tallies {
			if !seen[t.Key] {
				seen[t.Key] = true
				first = append(first, t)
			}
		}
	}
	return first
}

// judgeChanges adjusts the p-values of all series and forgets what may be noise.
func judgeChanges(all []Series) {
	p := make([]float64, len(all))
	for i := range all {
		p[i] = math.NaN() // no test, no weight
		if all[i].Change != nil {
			p[i] = all[i].Change.P
		}
	}
	for i, adjusted := range stats.Holm(p) {
		if c := all[i].Change; c != nil {
			if c.P = adjusted; !(adjusted < Alpha) {
				all[i].Change = nil
			}
		}
	}
}
