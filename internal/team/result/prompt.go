package result

import (
	"crypto/sha256"
	"encoding/hex"
)

// An Identity identifies a case by its content, because its name and number may
// change their meaning between two runs.
type Identity struct {
	Input  string `json:"input,omitzero"`  // ContentID of what was asked: the variables, the question
	Prompt string `json:"prompt,omitzero"` // Name of one of the run's Prompts, which the variant ends with
}

// Content is the identity of the case, as far as the file says it.
func (r *Result) Content() Identity {
	if r.Identity == nil {
		return Identity{}
	}
	return *r.Identity
}

// SetContent sets the identity of the case, if anything is known.
func (r *Result) SetContent(c Identity) {
	if r.Identity = nil; c != (Identity{}) {
		r.Identity = &c
	}
}

// A Prompt is a template that a run used.
type Prompt struct {
	Name  string `json:"name"`           // as variants have it: its label, or its number
	ID    string `json:"id,omitzero"`    // ContentID of its text, "" where the file does not hold it
	Label string `json:"label,omitzero"` // that a person gave it
	Text  string `json:"text,omitzero"`  // with its placeholders
}

// ContentID is the beginning of the SHA-256 of a text.
func ContentID(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
