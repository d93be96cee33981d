package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/plan/doc"
)

// PhaseWork names a phase that is begun, planned or finished. Number is as
// the caller wrote it; Name "" and Plans -1 are not known. Done is how many of
// the plans were executed before.
type PhaseWork struct {
	Number string
	Name   string
	Plans  int
	Done   int
}

// next is the first plan that is not executed, the last when all are.
func (w PhaseWork) next() int { return max(1, min(w.Done+1, w.Plans)) }

// Known fills in what is not known of w from the roadmap and the files.
func (s *State) Known(w PhaseWork) PhaseWork {
	id, ok := doc.ParsePhaseID(w.Number)
	if !ok {
		return w
	}
	p := s.tx.Phase(id)
	if p == nil {
		return w
	}
	w.Name = cmp.Or(w.Name, p.Name)
	if w.Plans < 0 && len(p.Plans) > 0 {
		w.Plans = len(p.Plans)
	}
	return w
}

// Begin makes a phase the current one, with its first plan to execute behind
// those that are done. When it is being executed already only the date
// changes, and the plan if more are done than it says: a session that resumes
// does not lose the plan it was on. It returns the names of what was written.
func (s *State) Begin(w PhaseWork) []string {
	var t touched
	number, _ := s.Phase()
	if samePhase(number, w.Number) && strings.HasPrefix(strings.ToLower(s.Value("Status")), "executing") {
		t.add("Last Activity", s.SetActivity(s.today(), ""))
		if at, _ := s.Plan(); w.Done > 0 && at >= 0 && at < w.next() {
			_, moved := s.SetPlan(w.next(), w.Plans)
			t.add("Current Position", moved)
		}
		return t
	}
	what := "Phase " + w.Number + " execution started"
	t.add("Status", s.Set("Status", "Executing Phase "+w.Number))
	t.add("Last Activity", s.SetActivity(s.today(), what))
	t.add("Last Activity Description", s.Set("Last Activity Description", what))
	t.add("Current Phase", s.Set("Current Phase", w.Number))
	t.add("Current Phase Name", w.Name != "" && s.Set("Current Phase Name", w.Name))
	t.add("Current Plan", s.Set("Current Plan", strconv.Itoa(w.next())))
	t.add("Total Plans in Phase", w.Plans >= 0 && s.Set("Total Plans in Phase", strconv.Itoa(w.Plans)))
	focus := "Phase " + w.Number
	if w.Name != "" {
		focus += " — " + w.Name
	}
	t.add("Current focus", s.Set("Current focus", focus))
	placed := s.SetPosition("Phase", w.place("EXECUTING"))
	_, planned := s.SetPlan(w.next(), w.Plans)
	t.add("Current Position", placed || planned)
	return t
}

// Planned says that a phase's plans are written and can be executed.
func (s *State) Planned(w PhaseWork) []string {
	var t touched
	what := "Phase " + w.Number + " planned"
	if w.Plans >= 0 {
		what = fmt.Sprintf("Phase %s planning complete — %d plans ready", w.Number, w.Plans)
	}
	t.add("Status", s.Set("Status", "Ready to execute"))
	inFields, inPosition := false, false
	if w.Plans >= 0 {
		inFields, inPosition = s.SetPlan(-1, w.Plans)
	}
	t.add("Total Plans in Phase", inFields)
	t.add("Last Activity", s.SetActivity(s.today(), what))
	t.add("Last Activity Description", s.Set("Last Activity Description", what))
	t.add("Current Position", inPosition)
	return t
}

// Finish says that a phase is done. It does nothing and returns false when
// another phase is the current one.
func (s *State) Finish(number string) (names []string, current bool) {
	var t touched
	now, name := s.Phase()
	if now != "" && !samePhase(now, number) {
		return nil, false
	}
	what := "Phase " + number + " complete"
	t.add("Status", s.Set("Status", what))
	t.add("Last Activity", s.SetActivity(s.today(), what))
	t.add("Last Activity Description", s.Set("Last Activity Description", what))
	w := PhaseWork{Number: number, Name: name}
	t.add("Current Position", s.SetPosition("Phase", w.place("COMPLETE")))
	return t, true
}

// Advance is what Advance did, or why it did not.
type Advance struct {
	Previous int  `json:"previous_plan"`
	Current  int  `json:"current_plan"`
	Total    int  `json:"total_plans"`
	Last     bool `json:"last"` // there was no next plan: the phase waits for its verification
}

// Advance goes to the phase's next plan. After the last one the phase is
// ready for verification.
func (s *State) Advance() Advance {
	plan, total := s.Plan()
	switch {
	case plan < 0 || total < 0:
		s.refuse("says neither Current Plan and Total Plans in Phase nor Plan: A of B")
	case total == 0:
		s.refuse("says that the phase has no plans")
	}
	s.SetActivity(s.today(), "")
	if plan >= total {
		s.Set("Status", "Phase complete — ready for verification")
		return Advance{Previous: plan, Current: plan, Total: total, Last: true}
	}
	s.SetPlan(plan+1, total)
	s.Set("Status", "Ready to execute")
	return Advance{Previous: plan, Current: plan + 1, Total: total}
}

// CurrentPhase returns the phase that STATE.md says is current, else the first
// of the milestone that is not complete; nil when there is none.
func (tx *Tx) CurrentPhase() *Phase {
	if tx.Has(tx.Path("STATE.md")) {
		if id, ok := tx.State().PhaseID(); ok {
			if p := tx.Phase(id); p != nil {
				return p
			}
		}
	}
	phases := tx.Phases(Current)
	if i := firstOpen(phases); i >= 0 {
		return phases[i]
	}
	return nil
}

// firstOpen returns which of the phases is the first that is not complete, or
// -1.
func firstOpen(phases []*Phase) int {
	return slices.IndexFunc(phases, func(p *Phase) bool { return p.Claimed() != doc.SaysDone })
}

// place prints the line of Current Position.
func (w PhaseWork) place(status string) string {
	if w.Name == "" {
		return w.Number + " — " + status
	}
	return w.Number + " (" + w.Name + ") — " + status
}

func samePhase(a, b string) bool {
	a, _, _ = strings.Cut(a, " ")
	x, ok := doc.ParsePhaseID(a)
	y, ok2 := doc.ParsePhaseID(b)
	return ok && ok2 && x.Same(y) || a == b
}
