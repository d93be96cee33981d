package doc

import (
	"slices"
	"strings"
)

// DecisionNotes are what named items below a decision say of it:
//
//   - **D-07:** Use chi
//   - By: Ada
//   - Why: small, and we know it
//   - Evidence: internal/http/router.go
//   - Superseded by: 03/D-12 (2026-03-01): too slow
//
// indented below an item, or directly below a heading that is a decision. What
// else stands there explains the decision and is left alone.
type DecisionNotes struct {
	By       string   // who decided
	Why      string   // the reason they gave
	Evidence []string // where it can be seen: a file, a test, a person's answer

	SupersededBy  string // as it is written, D-12 or 03/D-12; "" while the decision holds
	SupersededWhy string // the rest of that note
}

// noteNames are what people call the notes.
var noteNames = [...][]string{
	noteBy:         {"by", "who", "decided by"},
	noteWhy:        {"why", "rationale", "reason"},
	noteEvidence:   {"evidence", "proof", "proven by", "proven in"},
	noteSuperseded: {"superseded by", "replaced by"},
}

const (
	noteBy = iota
	noteWhy
	noteEvidence
	noteSuperseded
)

// namedNote reads `Why: text` with or without bold; kind is -1 for another item.
func namedNote(text string) (kind int, value string) {
	name, value, ok := strings.Cut(strings.TrimLeft(text, "*_"), ":")
	name = strings.ToLower(strings.Trim(name, "*_ "))
	if !ok {
		return -1, ""
	}
	kind = slices.IndexFunc(noteNames[:], func(names []string) bool { return slices.Contains(names, name) })
	return kind, strings.TrimSpace(strings.TrimLeft(value, "*_ "))
}

// DecisionNotes returns what stands below a decision of this document.
func (t *Text) DecisionNotes(d Decision) (n DecisionNotes) {
	t.eachNote(d, func(_, _, kind int, value string) {
		switch kind {
		case noteBy:
			n.By = value
		case noteWhy:
			n.Why = value
		case noteEvidence:
			n.Evidence = append(n.Evidence, value)
		case noteSuperseded:
			ref, rest, _ := strings.Cut(value, " ")
			if ref = strings.Trim(ref, "*`:,;."); !isDecisionRef(ref) { // in words: it no longer holds, whatever does
				ref, rest = "?", value
			}
			n.SupersededBy, n.SupersededWhy = ref, strings.TrimSpace(rest)
		}
	})
	return n
}

// eachNote calls fn with each note below a decision: its lines, its indentation is
// that of the first item there. It returns where the next one belongs, and ok where
// one can stand: below an item and a heading, not below a row or a paragraph.
func (t *Text) eachNote(d Decision, fn func(from, to, kind int, value string)) (at int, indent string, ok bool) {
	to, level := d.Line+1, -1
	line := t.Line(d.Line)
	it, isItem := item(line)
	switch _, isHeading := heading(line); {
	case isItem:
		it.Line = d.Line
		to, indent = t.ItemEnd(it), strings.Repeat(" ", it.Indent+2)
	case isHeading:
		for to < t.Len() && !strings.HasPrefix(strings.TrimSpace(t.Line(to)), "</") {
			if _, next := heading(t.Line(to)); next && !t.Code(to) {
				break
			}
			to++
		}
	default:
		return 0, "", false
	}
	own := isItem // the lines before the first item are the decision's text
	for at = d.Line + 1; own && at < to; at++ {
		if _, next := item(t.Line(at)); next {
			break
		}
	}
	for i := d.Line + 1; i < to; i++ {
		it, isItem := item(t.Line(i))
		if !isItem || t.Code(i) || level >= 0 && it.Indent != level {
			continue
		}
		level, indent = it.Indent, t.Line(i)[:it.Indent]
		kind, value := namedNote(it.Text)
		if kind < 0 {
			continue
		}
		from := i
		for i+1 < to && strings.TrimSpace(t.Line(i+1)) != "" {
			if _, next := item(t.Line(i + 1)); next {
				break
			}
			i++
			value = strings.TrimSpace(value + " " + strings.TrimSpace(t.Line(i)))
		}
		at = i + 1
		fn(from, at, kind, value)
	}
	return at, indent, true
}

// Supersede notes below a decision what is decided in its place, on a day and why;
// an earlier note of the kind is replaced. It reports whether a note can stand there.
func (t *Text) Supersede(d Decision, by, day, why string) bool {
	had := [2]int{}
	at, indent, ok := t.eachNote(d, func(from, to, kind int, _ string) {
		if kind == noteSuperseded {
			had = [2]int{from, to}
		}
	})
	if !ok {
		return false
	}
	said := indent + "- Superseded by: " + by + " (" + day + ")"
	if why = OneLine(why); why != "" {
		said += ": " + why
	}
	if had[1] > 0 {
		t.Delete(had[0], had[1])
		at = had[0]
	}
	t.Insert(at, said)
	if next := at + 1; indent == "" && next < t.Len() {
		if _, list := item(t.Line(next)); !list && strings.TrimSpace(t.Line(next)) != "" {
			t.Insert(next, "") // else the paragraph below would go on with the note
		}
	}
	return true
}
