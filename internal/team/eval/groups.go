package eval

import (
	"fmt"
	"slices"
	"strings"
)

// groups gives n things letters so that two share one exactly where they are
// no pair of differ: a compact letter display, by the insert-and-absorb method
// of Piepho, Journal of Computational and Graphical Statistics 13 (2004).
func groups(n int, differ [][2]int) []string {
	everything := make([]bool, n)
	for i := range everything {
		everything[i] = true
	}
	columns := [][]bool{everything}
	for _, pair := range differ {
		var next [][]bool
		for _, column := range columns {
			if !column[pair[0]] || !column[pair[1]] {
				next = append(next, column)
				continue
			}
			for _, out := range pair { // the column without the one, and without the other
				split := slices.Clone(column)
				split[out] = false
				next = append(next, split)
			}
		}
		columns = absorb(next)
	}
	slices.SortFunc(columns, func(a, b []bool) int {
		for i := range a {
			switch {
			case a[i] && !b[i]:
				return -1
			case b[i] && !a[i]:
				return 1
			}
		}
		return 0
	})
	letters := make([]string, n)
	for i := range letters {
		for k, column := range columns {
			if column[i] {
				letters[i] += letter(k)
			}
		}
	}
	return letters
}

// absorb leaves out columns that another holds whole.
func absorb(columns [][]bool) (kept [][]bool) {
	for i, a := range columns {
		held := false
		for k, b := range columns {
			held = held || k != i && within(a, b) && (k < i || !within(b, a))
		}
		if !held {
			kept = append(kept, a)
		}
	}
	return kept
}

func within(a, b []bool) bool {
	for i := range a {
		if a[i] && !b[i] {
			return false
		}
	}
	return true
}

func letter(k int) string {
	if k < 26 {
		return string(rune('a' + k))
	}
	return strings.TrimSpace(fmt.Sprintf("(%d)", k+1))
}
