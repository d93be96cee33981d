package term

import "strings"

// Wrap breaks a text's paragraphs at words so that no line has more than
// width runes. Paragraphs are told apart by blank lines; an indented line
// stays as it is.
func Wrap(text string, width int) string {
	var out []string
	line := ""
	flush := func() {
		if line != "" {
			out = append(out, line)
			line = ""
		}
	}
	for src := range strings.SplitSeq(text, "\n") {
		if src == "" || src[0] == ' ' || src[0] == '\t' {
			flush()
			out = append(out, src)
			continue
		}
		for word := range strings.FieldsSeq(src) {
			if line != "" && len([]rune(line))+1+len([]rune(word)) > width {
				flush()
			}
			if line != "" {
				line += " "
			}
			line += word
		}
	}
	flush()
	return strings.Join(out, "\n")
}
