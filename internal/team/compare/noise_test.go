package compare

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"cairn/internal/team/result"
	"cairn/internal/team/stats"
	"cairn/test/cairntest"
)

// simulate is a run of independent cases, each with so many attempts. Every
// suite has its own rates, which its cases take by turns.
func simulate(rng *rand.Rand, cases, attempts int, suites ...[]float64) *result.Run {
	r := &result.Run{SchemaVersion: 1, Results: make([]result.Result, 0, cases*attempts*len(suites))}
	for s, rates := range suites {
		suite := "suite " + strconv.Itoa(s)
		for i := range cases {
			name := strconv.Itoa(i)
			for try := range attempts {
				one := result.Result{Name: name, Suite: suite, Attempt: try + 1}
				one.Set(result.Fail)
				if rng.Float64() < rates[i%len(rates)] {
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
// of the suite, the rates of its cases and the repeats of either run.
func TestNoiseIsNoRegression(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	mixed := []float64{0.99, 0.9, 0.8, 0.5}
	for _, n := range []int{12, 50, 200} {
		designs := []struct {
			rates []float64
			a, b  int // attempts
			runs  int // repeats take their time
		}{{[]float64{0.8}, 1, 1, 1000}, {mixed, 3, 3, 300}, {mixed, 1, 3, 300}}
		for _, d := range designs {
			share := called(Regression, d.runs, func(rng *rand.Rand) (a, b *result.Run) {
				return simulate(rng, n, d.a, d.rates), simulate(rng, n, d.b, d.rates)
			})
			t.Logf("%3d cases at %v, %d and %d attempts: %.1f %% of %d", n, d.rates, d.a, d.b, share*100, d.runs)
			if share > 0.025 {
				t.Errorf("%d cases, %d and %d attempts: %.1f %% of noise is called a regression", n, d.a, d.b, share*100)
			}
		}
	}
}

func TestDropIsFound(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	drop := func(n int, suites, dropped int) func(*rand.Rand) (a, b *result.Run) {
		var before, after [][]float64
		for i := range suites {
			rate := 0.8
			if i < dropped {
				rate = 0.6
			}
			before, after = append(before, []float64{0.8}), append(after, []float64{rate})
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
		{"one of five suites of 200", 200, 5, 1, 0.01, 0.9},
		{"one of five suites of 40", 40, 5, 1, 0.01, 0.1},
		{"all of five suites of 40", 40, 5, 5, 0.01, 0.95},
	} {
		share := called(Regression, 200, drop(test.cases, test.suites, test.dropped))
		exact := stats.McNemarPower(test.cases, 0.8*0.4, 0.2*0.6, test.alpha)
		t.Logf(".8 to .6, %s: found in %.1f %% of 200 (one such suite alone at α = %g, exact: %.1f %%)", test.name, share*100, test.alpha, exact*100)
		if share < test.least {
			t.Errorf("%s: found in %.1f %%", test.name, share*100)
		}
	}
}
