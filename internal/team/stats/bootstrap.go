package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Interval is an estimate and what it may be. Method says how Lo and Hi were
// got: "bca"; "percentile" where BCa has no answer; or "none" where the data
// allow no interval at all, and Lo and Hi are only the estimate again. A caller
// says "no interval" then: it must not show a width of 0.
type Interval struct {
	Estimate, Lo, Hi float64
	Method           string
}

// PairedBootstrap estimates the mean of paired differences (B − A, one for each
// case, in the unit of the score) with a bootstrap interval of the given
// confidence (0.95), from resamples draws of all cases with replacement.
//
// Source: Efron, "Better Bootstrap Confidence Intervals", JASA 82 (1987): bias
// corrected and accelerated, with the acceleration of the jackknife (Efron and
// Tibshirani, An Introduction to the Bootstrap, 1993, 14.3), which for a mean
// is the skewness over 6√n. A resampled mean that equals the estimate counts
// half towards the bias, as scores of few values tie often.
//
// Below some 20 cases any bootstrap interval is too narrow; SignFlip's p-value
// is right at every n. 2,000 resamples give the ends to about a twentieth of
// the width.
//
// "percentile": every resampled mean lies on one side of the estimate, or the
// acceleration is too large for the confidence asked. "none": fewer than two
// cases, no two that differ, fewer than one resample or a confidence that is
// not inside 0..1. No case at all, or one that is NaN or infinite, makes all
// three numbers NaN.
//
// From 1,000 cases on, of which none decides the mean alone, the ends are those of the
// expansion that the draws come close to (Hall, The Bootstrap and Edgeworth Expansion,
// 1992, 3.10), without draws.
func PairedBootstrap(diffs []float64, resamples int, confidence float64, seed uint64) Interval {
	sorted := inOrder(diffs)
	mean := Mean(sorted)
	none := Interval{mean, mean, mean, "none"}
	if math.IsNaN(mean) || sorted[0] == sorted[len(sorted)-1] || resamples < 1 || !(confidence > 0 && confidence < 1) {
		return none
	}
	if lo, hi, ok := expandedBCa(sorted, mean, confidence); ok {
		return Interval{mean, lo, hi, "bca"}
	}
	means := resampledMeans(sorted, resamples, seed)
	bias := normalQuantile(shareBelow(means, mean, math.Max(-sorted[0], sorted[len(sorted)-1])))
	acceleration := accelerationOfMean(sorted, mean)

	z := zTwoSided(confidence)
	lo, okLo := bcaLevel(bias, acceleration, -z)
	hi, okHi := bcaLevel(bias, acceleration, z)
	method := "bca"
	if !okLo || !okHi {
		lo, hi, method = (1-confidence)/2, (1+confidence)/2, "percentile"
	}
	return Interval{mean, quantile(means, lo), quantile(means, hi), method}
}

// inOrder is a sorted copy; of values that are sorted already it costs no more than
// looking.
func inOrder(values []float64) []float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted
}

// From so many cases on formulas are closer than draws, where no case has more than a
// small share of the sum of squares.
const (
	manyCases  = 1000
	smallShare = .01
)

// expandedBCa is the interval that ever more draws lead to, up to terms of 1/n: for a
// mean the bias is the acceleration, and a resampled mean has the skewness that it
// comes from.
func expandedBCa(sorted []float64, mean, confidence float64) (lo, hi float64, ok bool) {
	n := float64(len(sorted))
	if len(sorted) < manyCases {
		return 0, 0, false
	}
	squares, most := 0., 0.
	for _, v := range sorted {
		square := (v - mean) * (v - mean)
		squares, most = squares+square, math.Max(most, square)
	}
	if !(most < smallShare*squares) || math.IsInf(squares, 0) {
		return 0, 0, false
	}
	a, z := accelerationOfMean(sorted, mean), zTwoSided(confidence)
	end := func(z float64) float64 {
		w := a + (a+z)/(1-a*(a+z))
		return mean + math.Sqrt(squares)/n*(w+a*(w*w-1))
	}
	return end(-z), end(z), true
}

func sumOfSquares(values []float64) (sum float64) {
	for _, v := range values {
		sum += v * v
	}
	return sum
}

// bcaLevel is the share of the resampled means that lies below one end of the
// interval.
func bcaLevel(bias, acceleration, z float64) (level float64, ok bool) {
	w := bias + z
	stretch := 1 - acceleration*w
	if math.IsInf(bias, 0) || !(stretch > 0) {
		return 0, false
	}
	return normalCDF(bias + w/stretch), true
}

// resampledMeans draws len(values) of values with replacement, resamples times,
// and returns the means in rising order.
func resampledMeans(values []float64, resamples int, seed uint64) []float64 {
	n := uint64(len(values))
	source := rand.NewPCG(seed, streamBootstrap)
	means := make([]float64, resamples)
	for r := range means {
		// Two draws for each number of the generator: each half, taken as a
		// fraction, times n. That prefers no case by more than n/2³².
		var a, b float64
		for range n / 2 {
			u := source.Uint64()
			a += values[(u>>32)*n>>32]
			b += values[(u&math.MaxUint32)*n>>32]
		}
		if n%2 == 1 {
			a += values[(source.Uint64()>>32)*n>>32]
		}
		means[r] = (a + b) / float64(n)
	}
	slices.Sort(means)
	return means
}

// The second half of a seed: each use has a stream of its own.
const (
	streamBootstrap = 1
	streamSignFlip  = 2
)

// shareBelow is the share of sorted values below middle, those at it counted
// half. Sums of the same cases in another order differ in the last bits: what
// is nearer to middle than that, next to scale, is at it.
func shareBelow(sorted []float64, middle, scale float64) float64 {
	below, _ := slices.BinarySearch(sorted, middle-scale*1e-12)
	upTo, _ := slices.BinarySearch(sorted, middle+scale*1e-12)
	return float64(below+upTo) / 2 / float64(len(sorted))
}

// accelerationOfMean is Σd³/(6·(Σd²)^1.5) for the distances d from the mean,
// which is what leaving out one case at a time comes to for a mean. Values are
// sorted and not all equal.
func accelerationOfMean(sorted []float64, mean float64) float64 {
	spread := sorted[len(sorted)-1] - sorted[0] // keeps the powers in range
	var squares, cubes float64
	for _, v := range sorted {
		d := v/spread - mean/spread
		squares += d * d
		cubes += d * d * d
	}
	return cubes / (6 * squares * math.Sqrt(squares))
}

// quantile is the value of sorted at a level of 0..1, interpolated between
// neighbors: definition 7 of Hyndman and Fan, The American Statistician 50
// (1996).
func quantile(sorted []float64, level float64) float64 {
	whole, part := math.Modf(level * float64(len(sorted)-1))
	i := int(whole)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + part*(sorted[i+1]-sorted[i])
}

// Mean is the arithmetic mean, NaN of no value and where the sum is not finite.
func Mean(values []float64) float64 {
	sum := 0.
	for _, v := range values {
		sum += v
	}
	mean := sum / float64(len(values))
	if math.IsInf(mean, 0) {
		return math.NaN()
	}
	return mean
}
