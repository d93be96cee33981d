package record

import "cairn/internal/text"

// A Scaled parser limits itself how much it shows: of that one part in so many, where
// the level asks for less.
type Scaled interface{ Scale(parts int) }

// A scale is that of a parser; the zero value is all.
type scale int

func (s *scale) Scale(parts int) { *s = scale(parts) }

// of is a limit at this scale.
func (s scale) of(n int) int { return n / max(int(s), 1) }

// less reports whether less than usual is shown.
func (s scale) less() bool { return s > 1 }

// Narrow cuts a line to about n bytes and says how many are missing.
func Narrow(s string, n int) string {
	if len(s) <= n+40 {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n-- // not in the middle of a character
	}
	return s[:n] + " " + cutMark(len(s)-n)
}

// cutMark says how many bytes of a line are missing.
func cutMark(n int) string { return "[… " + text.Thousands(n) + " bytes …]" }
