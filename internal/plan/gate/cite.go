package gate

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/internal/plan/doc"
)

// phraseWords is how many words of a decision in a row cite it.
const phraseWords = 6

// haystack is a text in which decisions are looked for.
type haystack struct {
	raw   string
	words string // lower case, one space between and around
}

func newHaystack(raw string) haystack {
	return haystack{raw: raw, words: " " + strings.Join(words(raw), " ") + " "}
}

// inPhase is a haystack of a document of a phase: 01/D-02 in it is a decision of
// another phase than 2, though phase 2 may have a D-02. Where the phase is not known
// every id counts.
func inPhase(raw string, phase doc.PhaseID) haystack {
	if phase == unknown {
		return newHaystack(raw)
	}
	var b strings.Builder
	from := 0
	doc.EachDecisionRef(raw, func(at, end int, r doc.DecisionRef) {
		if r.Named && !r.Phase.Same(phase) {
			b.WriteString(raw[from:at])
			from = end
		}
	})
	return newHaystack(b.String() + raw[from:])
}

// unknown is no phase's id.
var unknown = doc.PhaseID{Number: -1}

// phaseOf returns the phase of a document by the directory that it is in.
func phaseOf(f *File) doc.PhaseID {
	if id, _, ok := doc.DirPhaseID(path.Base(path.Dir(f.Path))); ok {
		return id
	}
	return unknown
}

// Promises is what a plan says it will do.
type Promises struct{ haystack }

// ReadPromises returns those of a plan of a phase.
func ReadPromises(plan *doc.Text, phase doc.PhaseID) Promises {
	return Promises{inPhase(promised(plan), phase)}
}

// Cite reports whether a plan cites a decision of its own phase.
func (p Promises) Cite(d doc.Decision) bool { return p.cites(d) }

// RefsOf returns the decisions that a plan's promises name, those of other phases
// too.
func RefsOf(plan *doc.Text) []doc.DecisionRef { return doc.DecisionRefs(promised(plan)) }

// cites reports whether the text names the decision by its id, or repeats
// phraseWords of its words in a row. A shorter decision needs the id.
func (h haystack) cites(d doc.Decision) bool {
	if HasID(h.raw, d.ID) {
		return true
	}
	ws := words(d.Text)
	for i := 0; i+phraseWords <= len(ws); i++ {
		if strings.Contains(h.words, " "+strings.Join(ws[i:i+phraseWords], " ")+" ") {
			return true
		}
	}
	return false
}

// words returns the runs of letters, marks and digits of any script, in
// lower case.
func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !inWord(r) })
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// HasID reports whether id stands in s and is not a part of another id:
// D-1 is in "D-1." and not in D-10, D-1-x or AD-1.
func HasID(s, id string) bool {
	for from := 0; id != ""; {
		i := strings.Index(s[from:], id)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		if !inID(before) && before != '-' && !idGoesOn(s[i+len(id):]) {
			return true
		}
		from = i + 1
	}
	return false
}

// idGoesOn reports whether rest continues an id: with a letter, a digit or _,
// or with dashes and one of these.
func idGoesOn(rest string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, "-"))
	return inID(r)
}

func inID(r rune) bool { return r == '_' || r != utf8.RuneError && inWord(r) }
