// Package tokens estimates how many tokens a text costs a model.
//
// It is a leaf: every package may import it and it imports none of ours.
// Prices and budgets never belong here.
//
// It is an estimate on purpose. A real tokenizer is megabytes of tables, is
// another one for each model, and for some is not published; what is decided
// and shown here are ratios of two texts of the same kind, in which an error
// common to both cancels. Four characters to a token is the usual rule for
// English and code, and measurements made with it can be compared.
package tokens

import (
	"encoding/binary"
	"unicode/utf8"
)

const charsPerToken = 4

// Estimate returns the tokens of s: its characters (runes), divided by four
// and rounded up. It allocates nothing.
func Estimate(s string) int {
	n := 0
	for len(s) >= 8 {
		if binary.LittleEndian.Uint64([]byte(s))&0x8080808080808080 == 0 { // eight of ASCII, as nearly all are
			n, s = n+8, s[8:]
			continue
		}
		_, size := utf8.DecodeRuneInString(s)
		n, s = n+1, s[size:]
	}
	return ceil(n + utf8.RuneCountInString(s))
}

// EstimateBytes returns the tokens of n bytes of a text that is not at hand,
// as if each were a character. For a text beyond ASCII that is too many.
func EstimateBytes(n int) int { return ceil(n) }

func ceil(chars int) int { return (chars + charsPerToken - 1) / charsPerToken }
