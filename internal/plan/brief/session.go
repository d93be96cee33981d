package brief

import (
	"path"
	"slices"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// Session is what the last session left behind.
type Session struct {
	Paused      string   `json:"paused,omitempty"` // when or where
	StoppedAt   string   `json:"stopped_at,omitempty"`
	ResumeFile  string   `json:"resume_file,omitempty"`
	Interrupted string   `json:"interrupted_agent,omitempty"` // its id
	Handoffs    []string `json:"handoffs,omitempty"`          // files that say where to go on
	Waiting     string   `json:"waiting,omitempty"`           // the file of a question that nobody answered
}

// readSession reads STATE.md and the files by which sessions leave word, those
// of the phases included.
func readSession(tx *plan.Tx, steps []Step) *Session {
	s := &Session{Interrupted: InterruptedAgent(tx), Paused: Paused(tx)}
	if tx.Has(tx.Path("STATE.md")) {
		last := tx.State().Session()
		s.StoppedAt, s.ResumeFile = said(last.StoppedAt), said(last.ResumeFile)
	}
	for _, name := range []string{"HANDOFF.json", ".continue-here.md"} {
		if rel := tx.Path(name); tx.Has(rel) {
			s.Handoffs = append(s.Handoffs, rel)
		}
	}
	for _, step := range steps {
		if slices.Contains(step.Phase.Files, ".continue-here.md") {
			s.Handoffs = append(s.Handoffs, path.Join(step.Directory, ".continue-here.md"))
		}
	}
	if rel := tx.Path(plan.WaitingFile); tx.Has(rel) {
		s.Waiting = rel
	}
	return s
}

// said returns a field's value, "" for one that says that there is none.
func said(value string) string {
	if doc.Unset(value) {
		return ""
	}
	return value
}

// InterruptedAgent returns the id of an agent that did not end, or "".
func InterruptedAgent(tx *plan.Tx) string {
	b, err := tx.ReadBytes(tx.Path("current-agent-id.txt"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
