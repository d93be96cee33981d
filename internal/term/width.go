package term

import "io"

// TerminalWidth returns how many columns the terminal w has, 0 when w is none
// or has too few for a table: then nothing is to be cut.
func TerminalWidth(w io.Writer) int { return terminalWidth(w) }
