package stats

import "math"

// StudentTail is the two-sided p-value of Student's t: how probable it is that
// t of so many degrees of freedom is as far from 0, or farther. Below 1e-15 it
// is 0.
//
// Source: the finite series of Abramowitz and Stegun, Handbook of Mathematical
// Functions (1964), 26.7.3 and 26.7.4.
//
// Fewer than one degree of freedom, or a t that is NaN: NaN.
func StudentTail(t float64, freedom int) float64 {
	if freedom < 1 || math.IsNaN(t) {
		return math.NaN()
	}
	angle := math.Atan(math.Abs(t) / math.Sqrt(float64(freedom)))
	sin, cos := math.Sincos(angle)
	term, sum := 1., 0. // of the powers of cos: even ones, or odd ones
	from := 1
	if freedom%2 == 1 {
		term, from = cos, 2
	}
	for n := from; n < freedom; n += 2 {
		sum += term
		term *= cos * cos * float64(n) / float64(n+1)
	}
	if freedom%2 == 1 {
		return clamp01(1 - 2/math.Pi*(angle+sin*sum))
	}
	return clamp01(1 - sin*sum)
}
