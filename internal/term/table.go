package term

import (
	"bytes"
	"io"
	"os"

	"cairn/internal/text"

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
			out = append(append(out, text.Cut(string(c.line), c.width)...), '\n')
			c.line = c.line[:0]
		}
	}
	_, err := c.w.Write(out)
	return len(p), err
}
