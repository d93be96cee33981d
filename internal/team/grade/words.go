package grade

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// words counts the words of a text: stretches without blanks that hold a letter
// or a digit. A character of a script that puts no blanks between words (Han,
// Hiragana, Katakana, Thai, Lao, Khmer, Myanmar) is a word of its own.
func words(text string) int {
	n, inWord := 0, false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			inWord = false
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) && unicode.IsLetter(r):
			n++
			inWord = false
		case !inWord && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			n++
			inWord = true
		}
	}
	return n
}

// chars counts characters (code points) without blanks at the ends.
func chars(text string) int { return utf8.RuneCountInString(strings.TrimSpace(text)) }

// squeezed is a text without any blank: what is left when layout does not count.
func squeezed(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
}

// proseLines are the lines of Markdown that are not in a fenced block of code.
func proseLines(text string) []string {
	var out []string
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
				fence = ""
			}
			continue
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
			continue
		}
		out = append(out, line)
	}
	return out
}

// headers counts headers of Markdown (# to ######, and lines underlined with
// = or -) and of HTML (<h1> to <h6>).
func headers(text string) int {
	n := 0
	before := ""
	for _, line := range proseLines(text) {
		trimmed := strings.TrimSpace(line)
		level := len(trimmed) - len(strings.TrimLeft(trimmed, "#"))
		switch {
		case level >= 1 && level <= 6 && len(trimmed) > level && (trimmed[level] == ' ' || trimmed[level] == '\t') && strings.Trim(trimmed[level:], " \t#") != "":
			n++
		case before != "" && len(trimmed) >= 2 && (strings.Trim(trimmed, "=") == "" || strings.Trim(trimmed, "-") == "") && !strings.HasPrefix(before, "- ") && !strings.HasPrefix(before, "|"):
			n++
			trimmed = ""
		}
		lower := strings.ToLower(trimmed)
		for i := range len(lower) - 3 {
			if lower[i] == '<' && lower[i+1] == 'h' && lower[i+2] >= '1' && lower[i+2] <= '6' && (lower[i+3] == '>' || lower[i+3] == ' ') {
				n++
			}
		}
		before = trimmed
	}
	return n
}
