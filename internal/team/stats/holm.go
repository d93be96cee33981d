package stats

import (
	"cmp"
	"math"
	"slices"
)

// Holm adjusts the p-values of several tests that are looked at together (one
// for each suite), so that "adjusted p < 0.05" calls any suite that did not
// change with a probability of at most 5 %, however the tests depend on each
// other. The i-th smallest of m p-values is multiplied by m − i + 1; an
// adjusted value is never below that of a smaller p, and never above 1.
//
// Source: Holm, "A simple sequentially rejective multiple test procedure",
// Scandinavian Journal of Statistics 6 (1979).
//
// The result has the order and length of the input, which stays as it is. What
// is no p-value (NaN, below 0, above 1) is NaN in the result and does not count
// as a test: a suite without a test does not weaken the others.
func Holm(p []float64) []float64 {
	adjusted := make([]float64, len(p))
	order := make([]int, 0, len(p))
	for i, v := range p {
		if v >= 0 && v <= 1 {
			order = append(order, i)
		} else {
			adjusted[i] = math.NaN()
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	reached := 0.
	for rank, i := range order {
		reached = math.Max(reached, math.Min(1, p[i]*float64(len(order)-rank)))
		adjusted[i] = reached
	}
	return adjusted
}
