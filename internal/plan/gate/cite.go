package gate

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/internal/plan/doc"
)

// phraseWords is how many words of a decision in a row cite it.
const phraseWords = 6

// haystack is a text in which decisions are looked for.
type haystack struct {
	raw   string
	words string // lower case, one space between and around
}

func newHaystack(raw string) haystack {
	return haystack{raw: raw, words: " " + strings.Join(words(raw), " ") + " "}
}

// cites reports whether the text names the decision by its id, or repeats
// phraseWords of its words in a row. A shorter decision needs the id.
func (h haystack) cites(d doc.Decision) bool {
	if HasID(h.raw, d.ID) {
		return true
	}
	ws := words(d.Text)
	for i := 0; i+phraseWords <= len(ws); i++ {
		if strings.Contains(h.words, " "+strings.Join(ws[i:i+phraseWords], " ")+" ") {
			return true
		}
	}
	return false
}

// words returns the runs of letters, marks and digits of any script, in
// lower case.
func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !inWord(r) })
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// HasID reports whether id stands in s and is not a part of another id:
// D-1 is in "D-1." and not in D-10, D-1-x or AD-1.
func HasID(s, id string) bool {
	for from := 0; id != ""; {
		i := strings.Index(s[from:], id)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		if !inID(before) && before != '-' && !idGoesOn(s[i+len(id):]) {
			return true
		}
		from = i + 1
	}
	return false
}

// idGoesOn reports whether rest continues an id: with a letter, a digit or _,
// or with dashes and one of these.
func idGoesOn(rest string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, "-"))
	return inID(r)
}

func inID(r rune) bool { return r == '_' || r != utf8.RuneError && inWord(r) }
