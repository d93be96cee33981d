package term

import (
	"strconv"
	"strings"
)

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

// Shorten shows a text on one line of at most limit characters, the last of
// them … when there is more.
func Shorten(text string, limit int) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > limit {
		return string(r[:limit-1]) + "…"
	}
	return text
}
