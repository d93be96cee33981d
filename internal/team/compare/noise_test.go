package compare

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"cairn/internal/team/result"
	"cairn/internal/team/stats"
)

// simulate is a run of independent cases, each with so many attempts; rates is
// the pass rate of each suite.
func simulate(rng *rand.Rand, cases, attempts int, rates ...float64) *result.Run {
	r := &result.Run{SchemaVersion: 1}
	for s, rate := range rates {
		for i := range cases {
			for try := range attempts {
				one := result.Result{Name: fmt.Sprint(i), Suite: fmt.Sprint("suite ", s), Attempt: try + 1}
				one.Set(result.Fail)
				if rng.Float64() < rate {
					one.Set(result.Pass)
				}
				r.Results = append(r.Results, one)
			}
		}
	}
	r.Recount()
	return r
}

// called is the share of so many comparisons that have the verdict.
func called(want Verdict, times int, two func(*rand.Rand) (a, b *result.Run)) float64 {
	hits := make([]int, times)
	parallel(times, func(i int) {
		a, b := two(rand.New(rand.NewPCG(uint64(i), 2026)))
		if Runs(a, b, Options{}).Verdict == want {
			hits[i] = 1
		}
	})
	sum := 0
	for _, h := range hits {
		sum += h
	}
	return float64(sum) / float64(times)
}

// Two runs of the same code are seldom called a regression, whatever the size
// of the suite and however often each run repeats its cases. Cases that pass
// four times in five, each time anew, are as much noise as there is: the exact
// size of the test is 2.47 % for 200 of them, and 1,000 simulated runs scatter
// around that by half a point.
func TestNoiseIsNoRegression(t *testing.T) {
	const scatter = 0.01 // two standard errors
	for _, n := range []int{12, 50, 200} {
		size := stats.McNemarPower(n, 0.16, 0.16, 0.05) / 2
		for _, attempts := range [][2]int{{1, 1}, {3, 3}, {1, 3}, {5, 2}} {
			share := called(Regression, 1000, func(rng *rand.Rand) (a, b *result.Run) {
				return simulate(rng, n, attempts[0], 0.8), simulate(rng, n, attempts[1], 0.8)
			})
			t.Logf("%d cases, %v attempts: %.1f %% of 1,000 (one attempt, exact: %.2f %%)", n, attempts, share*100, size*100)
			limit := 0.025
			if attempts != [2]int{1, 1} {
				limit += scatter
			}
			if share > limit || size > 0.025 {
				t.Errorf("%d cases, %v attempts: %.1f %% of noise is called a regression", n, attempts, share*100)
			}
		}
	}
}

// The exact size, for every share of cases that flip by chance.
func TestSizeOfTheTest(t *testing.T) {
	for _, n := range []int{12, 50, 100, 200, 400, 1000} {
		worst := 0.
		for flips := 0.01; flips <= 0.5; flips += 0.01 {
			worst = max(worst, stats.McNemarPower(n, flips/2, flips/2, 0.05)/2)
		}
		t.Logf("%d cases: at most %.2f %%", n, worst*100)
		if worst > 0.025 {
			t.Errorf("%d cases: %.2f %%", n, worst*100)
		}
	}
}

func TestDropIsFound(t *testing.T) {
	drop := func(n int, suites, dropped int) func(*rand.Rand) (a, b *result.Run) {
		before, after := make([]float64, suites), make([]float64, suites)
		for i := range before {
			before[i], after[i] = 0.8, 0.8
			if i < dropped {
				after[i] = 0.6
			}
		}
		return func(rng *rand.Rand) (a, b *result.Run) {
			return simulate(rng, n, 1, before...), simulate(rng, n, 1, after...)
		}
	}
	for _, test := range []struct {
		name                   string
		cases, suites, dropped int
		alpha, least           float64
	}{
		{"one suite of 200", 200, 1, 1, 0.05, 0.95},
		{"one of five suites of 200", 200, 5, 1, 0.01, 0.95},
		{"one of five suites of 40", 40, 5, 1, 0.01, 0.1},
		{"all of five suites of 40", 40, 5, 5, 0.01, 0.5},
	} {
		share := called(Regression, 300, drop(test.cases, test.suites, test.dropped))
		exact := stats.McNemarPower(test.cases, 0.8*0.4, 0.2*0.6, test.alpha)
		t.Logf(".8 to .6, %s: found in %.1f %% of 300 (one such suite alone at α = %g, exact: %.1f %%)", test.name, share*100, test.alpha, exact*100)
		if share < test.least {
			t.Errorf("%s: found in %.1f %%", test.name, share*100)
		}
	}
}
