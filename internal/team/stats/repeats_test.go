package stats

import (
	"math"
	"math/big"
	"testing"
)

// Every n up to 14, against the formula itself in fractions.
func TestPassAtKAgainstFractions(t *testing.T) {
	choose := func(n, k int) *big.Rat {
		return new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), int64(k)))
	}
	for n := 1; n <= 14; n++ {
		for c := 0; c <= n; c++ {
			for k := 1; k <= n; k++ {
				fails := new(big.Rat).Quo(choose(n-c, k), choose(n, k))
				at, _ := new(big.Rat).Sub(big.NewRat(1, 1), fails).Float64()
				hat, _ := new(big.Rat).Quo(choose(c, k), choose(n, k)).Float64()
				if got := PassAtK(n, c, k); math.Abs(got-at) > 1e-15 {
					t.Errorf("PassAtK(%d, %d, %d) = %.17g, exactly %.17g", n, c, k, got, at)
				}
				if got := PassHatK(n, c, k); !close(got, hat, 1e-14) {
					t.Errorf("PassHatK(%d, %d, %d) = %.17g, exactly %.17g", n, c, k, got, hat)
				}
			}
		}
	}
}

// 200 tries with 3 passed: 1 − C(197,k)/C(200,k), Python: 1 - Fraction(comb(197,k), comb(200,k)).
// pass^2 of 8 tries with 6 passed: 15/28.
func TestPassAtKKnown(t *testing.T) {
	for _, c := range []struct {
		got, want float64
	}{
		{PassAtK(200, 3, 1), 0.015},
		{PassAtK(200, 3, 10), 0.1433074463225217},
		{PassAtK(200, 3, 100), 0.8768844221105527},
		{PassHatK(8, 6, 2), 15. / 28},
		{PassAtK(1_000_000, 500_000, 1), 0.5},
		{PassHatK(1_000_000, 999_999, 500_000), 0.5},
		{PassHatK(1_000_000, 500_000, 2), 0.25 * (1 - 1./999_999)},
	} {
		if !close(c.got, c.want, 1e-12) {
			t.Errorf("%.17g, want %.17g", c.got, c.want)
		}
	}
}

func TestPassAtKOutside(t *testing.T) {
	for _, a := range [][3]int{{5, 3, 6}, {5, 3, 0}, {5, 3, -1}, {5, 6, 2}, {5, -1, 2}, {0, 0, 1}, {-1, 0, 1}} {
		if at, hat := PassAtK(a[0], a[1], a[2]), PassHatK(a[0], a[1], a[2]); !math.IsNaN(at) || !math.IsNaN(hat) {
			t.Errorf("%v: %g and %g, want NaN", a, at, hat)
		}
	}
}

func FuzzPassAtK(f *testing.F) {
	f.Add(200, 3, 10)
	f.Add(5, 5, 6)
	f.Fuzz(func(t *testing.T, n, c, k int) {
		n, c, k = n%1_000_000, c%1_000_000, k%1_000_000
		valid := k >= 1 && k <= n && c >= 0 && c <= n
		at, hat := PassAtK(n, c, k), PassHatK(n, c, k)
		if valid != (hat >= 0 && at <= 1 && hat <= at+1e-12) || valid == math.IsNaN(at) || valid == math.IsNaN(hat) {
			t.Fatalf("%d, %d, %d: %g and %g", n, c, k, at, hat)
		}
		if valid && k < n && (PassAtK(n, c, k+1) < at-1e-12 || PassHatK(n, c, k+1) > hat+1e-12) {
			t.Fatalf("%d, %d, %d: one more try turned the order", n, c, k)
		}
	})
}

func TestFlakeRate(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		cases        []Repeats
		want         float64
		wantRepeated int
	}{
		{[]Repeats{{3, 3}, {3, 0}, {3, 1}, {2, 1}, {1, 1}, {1, 0}, {0, 0}}, 0.5, 4},
		{[]Repeats{{5, 5}, {5, 0}}, 0, 2},
		{[]Repeats{{1_000_000, 1}}, 1, 1},
		{[]Repeats{{1, 1}, {1, 0}}, nan, 0},
		{nil, nan, 0},
		{[]Repeats{{3, 1}, {2, 3}}, nan, 0},
		{[]Repeats{{3, -1}}, nan, 0},
	} {
		if rate, repeated := FlakeRate(c.cases); !same(rate, c.want) || repeated != c.wantRepeated {
			t.Errorf("FlakeRate(%v) = %g of %d, want %g of %d", c.cases, rate, repeated, c.want, c.wantRepeated)
		}
	}
}
