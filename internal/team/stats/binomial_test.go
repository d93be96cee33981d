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

// Figures of R 4.2.2: pbinom(k, n, p) and pbinom(k-1, n, p, lower.tail=FALSE),
// which have eleven digits where there are a million trials.
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
		if got := BinomialCDF(c.k, c.n, c.p); !close(got, c.cdf, 2e-11) {
			t.Errorf("BinomialCDF(%d, %d, %g) = %.17g, R has %.17g", c.k, c.n, c.p, got, c.cdf)
		}
		if got := BinomialTail(c.k, c.n, c.p); !close(got, c.upper, 2e-11) {
			t.Errorf("BinomialTail(%d, %d, %g) = %.17g, R has %.17g", c.k, c.n, c.p, got, c.upper)
		}
	}
}

// exactCDF is P(X ≤ k) for every k, by fractions; p is the double itself, not
// the decimal it is written as.
func exactCDF(n int, p float64) []float64 {
	success := new(big.Rat).SetFloat64(p)
	failure := new(big.Rat).Sub(big.NewRat(1, 1), success)
	cdf, sum := make([]float64, n+1), new(big.Rat)
	for k := range cdf {
		term := new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), int64(k)))
		for range k {
			term.Mul(term, success)
		}
		for range n - k {
			term.Mul(term, failure)
		}
		cdf[k], _ = sum.Add(sum, term).Float64()
	}
	return cdf
}

func TestBinomialAgainstFractions(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 15, 16, 17, 33} {
		for _, p := range []float64{0, 1e-9, 0.125, 0.3, 0.5, 0.75, 0.9, 1} {
			below, turned := exactCDF(n, p), exactCDF(n, 1-p)
			for k := range below {
				if got := BinomialCDF(k, n, p); !close(got, below[k], 2e-14) {
					t.Errorf("BinomialCDF(%d, %d, %g) = %.17g, exactly %.17g", k, n, p, got, below[k])
				}
				// P(X ≥ k) of p is P(X ≤ n−k) of 1−p, where 1−p does not round.
				if got := BinomialTail(k, n, p); 1-(1-p) == p && !close(got, turned[n-k], 2e-14) {
					t.Errorf("BinomialTail(%d, %d, %g) = %.17g, exactly %.17g", k, n, p, got, turned[n-k])
				}
			}
		}
	}
}

// A million trials to thirteen digits. Python: Decimal with 60 digits, the
// first term by math.comb, the others by the ratio of neighbors.
func TestBinomialHuge(t *testing.T) {
	const n = 1_000_000
	for _, c := range []struct {
		k          int
		p          float64
		cdf, upper float64
	}{
		{498_000, .5, 3.1804668750412444e-05, 0.9999684629880654},
		{501_000, .5, 0.9773038320453279, 0.02280414993269104},
		{2, 1e-6, 0.9196986948985504, 0.2642411176570847},
		{0, .0001, 3.7015207857525985e-44, 1},
		{400_000, .5, 0, 1}, // 4.4e-8748
	} {
		cdf, upper := BinomialCDF(c.k, n, c.p), BinomialTail(c.k, n, c.p)
		if !close(cdf, c.cdf, 1e-13) || !close(upper, c.upper, 1e-13) {
			t.Errorf("%d at %g: %.17g and %.17g, want %.17g and %.17g", c.k, c.p, cdf, upper, c.cdf, c.upper)
		}
	}
	for _, p := range []float64{1e-6, 0.01, 0.3, 0.5} {
		for _, k := range []int{1, n / 100, n * 3 / 10, n / 2, n / 2 * 1001 / 1000} {
			if sum := BinomialCDF(k, n, p) + BinomialTail(k+1, n, p); !close(sum, 1, 1e-13) {
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
