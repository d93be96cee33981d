package trend

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"cairn/test/cairntest"
)

// A world of made-up suites: how many, of how many runs and cases, which pass at
// which rate. Whole runs differ by shift, the standard deviation of their log-odds.
type made struct {
	suites, runs, cases int
	rate, shift         float64
	// From a run on, so many cases fall by drop in the first suite.
	at, fall int
	drop     float64
}

func (m made) series(random *rand.Rand) (all []Series[int]) {
	for i := range m.suites {
		var runs []map[int]float64
		var rates []float64
		for r := range m.runs {
			e := math.Exp(m.shift * random.NormFloat64())
			run, passed := map[int]float64{}, 0.
			for c := range m.cases {
				rate := m.rate
				if m.at > 0 && i == 0 && r >= m.at && c < m.fall {
					rate = max(0, rate-m.drop)
				}
				if random.Float64() < rate/(rate+(1-rate)*e) {
					run[c] = 1
					passed++
				} else {
					run[c] = 0
				}
			}
			runs, rates = append(runs, run), append(rates, passed/float64(m.cases))
		}
		all = append(all, Series[int]{Rates: rates, Cases: func(from, to int) []map[int]float64 { return runs[from:to] }})
	}
	return all
}

// full is whether the long form runs, which docs/eval-trend.md has the figures of.
func full() bool { return os.Getenv("CAIRN_SIMULATE") != "" }

// alarms is in how many of times a change is called in any suite though there is none.
func (m made) alarms(times int, random *rand.Rand) (n int) {
	for range times {
		for _, list := range Changes(m.series(random), nil) {
			if len(list) > 0 {
				n++
				break
			}
		}
	}
	return n
}

// Nothing changes: in at most 3 of 100 looks at all suites of a team a change is
// called, though whole runs differ.
func TestFalseAlarms(t *testing.T) {
	cairntest.Long(t)
	random := rand.New(rand.NewPCG(5, 5))
	times := 100
	if full() {
		times = 1000
	}
	for _, m := range []made{
		{suites: 1, runs: 2, cases: 50, rate: .9},
		{suites: 1, runs: 5, cases: 50, rate: .9},
		{suites: 1, runs: 20, cases: 50, rate: .9},
		{suites: 1, runs: 60, cases: 50, rate: .9},
		{suites: 1, runs: 20, cases: 6, rate: .8},
		{suites: 1, runs: 20, cases: 500, rate: .9},
		{suites: 10, runs: 20, cases: 50, rate: .9},
		{suites: 40, runs: 20, cases: 20, rate: .95},
		{suites: 1, runs: 2, cases: 50, rate: .9, shift: .5},
		{suites: 1, runs: 4, cases: 50, rate: .9, shift: .5},
		{suites: 1, runs: 5, cases: 50, rate: .9, shift: .5},
		{suites: 1, runs: 9, cases: 50, rate: .9, shift: .5},
		{suites: 1, runs: 9, cases: 50, rate: .9, shift: 1},
		{suites: 1, runs: 20, cases: 50, rate: .9, shift: .5},
		{suites: 10, runs: 20, cases: 50, rate: .9, shift: .5},
		{suites: 1, runs: 20, cases: 50, rate: .9, shift: 1},
		{suites: 10, runs: 60, cases: 12, rate: .9, shift: 1},
	} {
		n := m.alarms(times, random)
		t.Logf("| %d | %d | %d | %g | %g | %.1f %% |", m.suites, m.runs, m.cases, m.rate, m.shift, float64(n)*100/float64(times))
		// Three standard deviations above 3 %.
		if limit := .03*float64(times) + 3*math.Sqrt(.03*.97*float64(times)); float64(n) > limit {
			t.Errorf("%+v: %d of %d", m, n, times)
		}
	}
	if !full() {
		return
	}
	// Where days are worse than is usual, few runs do not say so: no promise holds.
	for _, m := range []made{{suites: 1, runs: 2, cases: 50, rate: .9, shift: 1}, {suites: 1, runs: 4, cases: 50, rate: .9, shift: 1}, {suites: 1, runs: 9, cases: 500, rate: .9, shift: 1}} {
		t.Logf("| %d | %d | %d | %g | %g | %.1f %% |", m.suites, m.runs, m.cases, m.rate, m.shift, float64(m.alarms(times, random))*100/float64(times))
	}
}

// found is in how many of times the first suite is said to have fallen, and in
// how many of those with the run that it did.
func (m made) found(times int, random *rand.Rand) (n, right int) {
	for range times {
		list := Changes(m.series(random), nil)[0]
		if i := slices.IndexFunc(list, func(c Change[int]) bool { return c.Fell() }); i >= 0 {
			n++
			if list[i].At == m.at {
				right++
			}
		}
	}
	return n, right
}

// Six bad runs are seen however many suites there are, with the right run.
func TestFalls(t *testing.T) {
	cairntest.Long(t)
	random := rand.New(rand.NewPCG(6, 6))
	times := 10
	if full() {
		times = 300
	}
	for i, m := range []made{
		{suites: 1, runs: 24, cases: 50, rate: .95, at: 18, fall: 12, drop: .9},
		{suites: 40, runs: 24, cases: 50, rate: .95, at: 18, fall: 12, drop: .9},
		{suites: 10, runs: 24, cases: 50, rate: .95, shift: .5, at: 18, fall: 12, drop: .9},
		{suites: 1, runs: 2, cases: 50, rate: .95, at: 1, fall: 12, drop: .9},
		{suites: 1, runs: 2, cases: 50, rate: .95, at: 1, fall: 25, drop: .9},
		{suites: 1, runs: 4, cases: 50, rate: .95, at: 2, fall: 12, drop: .9},
		{suites: 1, runs: 4, cases: 50, rate: .95, at: 2, fall: 25, drop: .9},
		{suites: 1, runs: 5, cases: 50, rate: .95, at: 3, fall: 12, drop: .9},
		{suites: 1, runs: 8, cases: 50, rate: .95, at: 5, fall: 12, drop: .9},
		{suites: 10, runs: 24, cases: 50, rate: .95, at: 20, fall: 12, drop: .9},
		{suites: 10, runs: 24, cases: 50, rate: .95, at: 22, fall: 12, drop: .9},
		{suites: 1, runs: 24, cases: 50, rate: .9, at: 18, fall: 50, drop: .1},
		{suites: 10, runs: 24, cases: 50, rate: .9, at: 18, fall: 50, drop: .1},
		{suites: 1, runs: 24, cases: 12, rate: .9, at: 12, fall: 12, drop: .2},
	} {
		if i > 2 && !full() {
			break
		}
		n, right := m.found(times, random)
		t.Logf("| %d | %d | %d | %g | %g | %d of %d by %g | %d | %.1f %% | %.1f %% |", m.suites, m.runs, m.cases, m.rate, m.shift, m.fall, m.cases, m.drop, m.runs-m.at,
			float64(n)*100/float64(times), float64(right)*100/float64(times))
		if i < 3 && (n*100 < 95*times || right*100 < 80*times) {
			t.Errorf("%+v: found in %d of %d, at the right run in %d", m, n, times, right)
		}
	}
}
