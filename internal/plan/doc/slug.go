package doc

import "strings"

// SlugLength is how long the slug of a phase may be.
const SlugLength = 60

// Slug returns text as part of a file's name: lower case, its letters without
// marks, a dash for everything else, and at most so many bytes.
func Slug(text string, most int) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(text) {
		s := unmarked(r)
		if s == "" {
			dash = b.Len() > 0
			continue
		}
		if dash {
			b.WriteByte('-')
			dash = false
		}
		b.WriteString(s)
	}
	s := b.String()
	return strings.TrimRight(s[:min(len(s), most)], "-")
}

// unmarked returns a lower-case letter of Latin without its mark, or "" for
// what is no letter or digit of it.
func unmarked(r rune) string {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
		return string(r)
	}
	if r < 0x80 {
		return ""
	}
	for _, row := range [...]struct{ marked, plain string }{
		{"àáâãäåāăą", "a"}, {"æ", "ae"}, {"çćč", "c"}, {"ďđ", "d"}, {"èéêëēėęě", "e"}, {"ğ", "g"},
		{"ìíîïīįı", "i"}, {"ł", "l"}, {"ñńň", "n"}, {"òóôõöøōő", "o"}, {"œ", "oe"}, {"ř", "r"}, {"śšş", "s"},
		{"ß", "ss"}, {"ťţ", "t"}, {"ùúûüūůűų", "u"}, {"ýÿ", "y"}, {"źżž", "z"},
	} {
		if strings.ContainsRune(row.marked, r) {
			return row.plain
		}
	}
	return ""
}
