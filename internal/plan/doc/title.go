package doc

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// PhaseTitle is how a heading, a checklist line or a cell of a table calls a
// phase: `Phase 2: API`, `**Phase 2** — API`, `✅ Phase 2 · API (3/3 plans) -
// completed 2026-03-01`, `v6.0 Phase 2: API`.
type PhaseTitle struct {
	ID       PhaseID
	Written  string // the id as it stands there
	Name     string // without the marks; it stands in the text as it is, unless a mark is inside of it
	Inserted bool
	Version  string // of the milestone, where the title says one
	Said     Said   // by its marks
}

// ReadPhaseTitle reads one. A numeric id is followed by a colon, a dash, a dot
// in the middle or nothing more; a custom id by a colon.
func ReadPhaseTitle(s string) (PhaseTitle, bool) {
	var t PhaseTitle
	s, t.Said = cutSigns(s)
	if v, at := Version(s); at == 0 {
		t.Version = v
		s, _ = cutSigns(s[len(v):])
	}
	const word = "phase "
	if len(s) < len(word) || !strings.EqualFold(s[:len(word)], word) {
		return t, false
	}
	s = strings.TrimLeft(s[len(word):], " ")
	id, rest, ok := cutPhaseID(s)
	switch {
	case ok:
		t.ID, t.Written = id, s[:len(s)-len(rest)]
		if rest, ok = cutSeparator(rest); !ok {
			return t, false
		}
	default:
		if t.Written, rest, ok = strings.Cut(s, ":"); !ok {
			return t, false
		}
		if t.ID, ok = ParsePhaseID(t.Written); !ok {
			return t, false
		}
		t.Written = strings.TrimSpace(t.Written)
	}
	name, said := cutMarks(rest)
	if t.Said == Silent {
		t.Said = said
	}
	t.Name, t.Inserted = cutInserted(name)
	t.Inserted = t.Inserted || strings.Contains(rest, "(INSERTED") || strings.Contains(rest, "[INSERTED")
	return t, true
}

// cutSeparator cuts what stands between a phase's number and its name.
func cutSeparator(s string) (rest string, ok bool) {
	closed := strings.TrimLeft(s, "*_~`")
	rest = strings.TrimLeft(closed, " \t")
	switch {
	case rest == "", strings.HasPrefix(rest, "(") && rest != closed:
		return rest, true
	case strings.HasPrefix(rest, ":"), strings.HasPrefix(rest, "|"):
		return strings.TrimLeft(rest[1:], " *_`"), true
	case strings.HasPrefix(rest, ". "):
		return rest[2:], true
	case strings.HasPrefix(rest, "- ") && rest != closed, strings.HasPrefix(rest, "-- ") && rest != closed:
		return strings.TrimLeft(rest, "- "), true
	}
	if r, n := utf8.DecodeRuneInString(rest); strings.ContainsRune("—–·•∙:", r) || r == '：' {
		return strings.TrimLeft(rest[n:], " "), true
	}
	if r, _ := utf8.DecodeRuneInString(rest); saidSigns[r] != Silent {
		return rest, true
	}
	return s, false
}

// cutSigns cuts the emphasis, boxes and signs that a title begins with.
func cutSigns(s string) (rest string, said Said) {
	for {
		s = strings.TrimLeft(s, " \t*_~`\ufe0f")
		for mark, says := range map[string]Said{"[x]": SaysDone, "[X]": SaysDone, "[ ]": SaysOpen} {
			if after, ok := strings.CutPrefix(s, mark); ok {
				s, said = after, says
			}
		}
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case s == "":
			return s, said
		case saidSigns[r] != Silent:
			if said == Silent {
				said = saidSigns[r]
			}
		case unicode.Is(unicode.So, r):
		default:
			return s, said
		}
		s = s[n:]
	}
}

// cutMarks cuts from the end of a title what is no part of the name: `(2/2
// plans)`, `— completed 2026-02-16`, `✓ COMPLETE`, `(BACKLOG)`.
func cutMarks(s string) (name string, said Said) {
	take := func(what Said) {
		if said == Silent || what == SaysDone {
			said = what
		}
	}
	for {
		if at, tail := lastDash(s); at >= 0 && strings.HasPrefix(tail, "**") && strings.HasSuffix(strings.TrimRight(s, " "), "**") {
			take(statusTail(tail)) // a note in bold
			s = s[:at]
		}
		s = strings.TrimRight(s, " \t*_~`:\ufe0f")
		r, n := utf8.DecodeLastRuneInString(s)
		if saidSigns[r] != Silent {
			take(saidSigns[r])
			s = s[:len(s)-n]
			continue
		}
		if at, what := signNote(s); at > 0 {
			take(what)
			s = s[:at]
			continue
		}
		if open := lastBracket(s); open >= 0 {
			if what, ok := noteOf(s[open+1 : len(s)-1]); ok {
				take(what)
				s = s[:open]
				continue
			}
		}
		if at, tail := lastDash(s); at >= 0 {
			if what := statusTail(tail); what != Silent {
				take(what)
				s = s[:at]
				continue
			}
		}
		if at := strings.LastIndexByte(s, ' '); at >= 0 {
			last := s[at+1:]
			if _, err := time.Parse(time.DateOnly, last); err == nil { // SHIPPED 2026-04-03
				if _, what := cutMarks(s[:at]); what != Silent {
					take(what)
					s = s[:at]
					continue
				}
			}
			if says := saidWords[strings.ToLower(last)]; says != Silent && last == strings.ToUpper(last) {
				take(says)
				s = s[:at]
				continue
			}
		}
		return strings.TrimSpace(s), said
	}
}

// lastBracket returns where the bracket opens that s ends with, or -1.
func lastBracket(s string) int {
	for _, pair := range []string{"()", "[]"} {
		if !strings.HasSuffix(s, pair[1:]) {
			continue
		}
		depth := 0
		for i := len(s) - 1; i >= 0; i-- {
			switch s[i] {
			case pair[1]:
				depth++
			case pair[0]:
				if depth--; depth == 0 {
					return i
				}
			}
		}
	}
	return -1
}

// signNote finds a sign with a note behind it at the end of a title, `✅ VERIFIED
// FIXED` or `✅ (Already Fixed)`: where it begins, and what it says. A sign that a
// sentence goes on behind is part of the name.
func signNote(s string) (at int, said Said) {
	for i, r := range s {
		if saidSigns[r] == Silent || i == 0 || s[i-1] != ' ' {
			continue
		}
		note := strings.TrimLeft(s[i+utf8.RuneLen(r):], " *_\ufe0f")
		if note == "" || lastBracket(note) != 0 && note != strings.ToUpper(note) || strings.Contains(note, "RESOLVED") { // a risk was, not the phase
			continue
		}
		if said = statusTail(strings.TrimLeft(note, "([")); said == Silent {
			said = saidSigns[r]
		}
		return i, said
	}
	return -1, Silent
}

// noteOf reports whether a note in brackets is a mark, and what it says.
func noteOf(note string) (Said, bool) {
	note = strings.Trim(note, "*_ ")
	first, _, _ := strings.Cut(strings.ToUpper(note), " ")
	switch strings.Trim(first, ",;:—–-") {
	case "INSERTED", "BACKLOG", "PROMOTED", "GAP":
		return Silent, note == strings.ToUpper(note) || strings.HasPrefix(note, first)
	}
	if said := statusTail(note); said != Silent {
		return said, true
	}
	n := countDigits(note)
	if n == 0 {
		return Silent, false
	}
	rest := note[n:]
	if after, ok := strings.CutPrefix(rest, "/"); ok && countDigits(after) > 0 {
		rest = after[countDigits(after):]
		return Silent, strings.TrimSpace(rest) == "" || strings.HasPrefix(strings.TrimSpace(rest), "plan")
	}
	return Silent, strings.HasPrefix(strings.TrimSpace(rest), "plan")
}

// Dashes between words. The last two are what a wrong encoding makes of them.
var dashes = []string{" — ", " – ", " - ", " -- ", " \u00e2\u0080\u0094 ", " \u00e2\u20ac\u201d "}

// lastDash returns where the last dash between words stands, and what follows.
func lastDash(s string) (at int, tail string) {
	at = -1
	for _, dash := range dashes {
		if i := strings.LastIndex(s, dash); i > at {
			at, tail = i, s[i+len(dash):]
		}
	}
	return at, tail
}

// statusTail says what a text that begins with a status says, such as
// `completed 2026-03-01`, `IN PROGRESS`, `SHIPPED`, `phase complete locally`.
func statusTail(s string) Said {
	s, said := cutSigns(s)
	if said != Silent {
		return said
	}
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) })
	for len(words) > 0 && (words[0] == "phase" || words[0] == "milestone" || words[0] == "status" || words[0] == "all") {
		words = words[1:]
	}
	switch {
	case len(words) == 0:
		return Silent
	case len(words) > 1 && (words[0] == "in" || words[0] == "on"):
		return saidWords[words[1]]
	}
	return saidWords[words[0]]
}
