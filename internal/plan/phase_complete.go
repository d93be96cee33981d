package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
	"cairn/internal/term"
)

// Completion says how a phase is to be completed.
type Completion struct {
	Force  bool   // although it is not finished
	Reason string // why, for STATE.md
	Prune  bool   // what STATE.md says of old phases moves to its archive

	// Lenient and ByOrder are for callers of the old tool. Lenient: a phase
	// without plans, or whose verification found gaps, is completed with a
	// warning, and one of a project without a roadmap can be completed.
	// ByOrder: the next phase is the following one, even when it is complete
	// or an earlier one is open.
	Lenient bool
	ByOrder bool
}

// Completed tells what CompletePhase did.
type Completed struct {
	Phase        *Phase
	Next         *Phase // nil after the last one
	Date         string
	Roadmap      bool // whether there was a ROADMAP.md to edit
	Requirements Marked
	State        bool     // whether there was a STATE.md to edit
	Pruned       bool     // whether something moved to its archive
	Warnings     []string // what somebody still has to look at
	again        bool     // the roadmap had it as complete before
}

// keepRecent is how many phases back STATE.md is kept when it is pruned.
const keepRecent = 3

// CompletePhase ticks the phase in the roadmap with its date and counts, ticks
// its requirements, and makes the next open phase the current one. A phase
// with plans that were not executed, or a verification that found gaps, is an
// [UnfinishedError] unless forced; then STATE.md records what was open and
// why.
func (tx *Tx) CompletePhase(id doc.PhaseID, c Completion) *Completed {
	r := tx.Roadmap()
	if !c.Lenient {
		r = tx.needRoadmap()
	}
	p := tx.Phase(id)
	if p == nil || p.Archived != "" {
		must.Fail(term.Hint(&PhaseError{id.String(), "not found"}, "cairn plan phase list --all shows those there are"))
	}
	open := tx.Unfinished(p)
	blocking := open
	if c.Lenient {
		blocking.NoPlans, blocking.Gaps = false, ""
	}
	if blocking.Any() && !c.Force {
		must.Fail(term.Hint(&UnfinishedError{blocking}, "finish it, or give --force --reason TEXT, which STATE.md will keep"))
	}
	out := &Completed{Phase: p, Date: tx.now().Format(time.DateOnly)}
	out.Warnings = tx.OpenChecks(p)
	if r != nil {
		out.Roadmap = true
		version := tx.milestoneVersion(r)
		if row, ok := r.ProgressRow(p.ID, version); ok {
			out.again = strings.EqualFold(row.Cell("Status"), "Complete")
		}
		writeProgress(r, p, version, StatusComplete, out.Date)
	}
	out.again = out.again || p.Box != nil && p.Box.Done
	tx.completeRequirements(r, p, out)
	out.Next = tx.nextPhase(p, c.ByOrder)
	tx.stateAfterCompletion(out, blocking, c)
	return out
}

func (tx *Tx) completeRequirements(r *doc.Roadmap, p *Phase, out *Completed) {
	q := tx.Requirements()
	if q == nil {
		return
	}
	out.Requirements = MarkComplete(q, p.Requirements(r))
	for _, id := range out.Requirements.NotFound {
		out.Warnings = append(out.Warnings, fmt.Sprintf("REQUIREMENTS.md: %s of phase %s is not in it", id, p.ID))
	}
	var untraced []string
	for _, it := range q.Items {
		if q.Row(it.ID) < 0 {
			untraced = append(untraced, it.ID)
		}
	}
	if len(untraced) > 0 {
		out.Warnings = append(out.Warnings, "REQUIREMENTS.md: missing from the Traceability table: "+strings.Join(untraced, ", "))
	}
}

// nextPhase returns the phase that comes after p: the first that is not
// complete after it, else the first before it.
func (tx *Tx) nextPhase(p *Phase, byOrder bool) *Phase {
	phases := tx.Phases(Current)
	i := slices.IndexFunc(phases, func(q *Phase) bool { return q.ID.Compare(p.ID) > 0 })
	if i < 0 {
		i = len(phases)
	}
	if byOrder {
		if i == len(phases) {
			return nil
		}
		return phases[i]
	}
	for _, q := range slices.Concat(phases[i:], phases[:i]) {
		if !q.ID.Same(p.ID) && q.Status() != StatusComplete {
			return q
		}
	}
	return nil
}

// stateAfterCompletion makes the next phase the current one, and records what
// was open when the completion was forced.
func (tx *Tx) stateAfterCompletion(done *Completed, open Unfinished, c Completion) {
	tx.editState(func(s *State) {
		done.State = true
		more := 1
		if done.again {
			more = 0
		}
		s.countDone(more)
		s.sumUp(done.Phase, s.tx.Counters().PlansDone)
		status, told := "Milestone complete", fmt.Sprintf("Phase %s complete", done.Phase.ID)
		if done.Next != nil {
			status = "Ready to plan"
			told += fmt.Sprintf(", transitioned to Phase %s", done.Next.ID)
			s.moveTo(done.Next.ID, done.Next.Name)
		}
		s.Set("Status", status)
		s.Set("Current Plan", "Not started")
		s.SetPosition("Plan", "Not started")
		s.SetActivity(done.Date, told)
		s.Set("Last Activity Description", told)
		if open.Any() {
			s.Decide(Decision{Phase: done.Phase.ID.String(), Summary: "Completed by force: " + open.String(), Rationale: c.Reason})
		}
		if _, known := s.currentPhase(); c.Prune && known {
			done.Pruned = s.Prune(keepRecent).Total > 0
		}
	})
}
