package doc

import "strings"

// Heading is an ATX heading outside code: `## Name`.
type Heading struct {
	Line  int
	Level int
	Text  string // without the #s, a closing run of them, and space around
}

// Headings returns the headings in order. They must not be changed.
func (t *Text) Headings() []Heading {
	if t.heads == nil {
		t.heads = []Heading{}
		for i := t.Body(); i < len(t.lines); i++ {
			if h, ok := heading(t.Line(i)); ok && !t.Code(i) {
				h.Line = i
				t.heads = append(t.heads, h)
			}
		}
	}
	return t.heads
}

// heading reads `## Name`; at most three spaces may stand before it.
func heading(line string) (Heading, bool) {
	s := strings.TrimLeft(line, " ")
	if len(line)-len(s) > 3 || !strings.HasPrefix(s, "#") {
		return Heading{}, false
	}
	text := strings.TrimLeft(s, "#")
	level := len(s) - len(text)
	if level > 6 || text != "" && text[0] != ' ' && text[0] != '\t' {
		return Heading{}, false
	}
	text = strings.TrimSpace(text)
	if bare := strings.TrimRight(text, "#"); bare == "" || strings.HasSuffix(bare, " ") {
		text = strings.TrimSpace(bare)
	}
	return Heading{Level: level, Text: text}, true
}

// Section is a heading and the lines under it, [Start, End): those up to the
// next heading of the same or a higher level.
type Section struct {
	Heading
	Start, End int
}

// Sections returns every section, the outer before the inner.
func (t *Text) Sections() []Section {
	hs := t.Headings()
	out := make([]Section, len(hs))
	var open []int // the sections that the current line is in, by index
	for i, h := range hs {
		out[i] = Section{Heading: h, Start: h.Line + 1, End: len(t.lines)}
		for len(open) > 0 && out[open[len(open)-1]].Level >= h.Level {
			out[open[len(open)-1]].End = h.Line
			open = open[:len(open)-1]
		}
		open = append(open, i)
	}
	return out
}

// Section returns the first section with one of the names, compared without
// case.
func (t *Text) Section(names ...string) (Section, bool) {
	for _, s := range t.Sections() {
		for _, name := range names {
			if strings.EqualFold(s.Text, name) {
				return s, true
			}
		}
	}
	return Section{}, false
}

// AppendTo puts lines at the end of the section, before the blank lines,
// rules (---) and footer that close it. A footer is lines of emphasis below a
// rule.
func (t *Text) AppendTo(s Section, lines ...string) {
	at := t.BeforeRules(s.Start, s.End)
	footer := at
	for footer > s.Start && isEmphasis(t.Line(footer-1)) {
		footer--
	}
	if above := t.BeforeRules(s.Start, footer); footer < at && strings.TrimSpace(t.Span(above, footer)) != "" {
		at = above
	}
	if at == s.Start { // an empty section: a blank line after its heading
		lines = append([]string{""}, lines...)
	}
	t.Insert(at, lines...)
}

// BeforeRules returns where the blank lines and rules (---) begin that end
// the lines [from, to).
func (t *Text) BeforeRules(from, to int) int {
	for to > from && isBlankOrRule(t.Line(to-1)) {
		to--
	}
	return to
}

func isBlankOrRule(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || len(line) >= 3 && strings.Trim(line, "-") == ""
}

// isEmphasis reports whether the line is `*text*` or `_text_`.
func isEmphasis(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) > 2 && line[0] == line[len(line)-1] && (line[0] == '*' || line[0] == '_') && line[1] != ' '
}
