package compact

import (
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/record"
)

// repeats reports whether l is folded into an earlier line, and counts it.
func (s *store) repeats(l record.Line) bool {
	if s.last != nil && s.last.text == l.Text && !lines.Blank(l.Text) {
		s.last.again(true)
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
		s.last.again(s.last.text == l.Text)
		return true
	}
	s.lastKey = key
	if d.Across {
		if it := s.templates[key]; it != nil {
			it.again(it.text == l.Text)
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

func (it *item) again(same bool) {
	it.times = max(it.times, 1) + 1
	it.alike = it.alike || !same
}

// lines is what is printed of it: a few short equal lines stay as they are,
// since a count would be no shorter.
func (it *item) lines() string {
	if it.cut > 0 {
		return it.text + " " + Omission(it.cut)
	}
	if it.times < 2 {
		return it.text + "\n"
	}
	count := " … ×" + lines.Count(it.times)
	if plain := (it.times - 1) * (len(it.text) + 1); !it.alike && plain <= len(count) {
		return strings.Repeat(it.text+"\n", it.times)
	}
	return it.text + count + "\n"
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
