package gate

import (
	"fmt"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// Ready is the gate before a stage: what the stage works on is there, as
// package lifecycle judges it. A phase may be planned ahead of those it depends
// on: that is a warning. It blocks.
func (s Subject) Ready(stage Stage) Result {
	r := Result{Gate: "ready", Stage: stage, Type: Transition, Blocking: true}
	if stage == Plan {
		for _, d := range Dependencies(s.Tx, s.Phase) {
			if !s.Tx.Closed(d) {
				r.Warnings = append(r.Warnings, fmt.Sprintf("phase %s: phase %s depends on it, and it is not complete", d.ID, s.Phase.ID))
			}
		}
	}
	return r.judge(s.Wants(stage), fmt.Sprintf("phase %s can go into the %s stage", s.Phase.ID, stage),
		fmt.Sprintf("phase %s cannot go into the %s stage yet:", s.Phase.ID, stage))
}

// Dependencies returns the phases that the roadmap says the phase depends on.
// One that does not exist is an error.
func Dependencies(tx *plan.Tx, p *plan.Phase) []*plan.Phase {
	f, _ := p.Field(tx.Roadmap(), "Depends on")
	if strings.TrimSpace(f.Value) == "" {
		return nil
	}
	var out []*plan.Phase
	for _, id := range doc.DependsOn(f.Value) {
		d := tx.Phase(id)
		if d == nil {
			must.Fail(&plan.InputError{Path: tx.Path("ROADMAP.md"), Line: f.Line + 1, What: "depends on phase " + id.String() + ", which does not exist"})
		}
		out = append(out, d)
	}
	return out
}
