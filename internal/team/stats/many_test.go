package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// What formulas say of many cases is what ever more draws come to.
func TestManyCases(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for what, draw := range map[string]func() float64{
		"normal":       func() float64 { return random.NormFloat64() + .03 },
		"skewed":       func() float64 { return random.ExpFloat64() - .97 },
		"seldom":       func() float64 { return math.Floor(random.Float64() * 1.03) },
		"few values":   func() float64 { return float64(random.IntN(3)) - .96 },
		"long tailed":  func() float64 { return math.Exp(random.NormFloat64()) - 1.65 },
		"wide, tailed": func() float64 { return math.Exp(1.5*random.NormFloat64()) - 3 },
	} {
		for _, n := range []int{manyCases, 3000} {
			diffs := make([]float64, n)
			for i := range diffs {
				diffs[i] = draw()
			}
			sorted := slices.Sorted(slices.Values(diffs))
			mean := Mean(sorted)
			lo, hi, ok := expandedBCa(sorted, mean, .95)
			if !ok {
				t.Logf("%s, %d: one case decides too much", what, n)
				continue
			}
			means := resampledMeans(sorted, 40_000, 9)
			bias := normalQuantile(shareBelow(means, mean, math.Max(-sorted[0], sorted[n-1])))
			a, width := accelerationOfMean(sorted, mean), hi-lo
			for z, got := range map[float64]float64{-zTwoSided(.95): lo, zTwoSided(.95): hi} {
				level, _ := bcaLevel(bias, a, z)
				if want := quantile(means, level); math.Abs(got-want) > .015*width {
					t.Errorf("%s, %d: end %g, drawn %g, of %g", what, n, got, want, width)
				}
			}
			p, method := SignFlip(diffs, 40_000, 3)
			sizes, seen, all := make([]float64, 0, n), 0., 0.
			for _, d := range sorted {
				seen, all, sizes = seen+d, all+math.Abs(d), append(sizes, math.Abs(d))
			}
			drawn := drawnReaching(sizes, math.Abs(seen)-all*1e-12, 40_000, 3)
			if limit := .03*drawn + 4*math.Sqrt(drawn/40_000); method == "saddlepoint" && math.Abs(p-drawn) > limit {
				t.Errorf("%s, %d: p %g, drawn %g", what, n, p, drawn)
			}
		}
	}
}
