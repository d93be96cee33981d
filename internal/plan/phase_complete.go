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
	Open   string // what is open, although the phase is completed; for STATE.md
	Reason string // why it is completed all the same, likewise
	Prune  bool   // what STATE.md says of old phases moves to its archive

	// The rest is for callers of the old tool. Lenient: only plans without a
	// summary are refused, unless Force is given; nothing else is judged, and a
	// phase of a project without a roadmap can be completed.
	// ByOrder: the next phase is the following one, even when it is complete
	// or an earlier one is open; after the last one, the first that is open.
	Lenient bool
	Force   bool
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
	Warnings     []string // what REQUIREMENTS.md lacks
	again        bool     // the roadmap had it as complete before
}

// keepRecent is how many phases back STATE.md is kept when it is pruned.
const keepRecent = 3

// CompletePhase ticks the phase in the roadmap with its date and counts, ticks
// its requirements, and makes the next open phase the current one. Whether it
// may be completed is the caller's question (package lifecycle); what it leaves
// open all the same, STATE.md records. A roadmap in which nothing can say that
// the phase is complete is an error.
func (tx *Tx) CompletePhase(id doc.PhaseID, c Completion) *Completed {
	r := tx.Roadmap()
	if !c.Lenient {
		r = tx.needRoadmap()
	}
	p := tx.Phase(id)
	if p == nil || p.Archived != "" {
		must.Fail(term.Hint(&PhaseError{id.String(), "not found"}, "cairn plan phase list --all shows those there are"))
	}
	if open := (Unfinished{Phase: p.ID.String(), Plans: p.unexecuted()}); c.Lenient && open.Any() {
		if !c.Force {
			must.Fail(term.Hint(&UnfinishedError{open}, "finish it, or give --force --reason TEXT, which STATE.md will keep"))
		}
		c.Open = open.String()
	}
	out := &Completed{Phase: p, Date: tx.now().Format(time.DateOnly), Warnings: []string{}}
	if r != nil {
		out.Roadmap = true
		version := tx.milestoneVersion(r)
		if row, ok := p.row(r, version); ok {
			out.again = strings.EqualFold(row.Cell("Status"), "Complete")
		}
		writeProgress(r, p, version, StatusComplete, out.Date)
		if !c.Lenient {
			tx.sayComplete(p, out.Date)
		}
	}
	out.again = out.again || p.Box != nil && p.Box.Done
	tx.completeRequirements(r, p, out)
	out.Next = tx.nextPhase(p, c.ByOrder)
	if r != nil {
		tx.listPlans(p)
	}
	tx.stateAfterCompletion(out, c)
	return out
}

// sayComplete sees to it that the roadmap says so: a section without a box and
// a row gets a Status.
func (tx *Tx) sayComplete(p *Phase, date string) {
	now := tx.Phase(p.ID)
	r := tx.Roadmap()
	status := "Complete (" + date + ")"
	f, has := now.Field(r, "Status")
	switch {
	case now.Section != nil && has && !hasWord(f.Value, "complete"):
		r.SetField(f, status)
	case tx.Closed(now):
	case now.Section != nil:
		form, at := "**%s:** %s", now.Section.Start
		for _, name := range []string{"Plans", "Requirements", "Depends on", "Goal"} {
			if f, ok := r.PhaseField(*now.Section, name); ok {
				form, at = fieldForm(r.Line(f.Line)), f.Line+1
				break
			}
		}
		r.Insert(at, fmt.Sprintf(form, "Status", status))
	}
	for _, c := range tx.Phase(p.ID).Disputed() {
		if !c.Done {
			must.Fail(term.Hint(&InputError{Path: c.Path, Line: c.Line, What: fmt.Sprintf("would still say that phase %s is not complete: %s", p.ID, c.Text)}, "correct the line, then complete the phase again"))
		}
	}
	if !tx.Closed(tx.Phase(p.ID)) {
		must.Fail(term.Hint(&PhaseError{p.ID.String(), "has neither a line nor a section in ROADMAP.md that could say that it is complete"},
			"add a section such as \"### Phase %s: %s\" first", p.ID, p.Name))
	}
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
	if byOrder && i < len(phases) {
		return phases[i]
	}
	for _, q := range slices.Concat(phases[i:], phases[:i]) {
		closed := tx.Closed(q) || byOrder && q.DiskStatus() == StatusComplete // to the older tool summaries are enough
		if !q.ID.Same(p.ID) && !closed {
			return q
		}
	}
	return nil
}

// stateAfterCompletion makes the next phase the current one, and records what
// was open when the completion was forced.
func (tx *Tx) stateAfterCompletion(done *Completed, c Completion) {
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
			s.Set("Current focus", fmt.Sprintf("Phase %s — %s", done.Next.ID, done.Next.Name))
		}
		s.Set("Status", status)
		s.Set("Current Plan", "Not started")
		s.SetPosition("Plan", "Not started")
		s.SetActivity(done.Date, told)
		s.Set("Last Activity Description", told)
		if c.Open != "" {
			s.Decide(Decision{Phase: done.Phase.ID.String(), Summary: "Completed by force: " + c.Open, Rationale: c.Reason})
		}
		if _, known := s.currentPhase(); c.Prune && known {
			done.Pruned = s.Prune(keepRecent).Total > 0
		}
	})
}
