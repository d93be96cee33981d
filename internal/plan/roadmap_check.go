package plan

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// CheckRoadmap says why ROADMAP.md is none, and what to do; nil where it is one, or is not there. One
// whose phases are all of a spelling that is not read, such as `Phase 1-02`, is none:
// who took it for an empty one would number its phases anew.
func (tx *Tx) CheckRoadmap() (why *InputError, do string) {
	rel := tx.Path("ROADMAP.md")
	back := "git checkout " + rel + " brings back the last one committed"
	if !tx.Has(rel) {
		return nil, ""
	}
	b, err := tx.ReadBytes(rel)
	switch {
	case err != nil:
		return nil, "" // whoever reads it says so
	case len(bytes.TrimSpace(b)) == 0:
		return &InputError{Path: rel, Line: 1, What: "is empty"}, back
	}
	line := 0
	for text := range bytes.Lines(b) {
		line++
		if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
			return &InputError{Path: rel, Line: line, What: "is not text"}, back
		}
	}
	r := tx.Roadmap()
	if lines := r.Unread(); len(lines) > 0 && len(r.Phases)+len(r.Boxes) == 0 {
		return &InputError{Path: rel, Line: lines[0] + 1, What: "has no phase that can be read: " + strings.TrimSpace(r.Line(lines[0]))},
			"write it as ### Phase 2: Name, or - [ ] **Phase 2: Name**"
	}
	return nil, ""
}
