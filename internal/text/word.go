package text

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Count says how many of a thing there are: 1 case, 7 cases, 2 entries.
func Count(n int, noun string) string { return strconv.Itoa(n) + " " + Plural(n, noun) }

// Plural is the noun for so many of a thing.
func Plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	for _, end := range [...]struct{ one, many string }{{"ry", "ries"}, {"criterion", "criteria"}, {"person", "people"}} {
		if stem, ok := strings.CutSuffix(noun, end.one); ok {
			return stem + end.many
		}
	}
	return noun + "s"
}

// Slug makes of a name what a path and an address can hold: `Über uns!` is
// uber-uns. Latin letters lose their accents; what is no letter or digit of
// ASCII is left out, with a dash between what was apart. It has at most so many
// bytes, and is "" for a name of other letters.
func Slug(name string, most int) string { return slug(name, most, unicode.MaxASCII) }

// LetterSlug is Slug that keeps the letters and digits of other scripts.
func LetterSlug(name string, most int) string { return slug(name, most, unicode.MaxRune) }

func slug(name string, most int, last rune) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(name) {
		s := plainLetter(r)
		if c := []rune(s)[0]; c > last || !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			dash = dash || !unicode.IsMark(r)
			continue
		}
		if dash && b.Len() > 0 {
			s = "-" + s
		}
		dash = false
		if b.Len()+len(s) > most {
			break
		}
		b.WriteString(s)
	}
	return b.String()
}

// alone are the Latin letters that Unicode makes of no other, each with what
// stands for it.
const alone = "ßss æae œoe þth đd ðd ħh ıi łl ŋn øo ŧt"

// plainLetter is a small letter as ASCII where it has such a form, else as it is.
func plainLetter(r rune) string {
	if r <= unicode.MaxASCII || !unicode.Is(unicode.Latin, r) {
		return string(r)
	}
	if _, rest, ok := strings.Cut(alone, string(r)); ok {
		plain, _, _ := strings.Cut(rest, " ")
		return plain
	}
	plain := strings.Map(func(c rune) rune { // without accents
		if c >= 'a' && c <= 'z' {
			return c
		}
		return -1
	}, norm.NFKD.String(string(r)))
	return cmp.Or(plain, string(r))
}

// IsSlug reports whether s is one that Slug could have made, of at most so many
// bytes.
func IsSlug(s string, most int) bool {
	for i, c := range []byte(s) {
		letter := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		if !letter && (c != '-' || i == 0 || i == len(s)-1) {
			return false
		}
	}
	return s != "" && len(s) <= most
}

// Nearest returns the known word that a wrong one was probably meant to be: one
// with at most one letter in four and one more changed, else one that begins or
// ends with it; or "".
func Nearest(word string, known []string) string {
	if slices.Contains(known, word) {
		return ""
	}
	word = strings.ToLower(word)
	best, least := "", 2+len(word)/4
	for _, k := range known {
		if d := distance(word, strings.ToLower(k), least); d < least {
			best, least = k, d
		}
	}
	for _, k := range known {
		if best == "" && len(word) > 3 && (strings.HasPrefix(k, word) || strings.HasSuffix(k, word)) {
			best = k
		}
	}
	return best
}

// distance is Levenshtein's, in bytes; from most on it is not told apart.
func distance(a, b string, most int) int {
	if len(a)-len(b) >= most || len(b)-len(a) >= most {
		return most
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
