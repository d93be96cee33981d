package account

import (
	"bytes"
	"compress/gzip"
	_ "embed" // common.txt.gz
	"io"
	"strings"
	"sync"
	"unicode"
)

// commonZip are the commonest passwords, English words and first names, each in
// a line: the lists of zxcvbn (see NOTICE). It is unpacked when the first
// password is chosen, never at start.
//
//go:embed common.txt.gz
var commonZip []byte

var common = sync.OnceValue(func() string {
	r, err := gzip.NewReader(bytes.NewReader(commonZip))
	if err != nil {
		panic(err) // it is embedded
	}
	data, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return string(data)
})

func isCommon(word string) bool {
	return word != "" && strings.Contains(common(), "\n"+word+"\n")
}

// fewest letters that a password must have beside what anybody would guess.
const fewest = 5

// easy says whether a password is among the first that anybody would try: a
// common one, a word with some digits, one thing repeated, a row of keys, or
// what the user is called. about are the user's address, a team's name and the like.
func easy(password string, about []string) bool {
	plain := strings.ToLower(password)
	for _, form := range []string{plain, unmasked.Replace(plain)} {
		unit := repeated(form)
		core := strings.TrimFunc(unit, notLetter)
		switch {
		case isCommon(form), isCommon(unit), isCommon(strings.TrimRightFunc(form, notLetter)), isCommon(strings.TrimLeftFunc(form, notLetter)):
			return true
		case len(unit) < fewest, isRow(form), isCommon(core) && len(unit)-len(core) < fewest:
			return true
		case isWordTwice(core) && len(unit)-len(core) < fewest:
			return true
		}
		for _, known := range about {
			known = known[:min(len(known), 300)] // a stranger chose it
			for part := range strings.FieldsFuncSeq(strings.ToLower(known), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
				if len(part) >= 3 {
					form = strings.ReplaceAll(form, part, "")
				}
			}
		}
		if left := strings.TrimFunc(form, notLetter); len(about) > 0 && (len(form) < fewest || len(left) < 2 || isCommon(left)) && form != plain && form != unmasked.Replace(plain) {
			return true
		}
	}
	return false
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// unmasked undoes what people write for letters.
var unmasked = strings.NewReplacer("0", "o", "1", "l", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i", "|", "l", "+", "t")

// repeated is the shortest text that a text consists of, written again and again.
func repeated(s string) string {
	for n := 1; n <= len(s)/2; n++ {
		if len(s)%n == 0 && strings.Repeat(s[:n], len(s)/n) == s {
			return s[:n]
		}
	}
	return s
}

// isWordTwice says whether a text is one word, and again without its end: abcabca.
func isWordTwice(s string) bool {
	for n := 3; n <= len(s)/2; n++ {
		if strings.HasPrefix(strings.Repeat(s[:n], len(s)/n+1), s) {
			return true
		}
	}
	return false
}

// rows are keys and letters side by side.
var rows = [...]string{"abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "azertyuiop", "1qaz2wsx3edc4rfv5tgb6yhn", "!@#$%^&*()"}

// isRow says whether a text is made of pieces of rows, none of them short:
// 12345678, qwerty123, abcd1234.
func isRow(s string) bool {
	for s != "" {
		n := 1
		for _, row := range rows {
			n = max(n, along(s, row), along(s, reversed(row)))
		}
		if n < 3 {
			return false
		}
		s = s[n:]
	}
	return true
}

// along is how long a text runs along a row.
func along(s, row string) int {
	i := strings.IndexByte(row, s[0])
	n := 0
	for i >= 0 && n < len(s) && i+n < len(row) && row[i+n] == s[n] {
		n++
	}
	return n
}

func reversed(s string) string {
	b := []byte(s)
	for i := range len(b) / 2 {
		b[i], b[len(b)-1-i] = b[len(b)-1-i], b[i]
	}
	return string(b)
}
