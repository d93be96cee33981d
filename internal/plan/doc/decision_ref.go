package doc

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// DecisionRef names a decision from outside of its document: D-07, or 02/D-07
// where several phases have that id.
type DecisionRef struct {
	Phase PhaseID
	Named bool // the phase is
	ID    string
}

func (r DecisionRef) String() string {
	if r.Named {
		return r.Phase.Padded() + "/" + r.ID
	}
	return r.ID
}

// ParseDecisionRef reads one that stands alone.
func ParseDecisionRef(s string) (r DecisionRef, ok bool) {
	r.ID = s
	if phase, id, cut := strings.Cut(s, "/"); cut {
		if r.Phase, r.Named = ParsePhaseID(phase); !r.Named {
			return r, false
		}
		r.ID = id
	}
	return r, idLength(r.ID) == len(r.ID) && r.ID != ""
}

func isDecisionRef(s string) bool {
	_, ok := ParseDecisionRef(s)
	return ok
}

// idLength returns the length of the decision's id with which s begins, 0 for none.
// A dash at its end is punctuation.
func idLength(s string) int {
	n := 2
	if !strings.HasPrefix(s, "D-") || len(s) == n || !isWord(s[n]) || s[n] == '_' {
		return 0
	}
	for n < len(s) && (isWord(s[n]) || s[n] == '-') {
		n++
	}
	return len(strings.TrimRight(s[:n], "-"))
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// DecisionRefs returns the decisions that a text names, each once. The id alone is
// taken of one behind a stroke that is no phase's: either/D-01.
func DecisionRefs(s string) (out []DecisionRef) {
	EachDecisionRef(s, func(_, _ int, r DecisionRef) {
		if !slices.Contains(out, r) {
			out = append(out, r)
		}
	})
	return out
}

// EachDecisionRef calls fn with where each stands.
func EachDecisionRef(s string, fn func(from, to int, r DecisionRef)) {
	for at := 0; ; {
		i := strings.Index(s[at:], "D-")
		if i < 0 {
			return
		}
		from := at + i
		n := idLength(s[from:])
		if at = from + max(n, 2); n == 0 {
			continue
		}
		start := from
		if from > 0 && s[from-1] == '/' {
			for start--; start > 0 && (isWord(s[start-1]) || s[start-1] == '.' || s[start-1] == '-'); {
				start--
			}
			phase := s[start : from-1] // in a text a custom id is upper case: either/D-01 is two words
			if r, ok := ParseDecisionRef(s[start : from+n]); ok && (isDigit(phase[0]) || phase == strings.ToUpper(phase)) && !before(s, start, "/") {
				fn(start, from+n, r)
				continue
			}
		}
		if !before(s, from, "-") {
			fn(from, from+n, DecisionRef{ID: s[from : from+n]})
		}
	}
}

// before reports whether a part of a word, or one of the marks, stands before s[at].
func before(s string, at int, marks string) bool {
	return at > 0 && (isWord(s[at-1]) || s[at-1] >= 0x80 || strings.IndexByte(marks, s[at-1]) >= 0)
}

// DecisionNumber returns the number of an id such as D-07, 0 of another.
func DecisionNumber(id string) int {
	rest, _ := strings.CutPrefix(id, "D-")
	if len(rest) > 6 || strings.Trim(rest, "0123456789") != "" {
		return 0
	}
	n, _ := strconv.Atoi(rest)
	return n
}

// DecisionID is the id of a number.
func DecisionID(n int) string { return fmt.Sprintf("D-%02d", n) }
