package stats

import (
	"math"
	"math/big"
	"testing"
)

// close says whether two figures agree to a relative error.
func close(got, want, relative float64) bool {
	return got == want || math.Abs(got-want) <= relative*math.Abs(want)
}

// Figures of R 4.2.2: pbinom(k, n, p) and pbinom(k-1, n, p, lower.tail=FALSE).
// With a million trials R's own figures are good to some 1e-10.
func TestBinomialAgainstR(t *testing.T) {
	for _, c := range []struct {
		k, n       int
		p          float64
		cdf, upper float64
	}{
		{3, 18, .5, 0.003768920898437503, 0.9993438720703125},
		{0, 12, .5, 0.00024414062500000005, 1},
		{40, 200, .5, 1.692007988757656e-18, 1},
		{498000, 1000000, .5, 3.1804668750412404e-05, 0.99996846298806541},
		{501000, 1000000, .5, 0.97730383204532789, 0.022804149932691052},
		{5, 20, .976, 6.9856248787964386e-21, 1},
		{15, 20, .976, 9.1294234625698207e-05, 0.99999445835286316},
		{2, 1000000, 1e-6, 0.91969869489855016, 0.2642411176570838},
		{90, 100, .99, 7.6315875322606821e-08, 0.99999999374448167},
		{0, 1000000, .0001, 3.7015207857526244e-44, 1},
	} {
		if got := BinomialCDF(c.k, c.n, c.p); !close(got, c.cdf, 1e-9) {
			t.Errorf("BinomialCDF(%d, %d, %g) = %.17g, R has %.17g", c.k, c.n, c.p, got, c.cdf)
		}
		if got := BinomialTail(c.k, c.n, c.p); !close(got, c.upper, 1e-9) {
			t.Errorf("BinomialTail(%d, %d, %g) = %.17g, R has %.17g", c.k, c.n, c.p, got, c.upper)
		}
	}
}

// exactCDF is P(X ≤ k) by fractions; p is the double itself, not its decimal.
func exactCDF(k, n int, p float64) float64 {
	success := new(big.Rat).SetFloat64(p)
	failure := new(big.Rat).Sub(big.NewRat(1, 1), success)
	sum := new(big.Rat)
	for j := 0; j <= k; j++ {
		term := new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), int64(j)))
		for range j {
			term.Mul(term, success)
		}
		for range n - j {
			term.Mul(term, failure)
		}
		sum.Add(sum, term)
	}
	f, _ := sum.Float64()
	return f
}

func TestBinomialAgainstFractions(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 15, 16, 17, 33} {
		for _, p := range []float64{0, 1e-9, 0.125, 0.3, 0.5, 0.9, 1} {
			for k := 0; k <= n; k++ {
				want := exactCDF(k, n, p)
				if got := BinomialCDF(k, n, p); !close(got, want, 2e-14) {
					t.Errorf("BinomialCDF(%d, %d, %g) = %.17g, exactly %.17g", k, n, p, got, want)
				}
				// P(X ≥ k) of p is P(X ≤ n−k) of 1−p; ½ and ⅛ have an exact 1−p.
				if 1-(1-p) == p {
					want = exactCDF(n-k, n, 1-p)
					if got := BinomialTail(k, n, p); !close(got, want, 2e-14) {
						t.Errorf("BinomialTail(%d, %d, %g) = %.17g, exactly %.17g", k, n, p, got, want)
					}
				}
			}
		}
	}
}

// A million trials to twelve digits: the sum over all outcomes is 1, and the
// middle one is 1/√(πn/2)·(1 − 1/4n + …) by Stirling's series.
func TestBinomialHuge(t *testing.T) {
	const n = 1_000_000
	want := (1 - 1/(4.*n) + 1/(32.*n*n)) / math.Sqrt(math.Pi*n/2)
	if got := binomialPMF(n/2, n, 0.5); !close(got, want, 1e-13) {
		t.Errorf("P(X = n/2) = %.17g, want %.17g", got, want)
	}
	for _, p := range []float64{1e-6, 0.01, 0.3, 0.5} {
		for _, k := range []int{1, n / 100, n * 3 / 10, n / 2, n / 2 * 1001 / 1000} {
			if sum := BinomialCDF(k, n, p) + BinomialTail(k+1, n, p); !close(sum, 1, 1e-12) {
				t.Errorf("k %d, p %g: the two sides add up to %.17g", k, p, sum)
			}
		}
	}
}

func TestBinomialEdges(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		k, n       int
		p          float64
		cdf, upper float64
	}{
		{-1, 5, .5, 0, 1}, {5, 5, .5, 1, 1. / 32}, {6, 5, .5, 1, 0}, {0, 0, .5, 1, 1},
		{0, 5, 0, 1, 1}, {1, 5, 0, 1, 0}, {4, 5, 1, 0, 1}, {5, 5, 1, 1, 1},
		{1, -1, .5, nan, nan}, {1, 5, -.1, nan, nan}, {1, 5, 1.1, nan, nan}, {1, 5, nan, nan, nan},
	} {
		cdf, upper := BinomialCDF(c.k, c.n, c.p), BinomialTail(c.k, c.n, c.p)
		if !same(cdf, c.cdf) || !same(upper, c.upper) {
			t.Errorf("k %d of %d, p %g: %g and %g, want %g and %g", c.k, c.n, c.p, cdf, upper, c.cdf, c.upper)
		}
	}
}

// same is equality where NaN equals NaN.
func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

func FuzzBinomial(f *testing.F) {
	f.Add(3, 18, 0.5)
	f.Add(1, 1_000_000, 1e-6)
	f.Add(-1, -1, math.Inf(1))
	f.Fuzz(func(t *testing.T, k, n int, p float64) {
		n %= 10_000_000
		valid := n >= 0 && p >= 0 && p <= 1
		below, upper := BinomialCDF(k, n, p), BinomialTail(k, n, p)
		if !valid {
			if !math.IsNaN(below) || !math.IsNaN(upper) {
				t.Fatalf("k %d, n %d, p %g: %g and %g, want NaN", k, n, p, below, upper)
			}
			return
		}
		if !(below >= 0 && below <= 1 && upper >= 0 && upper <= 1) {
			t.Fatalf("k %d, n %d, p %g: %g and %g", k, n, p, below, upper)
		}
		if k < math.MaxInt && !close(below+BinomialTail(k+1, n, p), 1, 1e-10) {
			t.Fatalf("k %d, n %d, p %g: the sides add up to %.17g", k, n, p, below+BinomialTail(k+1, n, p))
		}
	})
}
