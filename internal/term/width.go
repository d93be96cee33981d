package term

import (
	"io"
	"strings"
	"unicode"
)

// TerminalWidth returns how many columns the terminal w has, 0 when w is none
// or has too few for a table: then nothing is to be cut.
func TerminalWidth(w io.Writer) int { return terminalWidth(w) }

// Printable is a stranger's text as one line that moves no cursor: without
// control characters and what turns the direction of writing.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return ' '
		case unicode.IsControl(r), r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return -1
		}
		return r
	}, text)
}
