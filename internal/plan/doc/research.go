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
	Answer   string // what a line of it recommends; "" when none does, or leaves it to somebody
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

// questions returns the outermost list items of the section, and where those only
// say what is known of something, what they say it of.
func (t *Text) questions(s Section) []Question {
	items := t.Items(s.Start, s.End)
	if len(items) == 0 {
		return nil
	}
	outer := slices.MinFunc(items, func(a, b Item) int { return a.Indent - b.Indent }).Indent
	var qs []Question
	for _, it := range items {
		switch _, part := partOf(it.Text); {
		case it.Indent > outer, saysNone(it.Text):
		case !part:
			qs = append(qs, Question{Text: it.Text, Line: it.Line, Resolved: it.Done || saysResolved(it.Text) || t.underResolvedHeading(s.Start, it.Line)})
		case len(qs) == 0 || t.headingIn(qs[len(qs)-1].Line+1, it.Line):
			if q, ok := t.before(s.Start, it.Line); ok {
				qs = append(qs, q)
			}
		}
	}
	for i := range qs {
		end := s.End
		if i+1 < len(qs) {
			end = qs[i+1].Line
		}
		t.readAnswer(&qs[i], end)
	}
	return qs
}

// readAnswer looks for what settles a question in its lines, which end before end or
// with the next heading.
func (t *Text) readAnswer(q *Question, end int) {
	for n := q.Line; n < end; n++ {
		if _, ok := heading(t.Line(n)); ok && n > q.Line {
			return
		}
		if t.Code(n) {
			continue
		}
		q.Resolved = q.Resolved || n > q.Line && marksResolved(t.Line(n))
		if said := strings.Trim(answerIn(t.Line(n)), " *_"); said != "" && !leavesOpen(said) {
			q.Answer = said
		}
	}
}

// headingIn reports whether one of the lines [from, to) is a heading, or in bold as
// one.
func (t *Text) headingIn(from, to int) bool {
	for i := from; i < to; i++ {
		line := strings.TrimSpace(t.Line(i))
		_, ok := heading(t.Line(i))
		if (ok || strings.HasPrefix(line, "**") && strings.HasSuffix(line, "**") && len(line) > 4) && !t.Code(i) {
			return true
		}
	}
	return false
}

// before is the question that the line above a list asks, a heading or not.
func (t *Text) before(from, to int) (Question, bool) {
	for i := to - 1; i >= from; i-- {
		text := strings.TrimSpace(t.Line(i))
		if text == "" || t.Code(i) {
			continue
		}
		if h, ok := heading(t.Line(i)); ok {
			text = h.Text
		}
		return Question{Text: text, Line: i, Resolved: saysResolved(text) || t.underResolvedHeading(from, i)}, true
	}
	return Question{}, false
}

// What a line under a question is about.
const (
	tells   = iota + 1 // what is known of it
	answers            // what is to be done
)

var partLabels = map[string]int{
	"what we know": tells, "what is known": tells, "known": tells, "what's unclear": tells, "what’s unclear": tells, "what is unclear": tells,
	"unclear": tells, "unknown": tells, "impact": tells, "options": tells, "why it matters": tells, "context": tells, "rationale": tells,
	"recommendation": answers, "recommended": answers, "recommended approach": answers, "answer": answers, "decision": answers, "decided": answers,
	"planner decision": answers, "resolution": answers, "conclusion": answers, "outcome": answers, "default": answers,
}

// partOf reports whether a line is such a part of a question, by its label:
// `- **Recommendation:** use chi`.
func partOf(line string) (label int, ok bool) {
	if it, is := item(line); is {
		line = it.Text
	}
	name, _, found := strings.Cut(line, ":")
	name, _, _ = strings.Cut(name, "(")
	label = partLabels[strings.ToLower(strings.Trim(name, " \t*_"))]
	return label, found && label > 0
}

// answerIn returns what a line recommends, "" when it does not: behind a label that it
// begins with, or behind `Recommendation:` in it.
func answerIn(line string) string {
	if label, ok := partOf(line); ok && label == answers {
		_, said, _ := strings.Cut(line, ":")
		return said
	}
	const word = "recommendation:"
	for at := range line { // a line in lower case may have another length
		if hasPrefixFold(line[at:], word) {
			return line[at+len(word):]
		}
	}
	return ""
}

// leavesOpen reports whether a recommendation hands the question on.
func leavesOpen(s string) bool {
	s = strings.ToLower(s)
	return slices.ContainsFunc([]string{
		"ask the user", "ask user", "ask them", "confirm with", "check with", "discuss with", "user should decide", "user must decide", "user to decide", "user decides",
		"needs a decision", "needs decision", "need a decision", "to be decided", "clarify with", "tbd",
	}, func(word string) bool { return strings.Contains(s, word) })
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
		if it, ok := item(text); ok {
			text = it.Text
		}
		if text == "" || t.Code(i) || strings.Trim(text, "-*_") == "" {
			continue
		}
		if saysNone(text) {
			return nil
		}
		return []Question{{Text: text, Line: i, Resolved: saysResolved(text)}}
	}
	return nil
}

// saysNone reports whether a text says that there is no question.
func saysNone(text string) bool {
	bare := strings.ToLower(strings.Trim(text, "*_. ()"))
	return bare == "none" || bare == "n/a" || strings.HasPrefix(bare, "no open questions") || strings.HasPrefix(bare, "none ") || strings.HasPrefix(bare, "none.")
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
