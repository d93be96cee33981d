package stats

import "math"

// normalCDF is the standard normal distribution function Φ.
func normalCDF(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }

// normalQuantile is Φ⁻¹: −Inf at 0, +Inf at 1, NaN outside.
func normalQuantile(p float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*p) }

// zTwoSided is the z that leaves (1 − confidence)/2 on each side, 1.96 for 0.95.
// NaN where confidence is not inside 0..1.
func zTwoSided(confidence float64) float64 {
	if !(confidence > 0 && confidence < 1) {
		return math.NaN()
	}
	return normalQuantile((1 + confidence) / 2)
}
