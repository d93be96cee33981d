package result

import (
	"crypto/sha256"
	"encoding/hex"
)

// An Identity says what a case consists of, where its name and number may come
// to mean something else: two runs are matched by it.
type Identity struct {
	Input  string `json:"input,omitzero"`  // ContentID of what was asked: the variables, the question
	Prompt string `json:"prompt,omitzero"` // Name of one of the run's Prompts, which the variant ends with
}

// Content is what the result's case consists of, as far as the file says it.
func (r *Result) Content() Identity {
	if r.Identity == nil {
		return Identity{}
	}
	return *r.Identity
}

// SetContent says what the case consists of, if anything is known.
func (r *Result) SetContent(c Identity) {
	if r.Identity = nil; c != (Identity{}) {
		r.Identity = &c
	}
}

// A Prompt is a template that a run tried its cases with.
type Prompt struct {
	Name  string `json:"name"`           // as variants have it: its label, or its number
	ID    string `json:"id,omitzero"`    // ContentID of its text, "" where the file does not hold it
	Label string `json:"label,omitzero"` // that a person gave it
	Text  string `json:"text,omitzero"`  // with its placeholders
}

// ContentID is the beginning of a text's SHA-256: the same text has the same.
func ContentID(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
