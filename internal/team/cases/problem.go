package cases

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/term"
	"cairn/internal/text"
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
	return slices.DeleteFunc(slices.Clone(p), func(one Problem) bool { return one.Warning != warning })
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
	if near := text.Nearest(word, known); near != "" {
		return fmt.Sprintf("; did you mean %q", near)
	}
	return ""
}

// shown makes a stranger's text fit for a sentence.
func shown(s string) string { return text.Shorten(term.Line(s), 60) }
