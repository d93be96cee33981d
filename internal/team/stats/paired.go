package stats

import "math"

// PairedDifference is the score interval of the difference of two paired pass
// rates, B − A: the differences that a score test would not refuse. worse and
// better are how many of n units went down and up. Units of several attempts
// count in part: one that fell from 3 of 3 to 1 of 3 is ⅔ worse. Such parts vary
// less than whole units do, so the interval is no narrower than it should be.
//
// Source: Tango, "Equivalence test and confidence interval for the difference
// in proportions for the paired-sample design", Statistics in Medicine 17
// (1998); recommended by Fagerland, Lydersen and Laake, BMC Medical Research
// Methodology 13:91 (2013). Found by halving to 1e-7.
//
// n = 0 says nothing: −1, 1. NaN, NaN for negative counts, worse + better > n,
// or a confidence that is not inside 0..1.
func PairedDifference(worse, better float64, n int, confidence float64) (lo, hi float64) {
	z := zTwoSided(confidence)
	if !(worse >= 0 && better >= 0 && worse+better <= float64(n)*(1+1e-9)) || math.IsNaN(z) {
		return math.NaN(), math.NaN()
	}
	if n == 0 {
		return -1, 1
	}
	// The score falls as the difference rises.
	reach := func(z float64) float64 {
		from, to := -1., 1.
		for to-from > 1e-7 {
			if middle := (from + to) / 2; pairedScore(worse, better, float64(n), middle) > z {
				from = middle
			} else {
				to = middle
			}
		}
		return (from + to) / 2
	}
	return reach(z), reach(-z)
}

// pairedScore is Tango's statistic of the hypothesis that the rates differ by d:
// above 0 where more was seen.
func pairedScore(worse, better, n, d float64) float64 {
	b := -worse - better + (2*n-better+worse)*d
	c := -worse * d * (1 - d)
	root := math.Sqrt(math.Max(0, b*b-8*n*c))
	down := (root - b) / (4 * n) // the rate of worse units that is likeliest, given d
	variance := n * (2*down + d*(1-d))
	over := better - worse - n*d
	switch {
	case over == 0:
		return 0
	case variance <= 0:
		return math.Copysign(math.Inf(1), over)
	}
	return over / math.Sqrt(variance)
}

// CasesToShow is about how many units show, with the probability power, that B
// is at most margin (0..1) worse than A, if it is not worse at all and units
// change as often as those that were seen: worse and better of n. 0 where that
// cannot be said: n = 0, or a margin or power that is not inside 0..1.
//
// It is the size at which a difference below 0 by its standard error times
// Φ⁻¹(power) still has a PairedDifference above −margin. No change seen is taken
// as half of one, or no unit would ever be needed.
func CasesToShow(worse, better float64, n int, margin, confidence, power float64) int {
	z, fall := zTwoSided(confidence), normalQuantile(power)
	if n <= 0 || !(margin > 0 && margin < 1 && power > 0.5 && power < 1) || math.IsNaN(z) {
		return 0
	}
	changing := math.Min(1, math.Max(0.5, worse+better)/float64(n))
	shows := func(n int) bool {
		m := float64(n)
		changed, net := m*changing, fall*math.Sqrt(m*changing)
		if net > changed {
			return false
		}
		return pairedScore((changed+net)/2, (changed-net)/2, m, -margin) > z
	}
	most := 1
	for ; !shows(most); most *= 2 {
		if most > 1<<30 {
			return 0
		}
	}
	least := most / 2
	for most-least > 1 {
		if middle := (most + least) / 2; shows(middle) {
			most = middle
		} else {
			least = middle
		}
	}
	return most
}
