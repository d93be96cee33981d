package doc

import "strings"

// Placeholder reports whether a text is a template's, not yet written:
// brackets or braces around all of it, or TBD. A link in brackets is a text.
func Placeholder(s string) bool {
	s = strings.Trim(strings.TrimSpace(s), `"'.*_`)
	if len(s) < 2 {
		return s == "" || s == "-"
	}
	switch first, last := s[0], s[len(s)-1]; {
	case first == '[' && last == ']':
		return strings.IndexByte(s, ']') == len(s)-1
	case first == '{' && last == '}':
		return true
	}
	return strings.EqualFold(s, "tbd") || strings.EqualFold(s, "todo")
}
