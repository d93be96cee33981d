package plancmd

import (
	"fmt"
	"io"

	"cairn/internal/answer"
	"cairn/internal/term"
	"cairn/internal/text"
)

// table is a line of cells for each item, parted by tabs, under a header, "" for
// none.
func table[T any](header string, items []T, cells func(T) string) answer.Text {
	return func(w io.Writer) {
		t := term.NewColumns(w)
		if header != "" {
			fmt.Fprintln(t, header)
		}
		for _, it := range items {
			fmt.Fprintln(t, cells(it))
		}
		_ = t.Flush() // to a terminal or a pipe: there is nobody to tell
	}
}

func lines(list []string) answer.Text {
	return func(w io.Writer) {
		for _, l := range list {
			fmt.Fprintln(w, l)
		}
	}
}

func ifNone(list []string, talk string) string {
	if len(list) > 0 {
		return ""
	}
	return talk
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func mark(done bool) string {
	if done {
		return "yes"
	}
	return "no"
}

// are is term.Count with its verb: 1 thing is, 2 things are.
func are(n int, what string) string {
	if n == 1 {
		return "1 " + what + " is"
	}
	return text.Count(n, what) + " are"
}

// tally prints how many of something are right.
func tally(good, all int, what string) string {
	return fmt.Sprintf("%d of %d %s", good, all, what)
}
