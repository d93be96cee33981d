package compare

import (
	"strings"

	"cairn/internal/term"
)

// Escape makes a stranger's text say in Markdown what it is: no markup, no
// HTML, no link, no mention of a person or an issue, one line.
func Escape(text string) string {
	text = term.Line(text)
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '@':
			b.WriteString("&#64;")
		case r == '#':
			b.WriteString("&#35;")
		case r == ':' && strings.HasPrefix(text[i:], "://"):
			b.WriteString("&#58;")
		case r == '.' && i >= 3 && strings.EqualFold(text[i-3:i], "www"):
			b.WriteString("&#46;")
		case strings.ContainsRune("\\`*_[]|~$", r), i == 0 && (r == '-' || r == '+' || r == '='), endsNumber(text, i):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// endsNumber reports whether what is at i makes the number before it that of a
// list.
func endsNumber(text string, i int) bool {
	return i > 0 && (text[i] == '.' || text[i] == ')') && strings.Trim(text[:i], "0123456789") == "" && strings.HasPrefix(text[i+1:], " ")
}
