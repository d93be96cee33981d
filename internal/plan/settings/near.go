package settings

import (
	"strings"

	"cairn/internal/text"
)

// Near returns the key of the table that a wrong one was probably meant to
// be, or "".
func Near(key string) string {
	var known []string
	for _, r := range Rows() {
		if leaf(r.Key) == leaf(key) {
			return r.Key
		}
		if !strings.Contains(r.Key, "*") {
			known = append(known, r.Key)
		}
	}
	if near := text.Nearest(key, known); near != "" {
		return near
	}
	words := wordsOf(key)
	for _, k := range known {
		if common(words, wordsOf(leaf(k))) > 1 {
			return k
		}
	}
	return ""
}

func leaf(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

func wordsOf(key string) []string {
	return strings.FieldsFunc(strings.ToLower(key), func(c rune) bool { return c == '.' || c == '_' || c == '-' })
}

// common counts the words of a that are in b.
func common(a, b []string) (n int) {
	for _, w := range a {
		for _, x := range b {
			if w == x {
				n++
				break
			}
		}
	}
	return n
}
