package term

import (
	"math"
	"strconv"
	"strings"
	"time"
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

// Count says how many of a thing there are: 1 case, 7 cases, 2 entries.
func Count(n int, noun string) string {
	switch stem, y := strings.CutSuffix(noun, "ry"); {
	case n == 1:
	case y:
		noun = stem + "ries"
	case strings.HasSuffix(noun, "criterion"):
		noun = strings.TrimSuffix(noun, "on") + "a"
	default:
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
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

// Bytes says a size as a person would: 512 B, 4.0 KB, 1.3 GB, each unit 1,024
// of the one before.
func Bytes(n int64) string {
	if n < 1024 {
		return strconv.FormatInt(n, 10) + " B"
	}
	f, unit := float64(n), 0
	for f >= 999.95 && unit < 4 {
		f /= 1024
		unit++
	}
	return strconv.FormatFloat(f, 'f', 1, 64) + []string{" B", " KB", " MB", " GB", " TB"}[unit]
}

// Duration says a time as a person would: 250µs, 12ms, 1.2s, 14m53s, −3s.
func Duration(d time.Duration) string {
	switch {
	case d < 0:
		return "−" + Duration(-max(d, -math.MaxInt64)) // the least has no counterpart
	case d < time.Millisecond:
		return d.Round(time.Microsecond).String()
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}
