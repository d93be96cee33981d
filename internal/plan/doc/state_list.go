package doc

import (
	"slices"
	"strings"
)

// Decisions returns the section that lists the decisions.
func (s State) Decisions() (Section, bool) {
	for _, sec := range s.Sections() {
		name := strings.ToLower(sec.Text)
		if name == "decisions" || name == "decisions made" || strings.HasPrefix(name, "accumulated") && strings.HasSuffix(name, "decisions") {
			return s.own(sec), true
		}
	}
	return Section{}, false
}

// Blockers returns the section that lists what is in the way.
func (s State) Blockers() (Section, bool) {
	sec, ok := s.Section("Blockers", "Blockers/Concerns", "Blockers / Concerns", "Concerns")
	return s.own(sec), ok
}

// Own returns the first section of one of the names, without the sections in
// it.
func (s State) Own(names ...string) (Section, bool) {
	sec, ok := s.Section(names...)
	return s.own(sec), ok
}

// own cuts a section before the first heading in it.
func (s State) own(sec Section) Section {
	for i := sec.Start; i < sec.End; i++ {
		if _, ok := heading(s.Line(i)); ok && !s.Code(i) {
			sec.End = i
		}
	}
	return sec
}

// AddItem puts `- text` after the section's last item, or in place of a line
// that says there is none.
func (s State) AddItem(sec Section, text string) {
	line := "- " + OneLine(text)
	if i := s.placeholder(sec); i >= 0 {
		s.SetLine(i, line)
		return
	}
	items := s.Items(sec.Start, sec.End)
	if len(items) == 0 {
		s.addParagraph(sec, line)
		return
	}
	s.Insert(s.itemEnd(items[len(items)-1], sec.End), line)
}

// AddRow puts a row at the table's end, or in place of a row that says there
// is none.
func (s State) AddRow(tb Table, values ...string) {
	row := Row(values...)
	for i, cells := range tb.Rows {
		if !slices.ContainsFunc(cells, func(c string) bool { return !isPlaceholder(c) }) {
			s.SetLine(tb.Line+2+i, row)
			return
		}
	}
	s.Insert(tb.End(), row)
}

// AddTable puts a table of one row at the section's end.
func (s State) AddTable(sec Section, head, row []string) {
	if i := s.placeholder(sec); i >= 0 {
		s.Delete(i, i+1)
		sec.End--
	}
	s.addParagraph(sec, NewTable(head, row)...)
}

// NewTable prints a table of one row.
func NewTable(head, row []string) []string {
	rule := make([]string, len(head))
	for i, h := range head {
		rule[i] = strings.Repeat("-", width(h)+2)
	}
	return []string{Row(head...), "|" + strings.Join(rule, "|") + "|", Row(row...)}
}

// AddSection puts a section at the file's end, with a blank line before it
// and one after its heading.
func (s State) AddSection(level int, name string, lines ...string) {
	head := []string{strings.Repeat("#", level) + " " + name, ""}
	if n := s.Len(); n > 0 && strings.TrimSpace(s.Line(n-1)) != "" {
		head = append([]string{""}, head...)
	}
	s.Insert(s.Len(), append(head, lines...)...)
}

// AddSectionIn puts a section of the next level at the end of another.
func (s State) AddSectionIn(sec Section, name string, lines ...string) {
	lines = append([]string{"", strings.Repeat("#", sec.Level+1) + " " + name, ""}, lines...)
	at := sec.End
	for at > sec.Start && strings.TrimSpace(s.Line(at-1)) == "" {
		at--
	}
	s.Insert(at, lines...)
}

// RemoveItems removes the items that match, with the lines that belong to
// them, and returns those lines. An emptied list says None.
func (s State) RemoveItems(sec Section, match func(Item) bool) []string {
	var removed []string
	items := s.outerItems(sec)
	for _, it := range slices.Backward(items) {
		if isPlaceholder(it.Text) || !match(it) {
			continue
		}
		end := s.itemEnd(it, sec.End)
		removed = append(removed, s.Span(it.Line, end))
		if len(removed) == len(items) {
			s.SetLine(it.Line, "None")
			it.Line++
		}
		s.Delete(it.Line, end)
	}
	slices.Reverse(removed)
	return removed
}

// outerItems returns the items that are in no other item.
func (s State) outerItems(sec Section) []Item {
	end := 0
	return slices.DeleteFunc(s.Items(sec.Start, sec.End), func(it Item) bool {
		if it.Line < end {
			return true
		}
		end = s.itemEnd(it, sec.End)
		return false
	})
}

// ItemTexts returns the texts of a section's items, without one that says
// there is none.
func (s State) ItemTexts(sec Section) []string {
	out := []string{}
	for _, it := range s.outerItems(sec) {
		if !isPlaceholder(it.Text) {
			out = append(out, it.Text)
		}
	}
	return out
}

// addParagraph puts lines at the section's end, a blank line before them.
func (s State) addParagraph(sec Section, lines ...string) {
	s.Insert(s.BeforeRules(sec.Start, sec.End), append([]string{""}, lines...)...)
}

// itemEnd returns the line after an item and the lines indented under it.
func (s State) itemEnd(it Item, end int) int {
	i := it.Line + 1
	for i < end {
		line := s.Line(i)
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if indent == len(line) || indent <= it.Indent {
			break
		}
		i++
	}
	return i
}

// placeholder returns the line of the section that says that there is
// nothing yet, or -1.
func (s State) placeholder(sec Section) int {
	for i := sec.Start; i < sec.End; i++ {
		if line := s.Line(i); !isBlankOrRule(line) && isPlaceholder(line) && !s.Code(i) {
			return i
		}
	}
	return -1
}

// isPlaceholder: None, None yet., - (none), No decisions yet, -. A sentence
// such as "no price list yet" is an entry.
func isPlaceholder(text string) bool {
	if text = strings.TrimSpace(text); strings.HasPrefix(text, "---") {
		return false
	}
	text = strings.ToLower(strings.Trim(text, " \t-*_().—–"))
	for _, end := range []string{" yet", " so far", " recorded"} {
		text = strings.TrimSuffix(text, end)
	}
	switch text {
	case "", "none", "n/a", "nothing":
		return true
	}
	what, ok := strings.CutPrefix(text, "no ")
	switch what {
	case "blockers", "concerns", "blockers/concerns", "blockers or concerns", "decisions", "decisions made", "todos", "pending todos",
		"entries", "items", "metrics", "data", "sessions", "plans", "phases", "summaries", "issues", "changes":
		return ok
	}
	return false
}
