package doc

import (
	"strings"
	"unicode"
)

// SlugLength is how long the slug of a phase may be, in bytes.
const SlugLength = 60

// Slug makes the part of a directory's name that is for people: `Über uns!`
// is über-uns without its marks, uber-uns. Latin letters lose their accents;
// letters of other scripts stay as they are. It has at most so many bytes.
func Slug(name string, most int) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(name) {
		s := plainLetter(r)
		if s == "" {
			dash = dash || !unicode.IsMark(r)
			continue
		}
		if dash && b.Len() > 0 {
			b.WriteByte('-')
		}
		dash = false
		if b.Len()+len(s) > most {
			break
		}
		b.WriteString(s)
	}
	return strings.TrimRight(b.String(), "-")
}

// accented are the lower-case letters of Latin-1 and Latin Extended-A, each
// group after the letter it stands for.
const accented = "aàáâãäåāăą cçćĉċč dďđð eèéêëēĕėęě gĝğġģ hĥħ iìíîïĩīĭįı jĵ kķ lĺļľŀł nñńņňŋ oòóôõöøōŏő rŕŗř sśŝşšș tţťŧț uùúûüũūŭůűų wŵ yýÿŷ zźżž"

// plainLetter returns a letter or digit as ASCII where it has such a form, and
// "" for anything else.
func plainLetter(r rune) string {
	switch {
	case r < 0x80:
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return string(r)
		}
		return ""
	case r == 'ß':
		return "ss"
	case r == 'æ':
		return "ae"
	case r == 'œ':
		return "oe"
	case r == 'þ':
		return "th"
	}
	if i := strings.IndexRune(accented, r); i >= 0 {
		group := accented[strings.LastIndexByte(accented[:i], ' ')+1:]
		return group[:1]
	}
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		return string(r)
	}
	return ""
}
