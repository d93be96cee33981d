package text

import (
	"cmp"
	"strings"
)

// Natural orders names as a reader would: "question 2" before "question 10".
func Natural(a, b string) int {
	for x, y := a, b; ; {
		i, j := digit(x), digit(y)
		if x[:i] != y[:j] || i == len(x) || j == len(y) {
			return cmp.Or(strings.Compare(x, y), strings.Compare(a, b))
		}
		m, n := number(x[i:]), number(y[j:])
		p, q := strings.TrimLeft(x[i:i+m], "0"), strings.TrimLeft(y[j:j+n], "0")
		if p != q {
			return cmp.Or(cmp.Compare(len(p), len(q)), strings.Compare(p, q))
		}
		x, y = x[i+m:], y[j+n:]
	}
}

const digits = "0123456789"

// digit is where the first digit stands, or the length.
func digit(s string) int {
	if i := strings.IndexAny(s, digits); i >= 0 {
		return i
	}
	return len(s)
}

// number is how many digits s begins with.
func number(s string) int { return len(s) - len(strings.TrimLeft(s, digits)) }
