package stats

import "math"

// Wilson is the score interval of a pass rate: the rates that a score test
// would not refuse, given passed of total. It stays inside 0..1, is never of
// width 0, and covers well for small totals and rates near 0 and 1, where the
// interval that adds ±1.96 standard errors fails.
//
// Source: Wilson, "Probable inference, the law of succession, and statistical
// inference", JASA 22 (1927), without continuity correction; recommended for
// small n by Brown, Cai and DasGupta, Statistical Science 16 (2001).
//
// total 0 says nothing: 0, 1. NaN, NaN for negative counts, passed > total, or
// a confidence that is not inside 0..1.
func Wilson(passed, total int, confidence float64) (lo, hi float64) {
	z := zTwoSided(confidence)
	if passed < 0 || passed > total || math.IsNaN(z) {
		return math.NaN(), math.NaN()
	}
	if total == 0 {
		return 0, 1
	}
	n, p := float64(total), float64(passed)/float64(total)
	shrink := 1 + z*z/n
	center := (p + z*z/(2*n)) / shrink
	half := z / shrink * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	lo, hi = math.Max(0, center-half), math.Min(1, center+half)
	if passed == 0 { // exact where rounding would leave 1e-17
		lo = 0
	}
	if passed == total {
		hi = 1
	}
	return lo, hi
}

// WilsonMean is the mean of the pass rates of cases and its interval: Wilson's
// for as many cases with one attempt each. Rates of repeats vary less than
// that, and never more, so the interval is no narrower than it should be. A sum
// that is no whole number of cases lies between two intervals, and so do its
// ends.
//
// No rate: NaN, 0, 1. NaN for a rate that is not in 0..1 or a confidence that
// is not inside it.
func WilsonMean(rates []float64, confidence float64) (mean, lo, hi float64) {
	sum := 0.
	for _, r := range rates {
		if !(r >= 0 && r <= 1) {
			return math.NaN(), math.NaN(), math.NaN()
		}
		sum += r
	}
	n := len(rates)
	whole := int(math.Floor(sum + 1e-9))
	lo, hi = Wilson(whole, n, confidence)
	if part := sum - float64(whole); part > 1e-9 {
		lo2, hi2 := Wilson(whole+1, n, confidence)
		lo, hi = lo+part*(lo2-lo), hi+part*(hi2-hi)
	}
	return sum / float64(n), lo, hi
}
