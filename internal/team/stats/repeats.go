package stats

import "math"

// PassAtK is the unbiased estimate of the probability that at least one of k
// tries at a case passes, from n tries of which c passed:
// 1 − C(n−c, k)/C(n, k).
//
// Source: Chen et al., "Evaluating Large Language Models Trained on Code"
// (2021), equation 1. Over several cases, average the results.
//
// NaN for k < 1, and for k > n: with fewer tries than k there is no unbiased
// estimate. NaN also for negative counts and for c > n.
func PassAtK(n, c, k int) float64 {
	if !drawable(n, c, k) {
		return math.NaN()
	}
	return 1 - allFrom(n, n-c, k)
}

// PassHatK is pass^k, the unbiased estimate of the probability that all of k
// tries at a case pass, from n tries of which c passed: C(c, k)/C(n, k).
//
// Source: Yao et al., "τ-bench: A Benchmark for Tool-Agent-User Interaction in
// Real-World Domains" (2024). NaN as for PassAtK.
func PassHatK(n, c, k int) float64 {
	if !drawable(n, c, k) {
		return math.NaN()
	}
	return allFrom(n, c, k)
}

func drawable(n, c, k int) bool { return c >= 0 && c <= n && k >= 1 && k <= n }

// allFrom is C(m, k)/C(n, k), the probability that k drawn from n without
// replacement all come from the same m. C(m,k)/C(n,k) = C(n−k,n−m)/C(n,n−m), so
// the shorter of the two products is taken.
func allFrom(n, m, k int) float64 {
	if m < k {
		return 0
	}
	steps, other := k, n-m
	if other < steps {
		steps, other = other, steps
	}
	share := 1.
	for i := 0; i < steps && share > 0; i++ {
		share *= float64(n-other-i) / float64(n-i)
	}
	return share
}

// Repeats is one case that ran several times on the same commit.
type Repeats struct{ Ran, Passed int }

// FlakeRate is the share of repeated cases that both passed and failed on the
// same code, and how many repeated cases there were. A case that ran once can
// not show that it is flaky and does not count.
//
// The definition is the usual one of a flaky test: Luo et al., "An Empirical
// Analysis of Flaky Tests", FSE (2014); Micco, "The State of Continuous
// Integration Testing @Google" (2017). The share grows with the number of
// repeats.
//
// No repeated case: NaN, 0. A case with negative counts or Passed > Ran: NaN, 0.
func FlakeRate(cases []Repeats) (rate float64, repeated int) {
	flaky := 0
	for _, c := range cases {
		if c.Passed < 0 || c.Passed > c.Ran {
			return math.NaN(), 0
		}
		if c.Ran >= 2 {
			repeated++
			if c.Passed > 0 && c.Passed < c.Ran {
				flaky++
			}
		}
	}
	if repeated == 0 {
		return math.NaN(), 0
	}
	return float64(flaky) / float64(repeated), repeated
}
