package compact

import (
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/record"
)

// repeats reports whether l is folded into an earlier line, and counts it.
func (s *store) repeats(l record.Line) bool {
	if s.last != nil && s.last.text == l.Text && !lines.Blank(l.Text) {
		s.last.again()
		return true
	}
	d := s.rule.Primitives.Dedupe
	if d == nil || s.rule.DedupePattern != nil && !s.rule.DedupePattern.MatchString(l.Text) {
		s.lastKey = ""
		return false
	}
	if !d.Normalize && !d.Across {
		return false
	}
	key := l.Text
	if d.Normalize {
		if key = lines.Template(l.Text); !speaks(key) {
			s.lastKey = ""
			return false
		}
	}
	if key == s.lastKey && s.last != nil {
		s.last.again()
		return true
	}
	s.lastKey = key
	if d.Across {
		if it := s.templates[key]; it != nil {
			it.again()
			return true
		}
	}
	return false
}

// remember makes a later equal line fold into it.
func (s *store) remember(l record.Line, it *item) {
	s.last = it
	if d := s.rule.Primitives.Dedupe; d != nil && d.Across && s.lastKey != "" && len(s.templates) < maxKeys {
		s.templates[s.lastKey] = it
	}
}

func (it *item) again() {
	if it.times == 0 {
		it.times = 1
	}
	it.times++
}

// speaks reports whether a template has enough words that two lines with the
// same one say the same thing. Rows of a listing that differ only in a name
// or a number do not.
func speaks(template string) bool {
	letters := 0
	for i := 0; i < len(template); i++ {
		if c := template[i] | 0x20; c >= 'a' && c <= 'z' {
			letters++
		}
	}
	return letters >= 12 && strings.Contains(template, " ")
}
