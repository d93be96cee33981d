package term

import (
	"io"
	"strings"
)

// Fold breaks a sentence at words where the terminal w ends; what goes on is
// indented by so many columns. What is not a terminal gets it whole, and a text
// of several lines stays as it is.
func Fold(w io.Writer, text string, indent int) string {
	return fold(text, TerminalWidth(w), indent)
}

func fold(text string, width, indent int) string {
	if width == 0 || Width(text) <= width || strings.Contains(text, "\n") {
		return text
	}
	var out strings.Builder
	at := 0
	for i, word := range strings.Split(text, " ") {
		n := Width(word)
		switch {
		case i == 0:
		case at+1+n > width && at > indent:
			out.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			out.WriteByte(' ')
			at++
		}
		out.WriteString(word)
		at += n
	}
	return out.String()
}
