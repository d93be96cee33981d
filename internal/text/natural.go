package text

import (
	"cmp"
	"strings"
)

// Natural orders names as a reader would: "question 2" before "question 10".
func Natural(a, b string) int {
	same := 0 // what both begin with says nothing, but for the number that it may end in
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	for same > 0 && isDigit(a[same-1]) {
		same--
	}
	for x, y := a[same:], b[same:]; ; {
		i, j := digit(x), digit(y)
		if x[:i] != y[:j] || i == len(x) || j == len(y) {
			if c := strings.Compare(x, y); c != 0 {
				return c
			}
			return strings.Compare(a, b)
		}
		m, n := number(x[i:]), number(y[j:])
		p, q := strings.TrimLeft(x[i:i+m], "0"), strings.TrimLeft(y[j:j+n], "0")
		if p != q {
			return cmp.Or(cmp.Compare(len(p), len(q)), strings.Compare(p, q))
		}
		x, y = x[i+m:], y[j+n:]
	}
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// digit is where the first digit stands, or the length.
func digit(s string) int {
	for i := range len(s) {
		if isDigit(s[i]) {
			return i
		}
	}
	return len(s)
}

// number is how many digits s begins with.
func number(s string) int {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return i
		}
	}
	return len(s)
}
