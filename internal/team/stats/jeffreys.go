package stats

import "math"

// JeffreysRate is the pass rate with half a pass and half a failure added:
// (passed + ½)/(total + 1), the mean of what Jeffreys' prior leaves. It is
// never 0 or 1, so that a failure of a case that passed 20 of 20 times is rare
// (1 in 42), not impossible.
//
// Source: Jeffreys, Theory of Probability (1961); Brown, Cai and DasGupta,
// Statistical Science 16 (2001), 4.3.
// total 0 gives ½. NaN for negative counts and passed > total.
func JeffreysRate(passed, total int) float64 {
	if passed < 0 || passed > total {
		return math.NaN()
	}
	return (float64(passed) + 0.5) / (float64(total) + 1)
}

// FailureTail is the probability that as many of the cases as failed, or more,
// fail, where case i passes by itself with rates[i]: the upper tail of the
// Poisson binomial distribution. With one rate for all it is a BinomialTail.
// It takes len(rates)·failed steps.
//
// Source: the recursion over cases of Barlow and Heidtmann, IEEE Transactions
// on Reliability 33 (1984). All terms are positive, so a tail of 1e-300 keeps
// its digits.
//
// failed ≤ 0 gives 1, failed > len(rates) gives 0. A rate that is NaN or not in
// 0..1 gives NaN.
func FailureTail(rates []float64, failed int) float64 {
	for _, rate := range rates {
		if !(rate >= 0 && rate <= 1) {
			return math.NaN()
		}
	}
	switch {
	case failed <= 0:
		return 1
	case failed > len(rates):
		return 0
	}
	// exactly[j] is P(j failed) among the cases so far, j < failed; a case that
	// takes it from failed−1 to failed adds to the tail for good.
	exactly, tail := make([]float64, failed), 0.
	exactly[0] = 1
	for _, rate := range rates {
		tail += exactly[failed-1] * (1 - rate)
		for j := failed - 1; j > 0; j-- {
			exactly[j] = exactly[j]*rate + exactly[j-1]*(1-rate)
		}
		exactly[0] *= rate
	}
	return clamp01(tail)
}
