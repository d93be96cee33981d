package compact

import (
	"strings"
	"unicode/utf8"
)

// rulerLong is how many equal characters make a ruler.
const rulerLong = 5

// unruled is a text with the rulers around its headings cut to one character:
// "= FAILURES =" of what pytest draws across the screen. A heading has a ruler
// at both ends, or a drawn one behind it; a line that is nothing else is left
// as it is.
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
	if !strings.ContainsRune("=-_!*~#─━⎯", c) || len(s) < 2*rulerLong*size {
		return line
	}
	left := len(s) - len(strings.TrimLeft(s, string(c)))
	title := strings.Trim(s, string(c))
	right := len(s) - left - len(title)
	if title == "" || max(left, right) < rulerLong*size || min(left, right) == 0 || title[0] != ' ' || title[len(title)-1] != ' ' {
		return line
	}
	return string(c) + title + string(c) + line[len(s):]
}
