package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestFailureTailIsBinomialForOneRate(t *testing.T) {
	for _, rate := range []float64{.999, .9762, .5, .03} {
		for _, n := range []int{1, 7, 60} {
			for failed := -1; failed <= n+1; failed++ {
				got := FailureTail(slices.Repeat([]float64{rate}, n), failed)
				if want := BinomialTail(failed, n, 1-rate); !close(got, want, 1e-11) {
					t.Errorf("%d of %d at %g: %g, binomial %g", failed, n, rate, got, want)
				}
			}
		}
	}
}

// Every outcome of eight cases with rates of their own.
func TestFailureTailAgainstEnumeration(t *testing.T) {
	random, rates := rand.New(rand.NewPCG(9, 9)), make([]float64, 8)
	for i := range rates {
		rates[i] = random.Float64()
	}
	exactly := make([]float64, len(rates)+1)
	for outcome := range 1 << len(rates) {
		failures, chance := 0, 1.
		for i, rate := range rates {
			if outcome>>i&1 == 1 {
				failures, chance = failures+1, chance*(1-rate)
			} else {
				chance *= rate
			}
		}
		exactly[failures] += chance
	}
	want := 0.
	for failed := len(rates); failed >= 0; failed-- {
		want += exactly[failed]
		if got := FailureTail(rates, failed); !close(got, want, 1e-13) {
			t.Errorf("%d failed: %.17g, want %.17g", failed, got, want)
		}
	}
}

func TestFailureTailEdges(t *testing.T) {
	for _, c := range []struct {
		rates  []float64
		failed int
		want   float64
	}{
		{nil, 0, 1}, {nil, 1, 0}, {[]float64{1, 1}, 1, 0}, {[]float64{0, 1}, 1, 1}, {[]float64{.5}, 2, 0},
		{[]float64{math.NaN()}, 0, math.NaN()}, {[]float64{1.1}, 1, math.NaN()}, {[]float64{-.1}, 1, math.NaN()},
	} {
		if got := FailureTail(c.rates, c.failed); !same(got, c.want) {
			t.Errorf("FailureTail(%v, %d) = %g, want %g", c.rates, c.failed, got, c.want)
		}
	}
}
