package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Of signs alone it is the exact test of McNemar, at any depth.
func TestSignTailOfSigns(t *testing.T) {
	for _, c := range [][2]int{{0, 0}, {6, 0}, {12, 2}, {30, 0}, {60, 12}, {400, 300}, {500, 20}} {
		var diffs []float64
		for range c[0] {
			diffs = append(diffs, -1)
		}
		for range c[1] {
			diffs = append(diffs, 1)
		}
		diffs = append(diffs, 0, 0)
		p, method := SignTail(diffs)
		if want := McNemarExact(c[0], c[1]); method != "exact" || math.Abs(p-want) > 1e-9*want {
			t.Errorf("%v: %g by %s, want %g", c, p, method, want)
		}
	}
}

// Where few draws see it too, it says what SignFlip says; and what cannot be
// counted comes near to what can.
func TestSignTailAgrees(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	for range 60 {
		n, runs := 25+random.IntN(80), 1+random.IntN(12)
		diffs := make([]float64, n)
		for i := range diffs {
			diffs[i] = float64(random.IntN(2*runs+1)-runs)/float64(runs) - .12*float64(random.IntN(3))
		}
		p, method := SignTail(diffs)
		drawn, _ := SignFlip(diffs, 20_000, 1)
		if method != "exact" || math.Abs(p-drawn) > 5*math.Sqrt(p*(1-p)/20_000)+1e-4 {
			t.Errorf("%d cases: %g by %s, drawn %g", n, p, method, drawn)
		}
		for i := range diffs {
			diffs[i] = random.NormFloat64() - .3 // no common denominator
		}
		near, method := SignTail(diffs)
		exact, _ := SignTail(rounded(diffs, 1e4))
		if method != "saddlepoint" || math.Abs(near/exact-1) > .02 {
			t.Errorf("%d cases: %g by %s, counted %g", n, near, method, exact)
		}
	}
	if p, method := SignTail([]float64{1, math.NaN()}); !math.IsNaN(p) || method != "none" {
		t.Error(p, method)
	}
	if p, _ := SignTail(nil); p != 1 {
		t.Error(p)
	}
}

func rounded(diffs []float64, units float64) []float64 {
	out := make([]float64, len(diffs))
	for i, d := range diffs {
		out[i] = math.Round(d*units) / units
	}
	return out
}
