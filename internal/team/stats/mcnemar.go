package stats

import "math"

// exactUpTo is the number of discordant cases up to which McNemar takes the
// exact p. It is never too small there; past it the exact p is needlessly
// large, and mid-p is the better one.
const exactUpTo = 25

// McNemarExact is the two-sided exact p-value of McNemar's test. b is the
// number of cases that passed in A only (lost), c of those that passed in B
// only (gained). If nothing changed, each discordant case fell on either side
// by a fair coin: p is twice the smaller tail of Binomial(b+c, ½), at most 1.
// Cases that passed in both or failed in both do not enter.
//
// Source: McNemar, Psychometrika 12 (1947); the exact form is the sign test,
// e.g. Agresti, Categorical Data Analysis (2002), 10.1.
// No discordant case: 1. Negative counts: NaN.
func McNemarExact(b, c int) float64 {
	if b < 0 || c < 0 {
		return math.NaN()
	}
	return math.Min(1, 2*BinomialCDF(min(b, c), b+c, 0.5))
}

// McNemarMidP is McNemarExact with half of the probability of what was seen
// in the place of all of it.
//
// Source: Lancaster, JASA 56 (1961); for matched pairs Fagerland, Lydersen and
// Laake, BMC Medical Research Methodology 13:91 (2013), who found it to hold
// its level in almost all tables, while the exact test falls far below it.
// No discordant case: 1. Negative counts: NaN.
func McNemarMidP(b, c int) float64 {
	if b < 0 || c < 0 {
		return math.NaN()
	}
	k, n := min(b, c), b+c
	return math.Min(1, 2*BinomialCDF(k-1, n, 0.5)+binomialPMF(k, n, 0.5))
}

// McNemar is the two-sided p-value that a comparison shows: exact up to 25
// discordant cases, mid-p past that. method is "exact" or "mid-p".
func McNemar(b, c int) (p float64, method string) {
	if b+c > exactUpTo {
		return McNemarMidP(b, c), "mid-p"
	}
	return McNemarExact(b, c), "exact"
}
