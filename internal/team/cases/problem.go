package cases

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/term"
)

// A Problem is one thing wrong with a file.
type Problem struct {
	At      Position
	What    string
	Warning bool // the case can be graded all the same
}

func (p Problem) Error() string { return p.At.String() + ": " + p.What }

// Problems is what is wrong, in the order of files and lines.
type Problems []Problem

func (p Problems) Error() string {
	switch len(p) {
	case 0:
		return "no problem"
	case 1:
		return p[0].Error()
	}
	return fmt.Sprintf("%s (and %d more)", p[0].Error(), len(p)-1)
}

// Errors are those that are no warnings.
func (p Problems) Errors() Problems { return p.only(false) }

// Warnings are those that are no errors.
func (p Problems) Warnings() Problems { return p.only(true) }

func (p Problems) only(warning bool) (out Problems) {
	for _, one := range p {
		if one.Warning == warning {
			out = append(out, one)
		}
	}
	return out
}

func (p *Problems) say(at Position, format string, args ...any) {
	*p = append(*p, Problem{At: at, What: fmt.Sprintf(format, args...)})
}

func (p *Problems) warn(at Position, format string, args ...any) {
	*p = append(*p, Problem{At: at, What: fmt.Sprintf(format, args...), Warning: true})
}

func (p Problems) sort() {
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.At.File, b.At.File), a.At.Line-b.At.Line, a.At.Column-b.At.Column)
	})
}

// Near returns the word of known that was likely meant, as "; did you mean …",
// or "".
func Near(word string, known []string) string {
	word = strings.ToLower(word)
	best, least := "", 1+len(word)/4
	for _, k := range known {
		if d := distance(word, k, least+1); d > 0 && d <= least && (best == "" || d < distance(word, best, least+1)) {
			best = k
		}
	}
	if best == "" {
		for _, k := range known {
			if len(word) > 3 && (strings.HasPrefix(k, word) || strings.HasSuffix(k, word)) {
				best = k
				break
			}
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q", best)
}

// distance counts the letters to insert, delete or replace; more than most is
// not told apart.
func distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before, row[j+1] = row[j+1], min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// shown makes a stranger's text fit for a sentence.
func shown(s string) string { return term.Shorten(term.Line(s), 60) }
