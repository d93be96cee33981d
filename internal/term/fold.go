package term

import (
	"io"

	"cairn/internal/text"
)

// Fold breaks a sentence at words where the terminal w ends; what goes on is
// indented by so many columns. What is not a terminal gets it whole, and a text
// of several lines stays as it is.
func Fold(w io.Writer, sentence string, indent int) string {
	return text.Fold(sentence, TerminalWidth(w), indent)
}
