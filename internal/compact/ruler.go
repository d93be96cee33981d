package compact

import (
	"strings"
	"unicode/utf8"
)

// rulerLong is how many equal characters make a ruler.
const rulerLong = 5

// unruled is a text with the rulers around its headings cut to one character:
// "_ test_total _" of what pytest draws across the screen; of totals and the like,
// between "=" or "!", it is none. A heading has a ruler at both ends, or a drawn
// one behind it; a line that is nothing else is left as it is.
func unruled(body string) string {
	var b strings.Builder
	for line := range strings.Lines(body) {
		b.WriteString(unruledLine(line))
	}
	return b.String()
}

func unruledLine(line string) string {
	s := strings.TrimRight(line, "\n")
	if bare := strings.TrimRight(s, "─━⎯═"); len(s)-len(bare) > 3*rulerLong && strings.HasSuffix(bare, " ") && strings.Trim(bare, "─━⎯═ ") != "" {
		if c, _ := utf8.DecodeRuneInString(s); !strings.ContainsRune("─━⎯═", c) {
			return bare[:len(bare)-1] + line[len(s):]
		}
	}
	c, size := utf8.DecodeRuneInString(s)
	if !strings.ContainsRune("=-_!*~#─━⎯", c) {
		return line
	}
	left := len(s) - len(strings.TrimLeft(s, string(c)))
	title := strings.Trim(s, string(c))
	right := len(s) - left - len(title)
	long := rulerLong * size
	if c == '=' || c == '!' {
		long = 3
	}
	if title == "" || max(left, right) < long || min(left, right) == 0 || title[0] != ' ' || title[len(title)-1] != ' ' {
		return line
	}
	if long == 3 {
		return strings.TrimSpace(title) + line[len(s):]
	}
	return string(c) + title + string(c) + line[len(s):]
}
