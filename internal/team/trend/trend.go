// Package trend finds where a series of runs went to another level and stayed
// there: since when, by how much, and which cases make it. It is the one answer
// to that for `cairn eval trend`, the team's pages, its alerts and its digest.
// What a series is, and where its runs come from, belongs to the callers.
//
// docs/eval-trend.md describes the test and how well it works, with figures from the
// simulation in this package's tests.
package trend

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"cairn/internal/team/stats"
)

const (
	// Alpha is the significance level.
	Alpha = .05
	// MostWindow is how many runs on each side of a change are looked at case by case.
	MostWindow = 20
	// LeastCases is how many cases few runs must have.
	LeastCases = 6
	// leastSpread is how many runs there must be to know how much runs differ from
	// each other.
	leastSpread = 5
	// usualShift is how much whole runs are taken to differ as long as a few runs do not
	// say otherwise, the standard deviation of their log-odds: a suite at 90 % has days of
	// 85 % and of 94 %. It weighs as much as usualRuns.
	usualShift = .5
	usualRuns  = 4
	// leastShuffled is how many runs there must be for their order to show anything:
	// 5 and 5 of ten can be ordered in 252 ways.
	leastShuffled = 10
	// mostHalved bounds how often a series is parted for further changes.
	mostHalved = 4
)

// A Series is one suite in time.
type Series[K cmp.Ordered] struct {
	// Rates are those of the runs, the oldest first; NaN where nothing was judged.
	Rates []float64
	// Cases returns the pass rates of the cases of the runs from..to, to excluded.
	// It is called for few of them.
	Cases func(from, to int) []map[K]float64
	// Unread leaves a series out that is too much to read: it counts as one more
	// without a change.
	Unread bool
}

// CanShow says whether so many runs of so many cases can show a change at all:
// of five cases that all fall between two runs, p is 0.06.
func CanShow(runs, cases int) bool { return cases >= LeastCases || runs >= leastShuffled }

// A Change is the run with which a series went to another level.
//
// The run is the one that splits the runs into two parts whose mean rates
// differ most: the least-squares estimate of one change. Whether it is more than
// noise:
//
//   - By cases: as many runs before and after, the nearest, are averaged case by
//     case. Without a change each difference could as well have had the other
//     sign. As whole runs have good and bad days, the step must also be large beside
//     how runs differ within both parts, of which few runs say little (Student's t of
//     rates, from five runs on, and of log-odds); the largest p counts. As any run
//     could have been the one, it is multiplied by their number.
//   - By runs, from ten of them on: without a change their order says nothing. p
//     is the share of orders with as large a step somewhere. It counts only where
//     the cases of both sides moved too: cases that are new change a rate, and no
//     case did. The smaller of both p counts, twice.
//
// P is corrected after Holm for all series. Each half is then a series of its
// own, for which P counts twice.
type Change[K cmp.Ordered] struct {
	At     int     // the first run at the new level
	Before float64 // mean pass rates of the cases that were judged on both sides
	After  float64
	Window int // runs on each side that these are of
	Cases  int // that were judged on both sides
	P      float64
	// Regressed passed in at least half of the runs before and in less than half
	// of those after; Fixed the other way round.
	Regressed, Fixed int
	// Moved are the fewest cases that together make up the change, the largest
	// difference first; of equal ones all.
	Moved []Moved[K]
	Diffs []float64 // After − Before of each case
}

// A Moved case has its pass rates on both sides.
type Moved[K cmp.Ordered] struct {
	Case          K
	Before, After float64
}

// By is how much a case moved, to a millionth: sums of shares are not exact.
func (m Moved[K]) By() float64 { return math.Round(math.Abs(m.After-m.Before)*1e6) / 1e6 }

// Fell says whether it went down.
func (c *Change[K]) Fell() bool { return c.After < c.Before }

// part is a piece of a series that may have a change.
type part[K cmp.Ordered] struct {
	series   int
	from, to int
	change   Change[K]
}

// A Window is a part of a series that is read: runs From..To, To excluded.
type Window struct{ Series, From, To int }

// Changes returns the changes of each series, the oldest first. ahead, if it is not
// nil, is called with what is about to be read, so that it can be read at once.
func Changes[K cmp.Ordered](all []Series[K], ahead func([]Window)) [][]Change[K] {
	if ahead == nil {
		ahead = func([]Window) {}
	}
	found := make([][]Change[K], len(all))
	var parts []part[K]
	for i, s := range all {
		parts = append(parts, part[K]{series: i, to: len(s.Rates)})
	}
	tested := 0
	for halved := range mostHalved {
		p := make([]float64, len(parts))
		var wanted []Window
		for i := range parts {
			one := &parts[i]
			if at, _ := Split(all[one.series].Rates[one.from:one.to]); at > 0 && !all[one.series].Unread {
				wanted = append(wanted, window(one.series, one.from, one.from+at, one.to))
			}
		}
		ahead(wanted)
		for i := range parts {
			one := &parts[i]
			one.test(&all[one.series])
			p[i] = one.change.P * math.Exp2(float64(halved))
			if halved == 0 && !math.IsNaN(p[i]) { // no test, no weight
				tested++
			}
		}
		for len(p) < tested { // those that have no further change count on
			p = append(p, 1)
		}
		var next []part[K]
		for i, adjusted := range stats.Holm(p)[:len(parts)] {
			one := parts[i]
			if !(adjusted < Alpha) {
				continue
			}
			one.change.P = adjusted
			found[one.series] = append(found[one.series], one.change)
			next = append(next, part[K]{series: one.series, from: one.from, to: one.change.At}, part[K]{series: one.series, from: one.change.At, to: one.to})
		}
		if parts = next; len(parts) == 0 {
			break
		}
	}
	// A change is measured up to its neighbors, which may lie in the window that it
	// was tested with.
	var wanted []Window
	for i, list := range found {
		slices.SortFunc(list, func(a, b Change[K]) int { return cmp.Compare(a.At, b.At) })
		for k := range list {
			from, to := neighbors(list, k, len(all[i].Rates))
			wanted = append(wanted, window(i, from, list[k].At, to))
		}
	}
	ahead(wanted)
	for i, list := range found {
		for k := range list {
			from, to := neighbors(list, k, len(all[i].Rates))
			if len(list) == 1 {
				continue
			}
			if c := measure(&all[i], from, list[k].At, to); c.Cases > 0 {
				c.P = list[k].P
				list[k] = c
			}
		}
	}
	return found
}

// neighbors are where the levels before and after a change of a list begin and end.
func neighbors[K cmp.Ordered](list []Change[K], k, runs int) (from, to int) {
	if to = runs; k+1 < len(list) {
		to = list[k+1].At
	}
	if k > 0 {
		from = list[k-1].At
	}
	return from, to
}

// TooFew says of a series without a change whether it has so few runs that a bad day
// cannot be told from a change: its cases moved more than chance moves them.
func TooFew[K cmp.Ordered](s *Series[K]) bool {
	known := 0
	for _, r := range s.Rates {
		if !math.IsNaN(r) {
			known++
		}
	}
	at, _ := Split(s.Rates)
	if at == 0 || known >= leastSpread || s.Unread {
		return false
	}
	p, _ := stats.SignTail(measure(s, 0, at, len(s.Rates)).Diffs)
	return p*float64(known-1) < Alpha
}

// window has the nearest runs on both sides of at, as many on each.
func window(series, from, at, to int) Window {
	n := min(at-from, to-at, MostWindow)
	return Window{series, at - n, at + n}
}

// test finds the likeliest change of a part, whose P is of this part alone: NaN
// where there is nothing to test.
func (one *part[K]) test(s *Series[K]) {
	rates := s.Rates[one.from:one.to]
	at, step := Split(rates)
	one.change.P = math.NaN()
	if at == 0 {
		return
	}
	if s.Unread {
		one.change.P = 1
		return
	}
	c := measure(s, one.from, one.from+at, one.to)
	one.change = c
	if c.Cases == 0 {
		one.change.P = math.NaN()
		return
	}
	known := 0
	for _, r := range rates {
		if !math.IsNaN(r) {
			known++
		}
	}
	p, _ := stats.SignTail(c.Diffs)
	p = max(p, beyondDays(logOdds(rates, c.Cases), at, c.Cases))
	if known >= leastSpread {
		p = max(p, away(rates, at))
	}
	p *= float64(known - 1)
	if known < leastShuffled {
		one.change.P = min(1, p)
		return
	}
	before, _ := mean(s.Rates[c.At-c.Window : c.At])
	after, _ := mean(s.Rates[c.At : c.At+c.Window])
	if by := c.After - c.Before; by*(after-before) > 0 && math.Abs(by) >= math.Abs(after-before)/2 {
		p = min(p, shuffled(rates, step))
	}
	one.change.P = min(1, 2*p)
}

// measure compares the nearest runs on both sides of at, as many on each.
func measure[K cmp.Ordered](s *Series[K], from, at, to int) Change[K] {
	w := window(0, from, at, to)
	c := Change[K]{At: at, Window: at - w.From}
	before, after := gather(s.Cases(w.From, at)), gather(s.Cases(at, w.To))
	var moved []Moved[K]
	for _, k := range slices.Sorted(maps.Keys(before)) {
		// As many runs of a case on each side: more on one would make the
		// difference lean.
		b, a := before[k], after[k]
		n := min(len(a), len(b))
		if n == 0 {
			continue
		}
		m := Moved[K]{k, stats.Mean(b[len(b)-n:]), stats.Mean(a[:n])}
		c.Before, c.After = c.Before+m.Before, c.After+m.After
		c.Diffs = append(c.Diffs, m.After-m.Before)
		switch was, is := m.Before >= .5, m.After >= .5; {
		case was && !is:
			c.Regressed++
		case is && !was:
			c.Fixed++
		}
		moved = append(moved, m)
	}
	if c.Cases = len(moved); c.Cases == 0 {
		return c
	}
	c.Moved = makeUp(moved, c.After-c.Before)
	c.Before, c.After = c.Before/float64(c.Cases), c.After/float64(c.Cases)
	return c
}

// makeUp returns the fewest cases whose differences sum up to by.
func makeUp[K cmp.Ordered](moved []Moved[K], by float64) []Moved[K] {
	along := func(m Moved[K]) float64 { return math.Copysign(1, by) * (m.After - m.Before) }
	slices.SortStableFunc(moved, func(a, b Moved[K]) int { return cmp.Compare(along(b), along(a)) })
	const near = 1e-9
	n, sum := 0, 0.
	for n < len(moved) && along(moved[n]) > near && (sum < math.Abs(by)-near || n > 0 && along(moved[n]) > along(moved[n-1])-near) {
		sum += along(moved[n])
		n++
	}
	return slices.Clip(moved[:n])
}

// gather lists the pass rates of each case, in the order of the runs.
func gather[K cmp.Ordered](runs []map[K]float64) map[K][]float64 {
	all := map[K][]float64{}
	for _, run := range runs {
		for k, share := range run {
			all[k] = append(all[k], share)
		}
	}
	return all
}

// Split returns the first run of the second part where the two parts of the
// runs differ most, and how much: the difference of their means, over its
// standard error but for a factor. 0 is none.
func Split(rates []float64) (at int, step float64) {
	total, n := 0., 0
	for _, r := range rates {
		if !math.IsNaN(r) {
			total, n = total+r, n+1
		}
	}
	step = 1e-9
	sum, k := 0., 0
	for i, r := range rates {
		if k > 0 && k < n && !math.IsNaN(r) {
			d := math.Abs((total-sum)/float64(n-k)-sum/float64(k)) * math.Sqrt(float64(k)*float64(n-k)/float64(n))
			if d > step*(1+1e-12) {
				step, at = d, i
			}
		}
		if !math.IsNaN(r) {
			sum, k = sum+r, k+1
		}
	}
	return at, step
}

// away is the p-value of the difference of both parts by how much runs differ
// within them: Student's t.
func away(rates []float64, at int) float64 {
	before, n := mean(rates[:at])
	after, m := mean(rates[at:])
	sum := 0.
	for i, r := range rates {
		level := before
		if i >= at {
			level = after
		}
		if !math.IsNaN(r) {
			sum += (r - level) * (r - level)
		}
	}
	spread := math.Sqrt(sum / float64(n+m-2) * (1/float64(n) + 1/float64(m)))
	return stats.StudentTail((after-before)/spread, n+m-2)
}

// logOdds are those of the rates of so many cases, none of which is 0 or 1 for sure:
// days that are good or bad move them alike whatever the rate, as rates do not.
func logOdds(rates []float64, cases int) []float64 {
	out := make([]float64, len(rates))
	n := float64(cases)
	for i, r := range rates {
		out[i] = math.Log((r*n + .5) / ((1-r)*n + .5))
	}
	return out
}

// beyondDays is the p-value of a step of the log-odds by how much runs differ within
// both parts. What few runs say of that is joined with what is usual, which weighs as
// much as usualRuns do: Student's t with the spread of both (Smyth, Statistical
// Applications in Genetics and Molecular Biology 3, 2004).
func beyondDays(odds []float64, at, cases int) float64 {
	before, n := mean(odds[:at])
	after, m := mean(odds[at:])
	rate := 1 / (1 + math.Exp(-(before*float64(n)+after*float64(m))/float64(n+m)))
	sum := usualRuns * (usualShift*usualShift + 1/(float64(cases)*rate*(1-rate)))
	for i, o := range odds {
		level := before
		if i >= at {
			level = after
		}
		if !math.IsNaN(o) {
			sum += (o - level) * (o - level)
		}
	}
	free := n + m - 2 + usualRuns
	return stats.StudentTail((after-before)/math.Sqrt(sum/float64(free)*(1/float64(n)+1/float64(m))), free)
}

// mean leaves out NaN.
func mean(values []float64) (m float64, n int) {
	for _, v := range values {
		if !math.IsNaN(v) {
			m, n = m+v, n+1
		}
	}
	return m / float64(n), n
}
