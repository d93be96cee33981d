package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// SciPy 1.10.1: scipy.stats.permutation_test((diffs, zeros), mean of the
// difference, permutation_type="samples", n_resamples=inf).
func TestSignFlipAgainstSciPy(t *testing.T) {
	for _, c := range []struct {
		diffs []float64
		want  float64
	}{{mixed, 0.0146484375}, {mixed[:10], 0.1328125}, {skewed, 0.00048828125}} {
		if p, method := SignFlip(c.diffs, 0, 0); !close(p, c.want, 1e-14) || method != "exact" {
			t.Errorf("SignFlip(%v) = %.17g, %s; SciPy has %.17g", c.diffs, p, method, c.want)
		}
	}
}

// Every assignment, one by one.
func TestSignFlipAgainstEnumeration(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for n := 1; n <= 11; n++ {
		for range 20 {
			diffs, seen := make([]float64, n), 0
			for i := range diffs {
				tenths := random.IntN(21) - 8 // whole tenths: ties, and sums that round
				diffs[i] = float64(tenths) / 10
				seen += tenths
			}
			reached := 0
			for signs := range 1 << n {
				sum := 0
				for i, d := range diffs {
					tenths := int(math.Round(d * 10))
					if signs>>i&1 == 1 {
						tenths = -tenths
					}
					sum += tenths
				}
				if max(sum, -sum) >= max(seen, -seen) {
					reached++
				}
			}
			want := float64(reached) / float64(int(1)<<n)
			if p, _ := SignFlip(diffs, 0, 0); !close(p, want, 1e-14) {
				t.Fatalf("SignFlip(%v) = %g, want %g", diffs, p, want)
			}
		}
	}
}

// For passed and failed it is McNemar's exact test; drawn, it comes close to it.
func TestSignFlipIsMcNemarForPassFail(t *testing.T) {
	for n := 0; n <= enumerateUpTo; n++ {
		for lost := 0; lost <= n; lost++ {
			p, method := SignFlip(passFail(lost, n-lost, 30), 0, 0)
			if want := McNemarExact(lost, n-lost); !close(p, want, 1e-12) || method != "exact" {
				t.Fatalf("%d lost, %d gained: %g, %s; McNemar has %g", lost, n-lost, p, method, want)
			}
		}
	}
	const draws = 20_000
	for _, bc := range [][2]int{{40, 30}, {60, 40}, {50, 25}, {15, 13}} {
		p, method := SignFlip(passFail(bc[0], bc[1], 10), draws, 1)
		want := McNemarExact(bc[0], bc[1])
		if method != "monte carlo" || math.Abs(p-want) > 4*math.Sqrt(want/draws) {
			t.Errorf("%v: %g, %s; McNemar has %g", bc, p, method, want)
		}
	}
}

func TestSignFlipProperties(t *testing.T) {
	for _, n := range []int{3, 20, 24, 25, 64, 65, 200} {
		diffs := manyDiffs(n)
		p, method := SignFlip(diffs, 999, 4)
		if want := map[bool]string{true: "exact", false: "monte carlo"}[n <= enumerateUpTo]; method != want {
			t.Errorf("%d differences: %s", n, method)
		}
		if !(p > 0 && p <= 1) || n > enumerateUpTo && p < 1./1000 {
			t.Errorf("%d differences: p = %g", n, p)
		}
		turned := slices.Clone(diffs)
		slices.Reverse(turned)
		for i := range turned {
			turned[i] *= -1024
		}
		if q, _ := SignFlip(append(turned, 0, 0, 0), 999, 4); q != p {
			t.Errorf("%d differences, turned, scaled, with cases that did not change: %g, not %g", n, q, p)
		}
	}
	if p, _ := SignFlip(slices.Repeat([]float64{.2}, 5), 0, 0); p != 2./32 {
		t.Errorf("five equal gains: %g, want 2/32", p)
	}
	if p, _ := SignFlip(slices.Repeat([]float64{.2}, 999), 999, 1); p != 1./1000 {
		t.Errorf("999 equal gains: %g, want 1/(resamples+1)", p)
	}
}

// Scores that did not change are called changed in at most 5 % of the runs.
func TestSignFlipHoldsItsLevel(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	for _, n := range []int{5, 8, 20, 40} {
		called := 0
		for i := range 1000 {
			diffs := make([]float64, n)
			for j := range diffs {
				diffs[j] = random.ExpFloat64() - random.ExpFloat64()
			}
			if p, _ := SignFlip(diffs, 399, uint64(i)); p <= 0.05 {
				called++
			}
		}
		if called > 65 { // 50 expected, two standard deviations
			t.Errorf("n = %d: %d of 1,000 called", n, called)
		}
	}
}

func TestSignFlipEdges(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		diffs  []float64
		p      float64
		method string
	}{
		{nil, 1, "exact"}, {[]float64{0, 0}, 1, "exact"}, {[]float64{.4}, 1, "exact"},
		{[]float64{.1, .2, -.3}, 1, "exact"}, // their sum is 5.6e-17
		{[]float64{1000, .4}, .5, "exact"},   // 999.6 is not as far as 1000.4
		{[]float64{1, nan}, nan, "none"}, {[]float64{1, inf}, nan, "none"}, {[]float64{inf, -inf}, nan, "none"},
		{slices.Repeat([]float64{1e308}, 3), nan, "none"},
		{slices.Repeat([]float64{1}, 30), nan, "none"}, // draws are needed, none allowed
	} {
		if p, method := SignFlip(c.diffs, 0, 0); !same(p, c.p) || method != c.method {
			t.Errorf("SignFlip(%v) = %g, %s; want %g, %s", c.diffs, p, method, c.p, c.method)
		}
	}
	if p, method := SignFlip(slices.Repeat([]float64{1}, 25), 1, 0); p != .5 || method != "monte carlo" {
		t.Errorf("one draw: %g, %s", p, method)
	}
	if p, method := SignFlip(slices.Repeat([]float64{1}, 24), 0, 0); p != 2./(1<<24) || method != "exact" {
		t.Errorf("24 equal gains: %g, %s", p, method)
	}
}

func BenchmarkSignFlipExact(b *testing.B) {
	diffs := manyDiffs(enumerateUpTo)
	for b.Loop() {
		SignFlip(diffs, 2000, 1)
	}
}

func BenchmarkSignFlipDrawn(b *testing.B) {
	diffs := manyDiffs(5000)
	for b.Loop() {
		SignFlip(diffs, 2000, 1)
	}
}
