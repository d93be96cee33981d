package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// R 4.2.2: p.adjust(p, "holm"); R keeps NA as NA and does not count it, too.
func TestHolmAgainstR(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ p, want []float64 }{
		{[]float64{.01, .04, .03, .005}, []float64{.03, .06, .06, .02}},
		{[]float64{.01, .02, .03, .04, .05}, []float64{.05, .08, .09, .09, .09}},
		{[]float64{.2, .0001, nan, .04, .04, .9}, []float64{.4, .0005, nan, .16, .16, .9}},
		{[]float64{.6, .7, -.1, 1.1, math.Inf(1)}, []float64{1, 1, nan, nan, nan}},
		{[]float64{.03}, []float64{.03}},
		{[]float64{0, 1}, []float64{0, 1}},
		{nil, nil},
	} {
		before := slices.Clone(c.p)
		got := Holm(c.p)
		if !slices.EqualFunc(c.p, before, same) {
			t.Errorf("Holm changed its input %v", before)
		}
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return same(a, b) || close(a, b, 1e-14) }) {
			t.Errorf("Holm(%v) = %v, want %v", c.p, got, c.want)
		}
	}
}

func TestHolmProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		p := make([]float64, 1+random.IntN(12))
		for i := range p {
			p[i] = math.Pow(random.Float64(), 3)
		}
		adjusted := Holm(p)
		order := random.Perm(len(p))
		shuffled := make([]float64, len(p))
		for i, j := range order {
			shuffled[i] = p[j]
		}
		for i, got := range Holm(shuffled) {
			if got != adjusted[order[i]] {
				t.Fatalf("another order, another result: %v", p)
			}
		}
		for i := range p {
			if !(adjusted[i] >= p[i] && adjusted[i] <= 1 && adjusted[i] <= math.Min(1, p[i]*float64(len(p)))) {
				t.Fatalf("%v adjusted to %v", p, adjusted)
			}
			for j := range p {
				if p[i] < p[j] && adjusted[i] > adjusted[j] {
					t.Fatalf("%v adjusted to %v: the order turned", p, adjusted)
				}
			}
		}
	}
}
