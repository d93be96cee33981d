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
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"cairn/internal/text"
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

// A Paint colors text, or leaves it as it is. Color never says anything alone:
// a word or a sign beside it says the same.
type Paint bool

// NewPaint colors what goes to a terminal, unless NO_COLOR is set.
func NewPaint(w io.Writer, getenv func(string) string) Paint {
	return Paint(IsTerminal(w) && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb")
}

func (p Paint) Good(text string) string { return p.in("32", text) }
func (p Paint) Bad(text string) string  { return p.in("31", text) }
func (p Paint) Warn(text string) string { return p.in("33", text) }
func (p Paint) Dim(text string) string  { return p.in("2", text) }
func (p Paint) Bold(text string) string { return p.in("1", text) }

func (p Paint) in(code, text string) string {
	if !p || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Table returns a writer of tables to w. On a terminal a row that is too wide
// ends with … at the edge instead of going on below the next column; what is
// not a terminal gets every row whole.
func Table(w io.Writer) io.Writer {
	if width := TerminalWidth(w); width > 0 {
		return &clipper{w: w, width: width}
	}
	return w
}

// TerminalWidth returns how many columns the terminal w has, 0 when w is none
// or has too few for a table: then nothing is to be cut.
func TerminalWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !IsTerminal(f) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 20 {
		return 0
	}
	return width
}

// clipper cuts lines. What is behind the last line's end waits for the rest.
type clipper struct {
	w     io.Writer
	width int // columns
	line  []byte
}

func (c *clipper) Write(p []byte) (int, error) {
	var out []byte
	for line := range bytes.Lines(p) {
		body, end := bytes.CutSuffix(line, []byte("\n"))
		if c.line = append(c.line, body...); end {
			out = append(append(out, text.Cut(string(c.line), c.width)...), '\n')
			c.line = c.line[:0]
		}
	}
	_, err := c.w.Write(out)
	return len(p), err
}
