package doc

import (
	"slices"
	"strconv"
	"strings"
)

// PhaseRef is a phase that a text names: s[From:To] is its id as written.
type PhaseRef struct {
	From, To int
	ID       PhaseID
}

// PhaseRefs finds the phases that a field such as Depends on names: those
// after the word Phase or Phases (`Phase 2, Phase 2.1`, `Phases 1, 2 and 3`),
// or, in a text without that word, those of a bare list (`1, 2`). Other
// numbers are text.
func PhaseRefs(s string) []PhaseRef {
	lower := strings.ToLower(s)
	if !strings.Contains(lower, "phase") {
		refs, end := phaseList(s, 0)
		if strings.Trim(s[end:], " .\t") != "" {
			return nil
		}
		return refs
	}
	var out []PhaseRef
	for at := 0; ; {
		i := strings.Index(lower[at:], "phase")
		if i < 0 {
			return out
		}
		start := at + i
		at = start + len("phase")
		if start > 0 && (isLetter(s[start-1]) || isDigit(s[start-1])) {
			continue
		}
		if strings.HasPrefix(lower[at:], "s") {
			at++
		}
		refs, end := phaseList(s, at)
		out, at = append(out, refs...), max(at, end)
	}
}

// phaseList reads ids with separators between them from byte at on, and
// returns where the last one ended.
func phaseList(s string, at int) (refs []PhaseRef, end int) {
	end = at
	for at = skipBlank(s, at); at < len(s); {
		id, rest, ok := cutPhaseID(s[at:])
		if !ok || strings.HasPrefix(rest, "-") {
			return refs, end
		}
		end = len(s) - len(rest)
		refs = append(refs, PhaseRef{at, end, id})
		at = skipBlank(s, end)
		sep := 0
		for _, word := range []string{",", "and ", "&", "+", "/", ";"} {
			if strings.HasPrefix(s[at:], word) {
				sep = len(word)
				break
			}
		}
		if sep == 0 {
			return refs, end
		}
		at = skipBlank(s, at+sep)
		if strings.HasPrefix(s[at:], "and ") {
			at = skipBlank(s, at+len("and "))
		}
	}
	return refs, end
}

// DependsOn reads the phases that a field Depends on names, each once. Other
// than [PhaseRefs], which an edit goes by, it takes ranges and loose words:
// `Phase 1, Phase 2.1`, `Phases 1-3`, `1 and 2`, `Nothing (first phase)`.
func DependsOn(text string) []PhaseID {
	var out []PhaseID
	add := func(id PhaseID) {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	after := false // the word before was "Phase"
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t,;()[]&+*", r) }) {
		word = strings.Trim(word, ".:")
		from, to, isRange := strings.Cut(word, "-")
		a, err := strconv.Atoi(from)
		b, err2 := strconv.Atoi(to)
		id, ok := ParsePhaseID(word)
		switch {
		case isRange && err == nil && err2 == nil && a <= b && b-a < 100:
			for n := a; n <= b; n++ {
				add(PhaseID{Number: n})
			}
		case ok && (id.Number >= 0 || after && strings.ContainsAny(word, "-0123456789")):
			add(id)
		}
		after = strings.EqualFold(word, "phase") || strings.EqualFold(word, "phases")
	}
	return out
}

// LastOfRange returns the last number of a range of phases that a line names,
// such as "Phases 4-7", 0 for none.
func LastOfRange(line string) int {
	highest := 0
	for _, r := range phaseRanges(line) {
		if r.To > r.From.Number && r.To < 999 {
			highest = max(highest, r.To)
		}
	}
	return highest
}
