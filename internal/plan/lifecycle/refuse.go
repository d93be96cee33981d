package lifecycle

import (
	"fmt"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/gate"
)

// Refusal says everything that keeps a phase from a move.
type Refusal struct {
	Phase string         `json:"phase"`
	Move  Move           `json:"move"`
	State State          `json:"state"`
	Unmet []gate.Missing `json:"unmet"`
}

// Error names all of it in a line.
func (r *Refusal) Error() string {
	words := map[Move]string{Ready: "is not ready to be executed", Begin: "cannot be executed yet", Finish: "is not complete"}
	return fmt.Sprintf("phase %s %s (%s): %s", r.Phase, words[r.Move], r.State, r.Open())
}

// Open names what is open in a line.
func (r *Refusal) Open() string {
	var parts []string
	for _, m := range r.Unmet {
		parts = append(parts, m.ID+": "+m.Text)
	}
	return strings.Join(parts, "; ")
}

// Override is a person's word that a phase moves on although conditions do not
// hold.
type Override struct {
	Force  bool
	Reason string // why
}

// Ask refuses a move of which a condition does not hold, unless it is
// overridden; then it returns what was open, for the record, or nil. What is
// complete may be completed again, unless its files deny it by now. It ends
// what was begun with a [*Refusal]; see must.
func (l *Look) Ask(p *plan.Phase, m Move, o Override) *Refusal {
	unmet := l.Unmet(p, m)
	if len(unmet) == 0 || m == Finish && l.Closed(p) && !l.deniedSince(p) {
		return nil
	}
	r := &Refusal{p.ID.String(), m, l.Of(p), unmet}
	if !o.Force {
		must.Fail(r)
	}
	return r
}
