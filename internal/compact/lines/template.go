package lines

import "strings"

// Template reduces a line to what repeats: times, numbers, hexadecimal and
// paths become placeholders, so that two log lines of the same statement are
// equal. Words stay as they are.
func Template(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		c := s[i]
		if !isWord(c) && c != '/' && c != '.' {
			if c == ' ' && b.Len() > 0 && strings.HasSuffix(b.String(), " ") {
				i++
				continue
			}
			b.WriteByte(c)
			i++
			continue
		}
		j := i
		digits, slashes, hex := 0, 0, true
		for j < len(s) && (isWord(s[j]) || s[j] == '/' || s[j] == '.') {
			switch d := s[j]; {
			case d >= '0' && d <= '9':
				digits++
			case d == '/':
				slashes++
			case d >= 'a' && d <= 'f', d >= 'A' && d <= 'F', d == '.':
			default:
				hex = false
			}
			j++
		}
		word := s[i:j]
		switch {
		case slashes > 0 && j-i > 1:
			b.WriteByte('/')
		case digits == 0:
			b.WriteString(word)
		case hex || digits == j-i:
			b.WriteByte('#')
		default:
			writeDigitless(&b, word)
		}
		i = j
	}
	return b.String()
}

func writeDigitless(b *strings.Builder, word string) {
	in := false
	for i := 0; i < len(word); i++ {
		digit := word[i] >= '0' && word[i] <= '9'
		if !digit {
			b.WriteByte(word[i])
		} else if !in {
			b.WriteByte('#')
		}
		in = digit
	}
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}
