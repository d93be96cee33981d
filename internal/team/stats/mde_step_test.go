package stats

import (
	"math"
	"testing"
)

// Stepping from one number of trials to the next gives what summing each tail does.
func TestLossCalledSteps(t *testing.T) {
	for _, n := range []int{0, 1, 5, 63, 64, 65, 400, 2500, 20_000} {
		for _, p := range [][2]float64{{.2, .1}, {.1, .2}, {.5, .5}, {.3, 0}, {0, .3}, {1, 0}, {.02, .01}, {.0004, .0002}, {.6, .05}} {
			for _, alpha := range []float64{.05, .001} {
				c := newCriticalCounts(alpha)
				want, differ := 0., p[0]+p[1]
				for m := 0; m <= n; m++ {
					if weight := binomialPMF(m, n, math.Min(1, differ)); weight > 1e-25 && n > 0 {
						want += weight * BinomialTail(c.of(m), m, math.Min(1, p[0]/differ))
					}
				}
				if got := c.lossCalled(n, p[0], p[1]); math.Abs(got-want) > 1e-11 {
					t.Errorf("%d cases, %v, alpha %g: %.15g, not %.15g", n, p, alpha, got, want)
				}
			}
		}
	}
}
