package stats

import (
	"math"
	"testing"
)

// As tables of Student's t have it.
func TestStudentTail(t *testing.T) {
	for _, c := range []struct {
		t       float64
		freedom int
		p       float64
	}{{1, 1, .5}, {12.7062047, 1, .05}, {4.30265273, 2, .05}, {3.18244631, 3, .05}, {2.77644511, 4, .05}, {-2.22813885, 10, .05}, {2.08596345, 20, .05}, {3.17, 10, .00999}, {0, 7, 1}, {1.98397152, 100, .05}} {
		if p := StudentTail(c.t, c.freedom); math.Abs(p-c.p) > 1e-5 {
			t.Errorf("t %g of %d: %g, want %g", c.t, c.freedom, p, c.p)
		}
	}
	for _, bad := range [...]float64{StudentTail(1, 0), StudentTail(math.NaN(), 3)} {
		if !math.IsNaN(bad) {
			t.Error(bad)
		}
	}
	if p := StudentTail(math.Inf(1), 5); p != 0 {
		t.Error(p)
	}
}
