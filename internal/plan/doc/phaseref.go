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
	if !strings.Contains(strings.ToLower(s), "phase") {
		refs, end := phaseList(s, 0)
		if strings.Trim(s[end:], " .\t") != "" {
			return nil
		}
		return refs
	}
	var out []PhaseRef
	eachPhaseWord(s, func(at int) int {
		refs, end := phaseList(s, at)
		out = append(out, refs...)
		return end
	})
	return out
}

// eachPhaseWord calls read with the byte after each word Phase or Phases, whatever
// its case, and goes on where read ended. It looks at s itself: a text in lower
// case may have another length.
func eachPhaseWord(s string, read func(at int) (end int)) {
	const word = "phase"
	for at := 0; at+len(word) <= len(s); {
		if !hasPrefixFold(s[at:], word) || at > 0 && (isLetter(s[at-1]) || isDigit(s[at-1])) {
			at++
			continue
		}
		at += len(word)
		if hasPrefixFold(s[at:], "s") {
			at++
		}
		at = max(at, read(at))
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
