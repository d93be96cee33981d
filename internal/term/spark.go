package term

import "strconv"

// Spark draws values as bars of eight heights. A value above zero is never
// drawn as none.
func Spark(values []int) string {
	bars := []rune("▁▂▃▄▅▆▇█")
	most := 1
	for _, v := range values {
		most = max(most, v)
	}
	line := make([]rune, len(values))
	for i, v := range values {
		switch {
		case v <= 0:
			line[i] = '·'
		default:
			line[i] = bars[min(v*len(bars)/most, len(bars)-1)]
		}
	}
	return string(line)
}

// Approx says a number as a person would: 950, 12.3k, 4.56M.
func Approx(n int) string {
	switch f := float64(n); {
	case n < 0:
		return "−" + Approx(-n)
	case n < 1000:
		return strconv.Itoa(n)
	case n < 99_950:
		return strconv.FormatFloat(f/1e3, 'f', 1, 64) + "k"
	case n < 999_500:
		return strconv.FormatFloat(f/1e3, 'f', 0, 64) + "k"
	}
	return strconv.FormatFloat(float64(n)/1e6, 'f', 2, 64) + "M"
}
