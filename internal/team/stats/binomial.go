package stats

import "math"

// BinomialCDF is P(X ≤ k) for X ~ Binomial(n, p). The side of the mean that k
// is on is summed, so a tiny lower tail keeps all its digits. For a tiny upper
// tail ask BinomialTail; 1 − BinomialCDF would have lost them.
//
// k < 0 gives 0 and k ≥ n gives 1. n < 0 or p outside 0..1 gives NaN. The time
// grows with √n: a million trials are some thousand additions.
func BinomialCDF(k, n int, p float64) float64 {
	switch {
	case n < 0 || !(p >= 0 && p <= 1):
		return math.NaN()
	case k < 0:
		return 0
	case k >= n:
		return 1
	case float64(k) < float64(n)*p:
		return sumDown(k, n, p)
	}
	return clamp01(1 - sumUp(k+1, n, p))
}

// BinomialTail is P(X ≥ k), with all digits in the far upper tail. Edge cases
// are those of BinomialCDF.
func BinomialTail(k, n int, p float64) float64 {
	switch {
	case n < 0 || !(p >= 0 && p <= 1):
		return math.NaN()
	case k <= 0:
		return 1
	case k > n:
		return 0
	case float64(k) > float64(n)*p:
		return sumUp(k, n, p)
	}
	return clamp01(1 - sumDown(k-1, n, p))
}

// sumDown adds P(X = j) for j = k, k−1, …, 0 where k is below the mean. Each
// term follows from the one before by the ratio of neighbors.
func sumDown(k, n int, p float64) float64 {
	term := binomialPMF(k, n, p)
	sum := term
	for j := k; j > 0 && term > sum*negligible; j-- {
		term *= float64(j) / float64(n-j+1) * ((1 - p) / p)
		sum += term
	}
	return clamp01(sum)
}

// sumUp adds P(X = j) for j = k, k+1, …, n where k is above the mean.
func sumUp(k, n int, p float64) float64 {
	term := binomialPMF(k, n, p)
	sum := term
	for j := k; j < n && term > sum*negligible; j++ {
		term *= float64(n-j) / float64(j+1) * (p / (1 - p))
		sum += term
	}
	return clamp01(sum)
}

// negligible is the share of a sum below which a term, and the some thousand
// smaller ones behind it, cannot change its last bit.
const negligible = 1e-20

// binomialPMF is P(X = k) for 0 ≤ k ≤ n by the saddle-point expansion of
// Loader, "Fast and Accurate Computation of Binomial Probabilities" (2000).
// Differences of log-gamma would lose six digits at a million trials.
func binomialPMF(k, n int, p float64) float64 {
	x, rest, q := float64(k), float64(n-k), 1-p
	switch {
	case p == 0:
		return indicator(k == 0)
	case p == 1:
		return indicator(k == n)
	case k == 0 && p < 0.5: // 1 − p would round
		return math.Exp(rest * math.Log1p(-p))
	case k == 0:
		return math.Pow(q, rest)
	case k == n:
		return math.Pow(p, x)
	}
	m := float64(n)
	exponent := stirlingError(m) - stirlingError(x) - stirlingError(rest) - deviance(x, m*p) - deviance(rest, m*q)
	return math.Exp(exponent) * math.Sqrt(m/(2*math.Pi*x*rest))
}

// stirlingError is log n! minus Stirling's approximation of it: by its
// definition for small n, else by the asymptotic series.
func stirlingError(n float64) float64 {
	if n < 16 {
		logFactorial, _ := math.Lgamma(n + 1)
		return logFactorial - (n+0.5)*math.Log(n) + n - 0.5*math.Log(2*math.Pi)
	}
	s := 1 / (n * n)
	return (1./12 - (1./360-(1./1260-(1./1680-1./1188*s)*s)*s)*s) / n
}

// deviance is x·log(x/mean) + mean − x, by a series where the parts would
// cancel.
func deviance(x, mean float64) float64 {
	if math.Abs(x-mean) >= 0.1*(x+mean) {
		return x*math.Log(x/mean) + mean - x
	}
	v := (x - mean) / (x + mean)
	sum, power := (x-mean)*v, 2*x*v
	for j := 3.; ; j += 2 {
		power *= v * v
		next := sum + power/j
		if next == sum {
			return sum
		}
		sum = next
	}
}

func indicator(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// clamp01 takes back what rounding put beyond 0 or 1; NaN stays NaN.
func clamp01(p float64) float64 { return math.Max(0, math.Min(1, p)) }
