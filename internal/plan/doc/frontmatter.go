package doc

import "strings"

// Body returns the first line after the frontmatter, 0 without one.
func (t *Text) Body() int {
	_, end := t.frontLines()
	return end
}

// frontLines returns the lines of the frontmatter, [from, end), its two `---`
// included: they begin the file. Without one both are 0.
func (t *Text) frontLines() (from, end int) {
	if len(t.lines) == 0 || strings.TrimRight(t.Line(0), " \t") != "---" {
		return 0, 0
	}
	for i := 1; i < len(t.lines); i++ {
		if strings.TrimRight(t.Line(i), " \t") == "---" {
			return 0, i + 1
		}
	}
	return 0, 0
}
