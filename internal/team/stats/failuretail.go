package stats

import "math"

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
