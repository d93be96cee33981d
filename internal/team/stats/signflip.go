package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// enumerateUpTo is the number of differences other than 0 up to which SignFlip
// looks at every assignment of signs.
const enumerateUpTo = 24

// SignFlip is the two-sided p-value for a mean other than 0 of paired
// differences (B − A, one for each case): if nothing changed, each difference
// could as well have had the other sign, so p is the share of the assignments
// of signs whose sum is as far from 0 as the one seen, or farther. It assumes
// nothing of how scores are distributed, and is honest at small n: five cases
// can not give less than 2/32. Cases without a difference have no say.
//
// method is "exact" where all assignments were looked at (up to 24 differences
// other than 0); past that "monte carlo": resamples assignments drawn by seed,
// the one seen counted among them, so p is never below 1/(resamples+1); from 1,000 on
// "saddlepoint", SignTail's formula, which is closer than so many draws.
// For differences of −1, 0 and 1 the exact p is McNemarExact's.
//
// Source: Fisher, The Design of Experiments (1935), §21; the count of one in
// both parts of the share: Phipson and Smyth, Statistical Applications in
// Genetics and Molecular Biology 9 (2010).
//
// No difference but 0, or no case: 1. NaN or an infinite difference, or fewer
// than one resample where they are needed: NaN, "none".
func SignFlip(diffs []float64, resamples int, seed uint64) (p float64, method string) {
	sizes, seen, all := sizesOf(diffs)
	if math.IsNaN(all) || math.IsInf(all, 0) {
		return math.NaN(), "none"
	}
	// Assignments that tie with the one seen must count, whatever the rounding.
	reach := math.Abs(seen) - all*1e-12
	switch {
	case reach <= 0:
		return 1, "exact"
	case len(sizes) <= enumerateUpTo:
		return shareReaching(sizes, reach), "exact"
	case resamples < 1:
		return math.NaN(), "none"
	case len(sizes) >= manyCases && sizes[len(sizes)-1]*sizes[len(sizes)-1] < smallShare*sumOfSquares(sizes):
		return clamp01(2 * saddlepoint(sizes, reach, all)), "saddlepoint"
	}
	return drawnReaching(sizes, reach, resamples, seed), "monte carlo"
}

// sizesOf are the differences other than 0 without their signs, rising, the sum of the
// differences and that of the sizes: the same bits for any order of the differences, and
// the same sizes for B − A as for A − B.
func sizesOf(diffs []float64) (sizes []float64, seen, all float64) {
	sorted := inOrder(diffs)
	for _, d := range sorted {
		seen += d
	}
	fell, _ := slices.BinarySearch(sorted, 0) // NaN comes first
	rose := fell
	for rose < len(sorted) && sorted[rose] == 0 {
		rose++
	}
	sizes = make([]float64, 0, len(sorted))
	for down, up := fell-1, rose; down >= 0 || up < len(sorted); { // both rise from the middle on
		if up == len(sorted) || down >= 0 && -sorted[down] < sorted[up] {
			sizes = append(sizes, math.Abs(sorted[down]))
			down--
		} else {
			sizes = append(sizes, sorted[up])
			up++
		}
	}
	for _, s := range sizes {
		all += s
	}
	return sizes, seen, all
}

// shareReaching is the share of all assignments of signs whose sum is at least
// reach (above 0) away from 0. Each half of the sizes has few sums; a sum of
// one half reaches with all those of the other from some point on.
func shareReaching(sizes []float64, reach float64) float64 {
	half := len(sizes) / 2
	left, right := signedSums(sizes[:half]), signedSums(sizes[half:])
	slices.Sort(right)
	above := 0
	for _, sum := range left {
		from, _ := slices.BinarySearch(right, reach-sum)
		above += len(right) - from
	}
	// Turning all signs turns the sum: as many reach below 0.
	return 2 * float64(above) / float64(len(left)*len(right))
}

// signedSums is every sum of sizes with every assignment of signs.
func signedSums(sizes []float64) []float64 {
	sums := make([]float64, 1, 1<<len(sizes))
	for _, s := range sizes {
		for i, sum := range sums {
			sums[i] = sum - s
			sums = append(sums, sum+s)
		}
	}
	return sums
}

// drawnReaching is the share of reaching assignments among those drawn and the
// one seen.
func drawnReaching(sizes []float64, reach float64, resamples int, seed uint64) float64 {
	source := rand.NewPCG(seed, streamSignFlip)
	reached := 1
	for range resamples {
		sum := 0.
		for rest := sizes; len(rest) > 0; {
			u := source.Uint64()
			now := rest[:min(64, len(rest))]
			for _, s := range now { // a random bit becomes the sign bit
				sum += math.Float64frombits(math.Float64bits(s) | u<<63)
				u >>= 1
			}
			rest = rest[len(now):]
		}
		if math.Abs(sum) >= reach {
			reached++
		}
	}
	return float64(reached) / float64(resamples+1)
}
