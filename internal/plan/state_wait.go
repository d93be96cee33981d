package plan

import (
	"bytes"
	"encoding/json"

	"cairn/internal/must"
)

// WaitingFile is the file that says that the work waits for an answer.
const WaitingFile = "WAITING.json"

// Waiting is a question that the work waits for.
type Waiting struct {
	Status   string   `json:"status"` // waiting
	Type     string   `json:"type"`
	Question string   `json:"question"`
	Options  []string `json:"options"`
	Since    string   `json:"since"`
	Phase    *string  `json:"phase"`
}

// Wait writes the question, over an older one.
func (tx *Tx) Wait(w Waiting) {
	w.Status, w.Since = "waiting", stamp(tx.now())
	if w.Options == nil {
		w.Options = []string{}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	must.OK(enc.Encode(w))
	tx.Write(tx.Path(WaitingFile), b.Bytes())
}

// Waiting returns the question, nil when there is none.
func (tx *Tx) Waiting() *Waiting {
	rel := tx.Path(WaitingFile)
	if !tx.Has(rel) {
		return nil
	}
	b := must.Get(tx.ReadBytes(rel))
	var w Waiting
	if err := json.Unmarshal(b, &w); err != nil {
		must.Fail(&InputError{Path: rel, What: err.Error()})
	}
	return &w
}

// Resume removes the question and reports whether there was one.
func (tx *Tx) Resume() bool {
	rel := tx.Path(WaitingFile)
	if !tx.Has(rel) {
		return false
	}
	tx.Remove(rel)
	return true
}
