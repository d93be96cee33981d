package compact

import (
	"bytes"
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/record"
	"cairn/internal/text"
)

// repeats reports whether l is folded into an earlier line, and counts it.
func (s *store) repeats(l record.Line) bool {
	if s.last != nil && s.last.text == l.Text && !lines.Blank(l.Text) {
		s.last.again(l.Text)
		return true
	}
	d := s.rule.Primitives.Dedupe
	if d == nil || s.rule.DedupePattern != nil && !s.rule.DedupePattern.MatchString(l.Text) {
		s.lastKey = s.lastKey[:0]
		return false
	}
	key := append(s.key[:0], 0) // so that a blank line has a key too
	switch {
	case d.Normalize:
		key = lines.AppendTemplate(key, l.Text)
		if s.key = key; !speaks(key) {
			if !d.Across || s.rule.Data || !partOfValue(l.Text) {
				s.lastKey = s.lastKey[:0]
				return false
			}
			key = append(key[:1], l.Text...)
			s.key = key
		}
		// Errors at two places are two errors.
		if site := lines.Location(l.Text); site != "" && lines.Classify(l.Text) >= lines.Trouble {
			key = append(key, site...)
			s.key = key
		}
	case s.rule.DedupePattern != nil:
		key = append(key, strings.TrimSpace(l.Text)...)
	default:
		key = append(key, l.Text...)
	}
	s.key = key
	if s.last != nil && string(key) == string(s.lastKey) {
		s.last.again(l.Text)
		return true
	}
	s.lastKey = append(s.lastKey[:0], key...)
	if d.Across {
		if it := s.templates[string(key)]; it != nil {
			it.again(l.Text)
			s.last = it // an equal line after this one is one more of it
			return true
		}
	}
	return false
}

// remember makes a later equal line fold into it.
func (s *store) remember(l record.Line, it *item) {
	s.last = it
	d := s.rule.Primitives.Dedupe
	if d == nil || len(s.lastKey) == 0 {
		return
	}
	it.format = d.Format
	if d.Across && len(s.templates) < maxKeys {
		s.templates[string(s.lastKey)] = it
	}
}

func (it *item) again(text string) {
	it.times = max(it.times, 1) + 1
	if it.text == text {
		return
	}
	it.alike = true
	if at, ok := parseSpot(text); ok { // where it was found is what the lines are for
		if it.sites == nil {
			first, _ := parseSpot(it.text)
			it.sites = &places{}
			it.sites.known(first.site())
		}
		it.sites.add(at.site())
	}
}

// lines is what is printed of it: a few short equal lines stay as they are,
// since a count would be no shorter.
func (it *item) lines() string {
	if it.times < 2 {
		return it.text + "\n"
	}
	if it.format != "" {
		return strings.ReplaceAll(it.format, "{count}", text.Thousands(it.times)) + "\n"
	}
	if it.sites != nil && len(it.sites.files) > 0 {
		return it.text + "\n" + it.sites.again("alike ×", it.times-1) + "\n"
	}
	count := " … ×" + text.Thousands(it.times)
	if plain := (it.times - 1) * (len(it.text) + 1); !it.alike && plain <= len(count) {
		return strings.Repeat(it.text+"\n", it.times)
	}
	return it.text + count + "\n"
}

// partOfValue reports whether a line belongs to a value or a stack that goes on over
// several lines. Where the very same line is in many of them, the others tell one
// from another.
func partOfValue(t string) bool {
	inset := t != "" && (t[0] == ' ' || t[0] == '\t')
	t = strings.TrimSpace(t)
	return t != "" && (inset || strings.ContainsRune("{[", rune(t[len(t)-1])) || strings.Trim(t, "{}[](),;") == "")
}

// speaks reports whether a template has enough words that two lines with the
// same one say the same thing. Rows of a listing that differ only in a name
// or a number do not.
func speaks(template []byte) bool {
	letters := 0
	for i := range template {
		if c := template[i] | 0x20; c >= 'a' && c <= 'z' {
			letters++
		}
	}
	return letters >= 12 && bytes.IndexByte(template, ' ') >= 0
}
