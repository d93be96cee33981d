package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// skewed are 12 differences of which two are far out; mixed are 15 of both signs.
var (
	skewed = []float64{.02, .01, .03, .05, .01, .9, .04, .02, .6, .03, .01, .02}
	mixed  = []float64{.1, -.2, .3, 0, .5, .05, -.1, .2, .9, 0, .15, -.05, .4, .25, .6}
)

// passFail is the differences of lost, gained and equal cases.
func passFail(lost, gained, equal int) []float64 {
	return slices.Concat(slices.Repeat([]float64{-1}, lost), slices.Repeat([]float64{1}, gained), make([]float64, equal))
}

// SciPy 1.10.1: scipy.stats.bootstrap((diffs,), numpy.mean, method="BCa",
// n_resamples=999999, random_state=default_rng(1)). Both ends of both programs
// are random; with 200,000 draws ours move by less than 1 % of the width, and
// by no more than one step of 1/n where the values are few.
func TestPairedBootstrapAgainstSciPy(t *testing.T) {
	for _, c := range []struct {
		name       string
		diffs      []float64
		confidence float64
		lo, hi     float64
		step       float64
	}{
		{"mixed", mixed, .95, 0.0833333, 0.38, .05 / 15},
		{"mixed", mixed, .90, 0.1033333, 0.3466667, .05 / 15},
		{"skewed", skewed, .95, 0.025, 0.3891667, .01 / 12},
		{"skewed", skewed, .90, 0.0291667, 0.34, .01 / 12},
		{"12 lost, 3 gained", passFail(12, 3, 40), .95, -0.2909091, -0.0363636, 1. / 55},
		{"12 lost, 3 gained", passFail(12, 3, 40), .90, -0.2727273, -0.0545455, 1. / 55},
	} {
		got := PairedBootstrap(c.diffs, 200_000, c.confidence, 1)
		near := c.step + 0.01*(c.hi-c.lo)
		if got.Method != "bca" || math.Abs(got.Lo-c.lo) > near || math.Abs(got.Hi-c.hi) > near {
			t.Errorf("%s, %g: %+v, SciPy has %g to %g", c.name, c.confidence, got, c.lo, c.hi)
		}
	}
}

// The share of intervals that hold the true mean, over 500 samples from a
// distribution: what the confidence promises. At 20 cases a bootstrap falls
// short of it, the more so the more skewed; BCa less than the plain percentiles.
func TestPairedBootstrapCoverage(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	for _, c := range []struct {
		name   string
		n      int
		draw   func() float64
		lo, hi float64
	}{
		{"normal", 50, random.NormFloat64, .925, .965},
		{"normal", 20, random.NormFloat64, .90, .95},
		{"exponential", 50, func() float64 { return random.ExpFloat64() - 1 }, .91, .96},
		{"exponential", 20, func() float64 { return random.ExpFloat64() - 1 }, .87, .94},
	} {
		held := 0
		for i := range 500 {
			diffs := make([]float64, c.n)
			for j := range diffs {
				diffs[j] = c.draw()
			}
			if in := PairedBootstrap(diffs, 499, 0.95, uint64(i)); in.Lo <= 0 && 0 <= in.Hi {
				held++
			}
		}
		if share := float64(held) / 500; share < c.lo || share > c.hi {
			t.Errorf("%s, n = %d: %.3f of the intervals hold the mean, want %g to %g", c.name, c.n, share, c.lo, c.hi)
		} else {
			t.Logf("%s, n = %d: %.3f", c.name, c.n, share)
		}
	}
}

func TestPairedBootstrapInvariance(t *testing.T) {
	base := PairedBootstrap(mixed, 2000, 0.95, 7)
	if again := PairedBootstrap(mixed, 2000, 0.95, 7); again != base {
		t.Errorf("same seed: %+v, then %+v", base, again)
	}
	if other := PairedBootstrap(mixed, 2000, 0.95, 8); other == base {
		t.Error("the seed has no effect")
	}
	backwards := slices.Clone(mixed)
	slices.Reverse(backwards)
	if other := PairedBootstrap(backwards, 2000, 0.95, 7); other != base {
		t.Errorf("another order of the cases: %+v, not %+v", other, base)
	}
	if mixed[0] != .1 {
		t.Fatal("the input was sorted")
	}
	moved := slices.Clone(mixed)
	for i := range moved {
		moved[i] = 100*moved[i] + 3000
	}
	got := PairedBootstrap(moved, 2000, 0.95, 7)
	for _, p := range [][2]float64{{got.Estimate, base.Estimate}, {got.Lo, base.Lo}, {got.Hi, base.Hi}} {
		if !close(p[0], 100*p[1]+3000, 1e-12) {
			t.Errorf("times 100 plus 3000: %+v from %+v", got, base)
		}
	}
	if wide := PairedBootstrap(mixed, 2000, 0.99, 7); !(wide.Lo < base.Lo && wide.Hi > base.Hi) {
		t.Errorf("more confidence, not wider: %+v and %+v", wide, base)
	}
	if !(base.Lo < base.Estimate && base.Estimate < base.Hi) {
		t.Errorf("the estimate is outside: %+v", base)
	}
}

func TestPairedBootstrapWithoutAnswer(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name       string
		diffs      []float64
		resamples  int
		confidence float64
		estimate   float64
		method     string
	}{
		{"no case", nil, 100, .95, nan, "none"},
		{"one case", []float64{.3}, 100, .95, .3, "none"},
		{"all equal", []float64{.1, .1, .1}, 100, .95, .1, "none"},
		{"all zero", make([]float64, 40), 100, .95, 0, "none"},
		{"NaN", []float64{1, nan, 2}, 100, .95, nan, "none"},
		{"infinite", []float64{1, inf}, 100, .95, nan, "none"},
		{"both infinite", []float64{-inf, inf}, 100, .95, nan, "none"},
		{"sum too large", []float64{1e308, 1.7e308, 1e308}, 100, .95, nan, "none"},
		{"no resample", []float64{1, 2, 3}, 0, .95, 2, "none"},
		{"confidence in percent", []float64{1, 2, 3}, 100, 95, 2, "none"},
		{"confidence 0", []float64{1, 2, 3}, 100, 0, 2, "none"},
		{"confidence 1", []float64{1, 2, 3}, 100, 1, 2, "none"},
		{"one resample, on one side", []float64{0, 1, 5}, 1, .95, 2, "percentile"},
		{"beyond the acceleration", append(make([]float64, 999), 1), 2000, 1 - 1e-12, .001, "percentile"},
	} {
		got := PairedBootstrap(c.diffs, c.resamples, c.confidence, 2)
		if got.Method != c.method || !close(got.Estimate, c.estimate, 1e-15) && !same(got.Estimate, c.estimate) {
			t.Errorf("%s: %+v", c.name, got)
		}
		if c.method == "none" && (!same(got.Lo, got.Estimate) || !same(got.Hi, got.Estimate)) {
			t.Errorf("%s: an interval out of nothing: %+v", c.name, got)
		}
	}
	// One of a thousand changed: an interval with 0 as its end, not −1e-19.
	one := append(make([]float64, 999), 1)
	if got := PairedBootstrap(one, 2000, 0.95, 1); got.Method != "bca" || got.Lo != 0 || got.Hi > 0.01 {
		t.Errorf("one of 1,000: %+v", got)
	}
}

// The plain percentiles: between the smallest and the largest resampled mean.
func TestPairedBootstrapPercentile(t *testing.T) {
	one := append(make([]float64, 999), 1)
	got := PairedBootstrap(one, 2000, 1-1e-12, 1)
	if got.Method != "percentile" || got.Lo != 0 || !(got.Hi >= 0.004 && got.Hi <= 0.01) {
		t.Errorf("%+v", got)
	}
}

// R 4.2.2: quantile(c(1,2,4,8.5,20), level, type=7).
func TestQuantileAgainstR(t *testing.T) {
	for _, c := range [][2]float64{{0, 1}, {.025, 1.1}, {.3, 2.4}, {.5, 4}, {.9, 15.4}, {.975, 18.85}, {1, 20}} {
		if got := quantile([]float64{1, 2, 4, 8.5, 20}, c[0]); !close(got, c[1], 1e-14) {
			t.Errorf("at %g: %g, want %g", c[0], got, c[1])
		}
	}
}

// Scores at the ends of what a float holds must not turn into NaN ends.
func TestPairedBootstrapScales(t *testing.T) {
	for _, scale := range []float64{1e-320, 1e-200, 1e-100, 1e100, 1e200, 1e305} {
		diffs := slices.Clone(mixed)
		for i := range diffs {
			diffs[i] *= scale
		}
		got := PairedBootstrap(diffs, 500, 0.95, 1)
		if math.IsNaN(got.Lo) || math.IsNaN(got.Hi) || got.Lo > got.Estimate || got.Hi < got.Estimate {
			t.Errorf("times %g: %+v", scale, got)
		}
	}
}

// 5,000 cases, 2,000 resamples: ten million draws.
func BenchmarkPairedBootstrap(b *testing.B) {
	diffs := manyDiffs(5000)
	for b.Loop() {
		PairedBootstrap(diffs, 2000, 0.95, 1)
	}
}

func manyDiffs(n int) []float64 {
	random := rand.New(rand.NewPCG(3, 3))
	diffs := make([]float64, n)
	for i := range diffs {
		diffs[i] = random.Float64() - 0.4
	}
	return diffs
}
