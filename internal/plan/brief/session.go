package brief

import (
	"path"
	"slices"
	"strings"

	"cairn/internal/plan"
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

// ReadSession reads STATE.md and the files by which sessions leave word, those
// of the phases included.
func ReadSession(tx *plan.Tx, steps []Step) (*Session, error) {
	s := &Session{Interrupted: InterruptedAgent(tx)}
	var err error
	if s.Paused, err = Paused(tx); err != nil {
		return nil, err
	}
	if t, err := tx.Read(tx.Path("STATE.md")); err == nil {
		for name, into := range map[string]*string{"Stopped At": &s.StoppedAt, "Resume File": &s.ResumeFile} {
			if f, ok := t.Field(t.Body(), t.Len(), name); ok && !strings.EqualFold(f.Value, "None") && f.Value != "-" {
				*into = f.Value
			}
		}
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
	if rel := tx.Path("WAITING.json"); tx.Has(rel) {
		s.Waiting = rel
	}
	return s, nil
}

// InterruptedAgent returns the id of an agent that did not end, or "".
func InterruptedAgent(tx *plan.Tx) string {
	b, err := tx.ReadBytes(tx.Path("current-agent-id.txt"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
