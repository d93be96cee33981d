package stats

import "math"

const (
	// mostUnits bounds the common denominator that SignTail looks for, mostSteps
	// the additions of its exact count.
	mostUnits, mostSteps = 1e5, 3e7
)

// SignTail is SignFlip's p-value without draws, so that it can be smaller than
// any number of draws could show: a p that is multiplied by many tests needs
// that.
//
// method is "exact" where the differences have a common denominator, which mean
// shares of few runs have: sums of whole numbers are counted, in as many steps
// as there are cases and units. Else it is "saddlepoint", the tail formula of
// Lugannani and Rice, Advances in Applied Probability 12 (1980): its relative
// error is below 2 % from 25 differences on that have no common denominator, or
// so many that counting is slow.
//
// No difference but 0, or no case: 1. NaN or an infinite difference: NaN, "none".
func SignTail(diffs []float64) (p float64, method string) {
	sizes, seen, all := sizesOf(diffs)
	reach := math.Abs(seen) - all*1e-12
	switch {
	case math.IsNaN(all) || math.IsInf(all, 0):
		return math.NaN(), "none"
	case reach <= 0:
		return 1, "exact"
	case len(sizes) <= enumerateUpTo:
		return shareReaching(sizes, reach), "exact"
	}
	if units := unitsOf(sizes); units > 0 {
		// A sum reaches where what has the other sign is at most half of the rest.
		most := int(math.Floor((all-reach)*units/2 + 1e-6))
		if float64(most)*float64(len(sizes)) <= mostSteps {
			return clamp01(2 * shareUpTo(sizes, units, most)), "exact"
		}
	}
	return clamp01(2 * saddlepoint(sizes, reach, all)), "saddlepoint"
}

// unitsOf is a number of which every size times it is whole, 0 where there is
// none that is small.
func unitsOf(sizes []float64) float64 {
	units := 1.
	for _, s := range sizes {
		step := units
		for !whole(s * units) {
			if units += step; units > mostUnits {
				return 0
			}
		}
	}
	return units
}

func whole(v float64) bool { return math.Abs(v-math.Round(v)) < 1e-7 }

// shareUpTo is the share of the choices of sizes whose sum is at most so many units.
func shareUpTo(sizes []float64, units float64, most int) (share float64) {
	chosen := make([]float64, most+1) // [n] is the share of choices so far with the sum n
	chosen[0] = 1
	for _, s := range sizes {
		n := int(math.Round(s * units))
		for i := most; i >= 0; i-- {
			chosen[i] /= 2
			if i >= n {
				chosen[i] += chosen[i-n] / 2
			}
		}
	}
	for _, c := range chosen {
		share += c
	}
	return share
}

// saddlepoint is the share of assignments of signs whose sum is reach or more.
func saddlepoint(sizes []float64, reach, all float64) float64 {
	// K is Σ log cosh(ts): its slope at t has to be reach.
	slope := func(t float64) (first, second float64) {
		for _, s := range sizes {
			h := math.Tanh(t * s)
			first += s * h
			second += s * s * (1 - h*h)
		}
		return first, second
	}
	// The slope rises ever less steeply: Newton's steps from the left never pass what is
	// sought. Where rounding or a slope of 0 leads astray, the middle is next.
	low, high := 0., 1/(all/float64(len(sizes)))
	for range 200 {
		if first, _ := slope(high); first >= reach {
			break
		}
		low, high = high, high*2
	}
	t := low
	for range 100 {
		first, second := slope(t)
		if first < reach {
			low = t
		} else {
			high = t
		}
		next := t + (reach-first)/second
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		moved := math.Abs(next - t)
		if t = next; moved <= 1e-13*t || high-low <= 1e-13*high {
			break
		}
	}
	_, second := slope(t)
	k := 0.
	for _, s := range sizes { // log cosh x, where cosh x is too large for a number
		k += t*s + math.Log1p(math.Exp(-2*t*s)) - math.Ln2
	}
	w := math.Sqrt(math.Max(0, 2*(t*reach-k)))
	if w < 1e-3 { // the formula divides by it
		return normalCDF(-w)
	}
	v := t * math.Sqrt(second)
	return clamp01(normalCDF(-w) + math.Exp(-w*w/2)/math.Sqrt(2*math.Pi)*(1/v-1/w))
}
