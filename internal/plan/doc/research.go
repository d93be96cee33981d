package doc

import (
	"slices"
	"strings"
	"unicode"
)

// Question is an item of a RESEARCH.md's open questions.
type Question struct {
	Text     string // on one line, without its list mark
	Line     int
	Resolved bool
}

// OpenQuestions returns the items of the first `## Open Questions` section.
// An item is resolved when it says so with the word: on its first line, at
// the start of a line under it or in capitals there; or by a ticked box; or
// because its heading says it of all. Prose without items is one question,
// unless it says that there are none.
func (t *Text) OpenQuestions() []Question {
	i := slices.IndexFunc(t.Sections(), func(s Section) bool {
		return s.Level == 2 && hasPrefixFold(s.Text, "open questions")
	})
	if i < 0 {
		return nil
	}
	section := t.Sections()[i]
	qs := t.questions(section)
	if len(qs) == 0 {
		qs = t.proseQuestion(section)
	}
	if saysResolved(section.Text) {
		for i := range qs {
			qs[i].Resolved = true
		}
	}
	return qs
}

// questions returns the outermost list items of the section.
func (t *Text) questions(s Section) []Question {
	items := t.Items(s.Start, s.End)
	if len(items) == 0 {
		return nil
	}
	outer := slices.MinFunc(items, func(a, b Item) int { return a.Indent - b.Indent }).Indent
	items = slices.DeleteFunc(items, func(it Item) bool { return it.Indent > outer })
	var qs []Question
	for i, it := range items {
		end := s.End
		if i+1 < len(items) {
			end = items[i+1].Line
		}
		q := Question{Text: it.Text, Line: it.Line}
		q.Resolved = it.Done || saysResolved(it.Text) || t.underResolvedHeading(s.Start, it.Line)
		for n := it.Line + 1; n < end && !q.Resolved; n++ {
			if _, ok := heading(t.Line(n)); ok {
				break
			}
			q.Resolved = !t.Code(n) && marksResolved(t.Line(n))
		}
		qs = append(qs, q)
	}
	return qs
}

// underResolvedHeading reports whether the last heading in the lines
// [from, to) says resolved.
func (t *Text) underResolvedHeading(from, to int) bool {
	for i := to - 1; i >= from; i-- {
		if h, ok := heading(t.Line(i)); ok && !t.Code(i) {
			return saysResolved(h.Text)
		}
	}
	return false
}

func (t *Text) proseQuestion(s Section) []Question {
	for i := s.Start; i < s.End; i++ {
		text := strings.TrimSpace(t.Line(i))
		if text == "" || t.Code(i) || strings.Trim(text, "-*_") == "" {
			continue
		}
		switch bare := strings.ToLower(strings.Trim(text, "*_. ()")); {
		case bare == "none", bare == "n/a", strings.HasPrefix(bare, "no open questions"), strings.HasPrefix(bare, "none "):
			return nil
		}
		return []Question{{Text: text, Line: i, Resolved: saysResolved(text)}}
	}
	return nil
}

// saysResolved reports whether the text has the word resolved, and not as
// "not resolved".
func saysResolved(s string) bool {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '\''
	})
	for i, w := range words {
		if w != "resolved" {
			continue
		}
		if i == 0 || !slices.Contains([]string{"not", "never", "isn't", "be", "until", "when", "once"}, words[i-1]) {
			return true
		}
	}
	return false
}

// marksResolved is for the lines under a question, which may speak of
// something else that is resolved.
func marksResolved(line string) bool {
	text := line
	if it, ok := item(line); ok {
		text = it.Text
	}
	text = strings.TrimLeft(text, "*_[(✅ \t")
	return hasPrefixFold(text, "resolved") && saysResolved(text) || strings.Contains(line, "RESOLVED") && saysResolved(line)
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
