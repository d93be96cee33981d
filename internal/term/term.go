// Package term is how cairn talks to a person: errors with a remedy, tables,
// bars, and what kind of terminal is listening. How a value is written is text's.
//
// It is a leaf: every package may import it, and of ours it imports text alone.
// What is said never belongs here, only how.
//
// The rules of the voice: stdout is data, stderr is talk; lower case, no full
// stop, no stack; every error whose remedy is known carries a hint.
package term

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// hinted is an error that knows what the user should do next.
type hinted struct {
	error
	hint string
}

func (h hinted) Unwrap() error { return h.error }
func (h hinted) Hint() string  { return h.hint }

// Hint returns err with a remedy that Print shows on a line of its own. A nil
// err stays nil.
func Hint(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return hinted{err, fmt.Sprintf(format, args...)}
}

// HintOf returns the remedy nearest to the surface of err, or "". An error of a
// domain that knows its own has a method Hint.
func HintOf(err error) string {
	var h interface{ Hint() string }
	if errors.As(err, &h) {
		return h.Hint()
	}
	return ""
}

// Print writes err as `cairn: error: …` and its remedy as a hint. What names
// and files of strangers brought into the sentence can do nothing.
func Print(w io.Writer, err error) {
	fmt.Fprintln(w, Fold(w, "cairn: error: "+sentence(err.Error()), 0))
	if h := HintOf(err); h != "" {
		PrintHint(w, "%s", h)
	}
}

// PrintHint writes `cairn: hint: …`: what to do next where nothing failed.
func PrintHint(w io.Writer, format string, args ...any) {
	fmt.Fprintln(w, Fold(w, "cairn: hint: "+sentence(fmt.Sprintf(format, args...)), 0))
}

// Warn writes `cairn: warning: …`.
func Warn(w io.Writer, format string, args ...any) {
	fmt.Fprintln(w, Fold(w, "cairn: warning: "+sentence(fmt.Sprintf(format, args...)), 0))
}

// longest is how many bytes a sentence may have, whatever name is in it.
const longest = 2000

func sentence(text string) string {
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return Printable(text)
}

// IsTerminal reports whether f is a terminal.
func IsTerminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
