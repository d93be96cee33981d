package plan

import (
	"bytes"
	"unicode/utf8"
)

// CheckRoadmap says why ROADMAP.md is none; nil where it is one, or is not there.
func (tx *Tx) CheckRoadmap() *InputError {
	rel := tx.Path("ROADMAP.md")
	if !tx.Has(rel) {
		return nil
	}
	b, err := tx.ReadBytes(rel)
	switch {
	case err != nil:
		return nil // whoever reads it says so
	case len(bytes.TrimSpace(b)) == 0:
		return &InputError{Path: rel, Line: 1, What: "is empty"}
	}
	line := 0
	for text := range bytes.Lines(b) {
		line++
		if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
			return &InputError{Path: rel, Line: line, What: "is not text"}
		}
	}
	return nil
}
