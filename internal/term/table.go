package term

import (
	"bytes"
	"io"
	"os"

	"golang.org/x/term"
)

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
			out = append(append(out, c.clip(c.line)...), '\n')
			c.line = c.line[:0]
		}
	}
	_, err := c.w.Write(out)
	return len(p), err
}

func (c *clipper) clip(line []byte) []byte {
	column, fits := 0, 0 // fits: bytes that leave a column for the …
	for i, r := range string(line) {
		if column < c.width {
			fits = i
		}
		if column += columns(r); column > c.width {
			return append(bytes.Clone(line[:fits]), "…"...)
		}
	}
	return line
}

// columns is how wide a terminal draws r, near enough: scripts of East Asia
// and pictures take two.
func columns(r rune) int {
	if r >= 0x1100 && r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff || r >= 0xff00 && r <= 0xff60 || r >= 0x1f300 {
		return 2
	}
	return 1
}
