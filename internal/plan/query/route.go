package query

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/lifecycle"
)

// step is what `route next-action` says is to be done.
type step struct{ command, args, reason string }

func nextAction(c *call, tx *plan.Tx) result {
	state := gate.ReadIfThere(tx, tx.Path("STATE.md"))
	if state == nil {
		first := step{"/gsd-new-project", "", "No STATE.md found: the project is not set up"}
		return data(routed(first, &plan.Phase{}, "", stops{}, 0, nil))
	}
	phases, p := tx.Phases(plan.Current), tx.CurrentPhase()
	if p == nil {
		p = &plan.Phase{}
	}
	stopped, paused := findStops(tx, p), doc.State{Text: state.Text}.PausedAt()
	return data(routed(route(lifecycle.New(c.context, tx), p, phases, stopped, paused), p, paused, stopped, callsMade(tx), gate.Document(tx, p, "UAT")))
}

// route decides in the order: paused, stopped, discuss, plan, execute,
// verify, the next phase, the end of the milestone.
func route(look *lifecycle.Look, p *plan.Phase, phases []*plan.Phase, stopped stops, paused string) step {
	switch {
	case paused != "":
		return step{"/gsd-resume-work", "", "Work is paused: " + paused}
	case len(stopped) > 0:
		return step{"", "", "Blocked: resolve what check gates lists first"}
	case !known(p) && len(phases) == 0:
		return step{"/gsd-new-milestone", "", "No phase is planned"}
	case !known(p):
		return ended(look, p, phases)
	case p.Dir == "":
		return stepOf("/gsd-discuss-phase", p, "has no directory yet")
	}
	switch nextStep(look, p) {
	case "discuss":
		return stepOf("/gsd-discuss-phase", p, "has neither context nor research")
	case "plan":
		return stepOf("/gsd-plan-phase", p, "has no plans that can be executed")
	case "execute":
		return stepOf("/gsd-execute-phase", p, "has plans without a summary")
	case "verify":
		return stepOf("/gsd-verify-work", p, "is executed, and something is open")
	}
	return ended(look, p, phases)
}

func stepOf(command string, p *plan.Phase, why string) step {
	return step{command, p.ID.String(), "Phase " + p.ID.String() + " " + why}
}

// ended is the step after a phase that is done.
func ended(look *lifecycle.Look, current *plan.Phase, phases []*plan.Phase) step {
	for _, p := range phases {
		if !look.Closed(p) && (!known(current) || p.ID.Compare(current.ID) > 0) {
			return stepOf("/gsd-discuss-phase", p, "is next")
		}
	}
	return step{"/gsd-complete-milestone", "", "All phases are complete"}
}

func routed(s step, p *plan.Phase, paused string, stopped stops, calls int, uat *gate.File) object {
	number, name := any(nil), any(nil)
	if known(p) {
		number, name = p.ID.Padded(), p.Name
	}
	return object{
		{"command", s.command}, {"args", s.args}, {"reason", s.reason}, {"current_phase", number}, {"phase_name", name},
		{"gates", object{
			{"continue_here", stopped.by("continue-here")}, {"error_state", stopped.by("error-state")},
			{"unresolved_verification", stopped.by("unresolved-verification")}, {"consecutive_calls", calls},
		}},
		{"context", object{
			hasFile(p, "CONTEXT"), hasFile(p, "RESEARCH"),
			{"has_plans", len(p.Plans) > 0}, {"plan_count", len(p.Plans)}, {"summary_count", p.Executed()},
			hasFile(p, "VERIFICATION"), {"paused_at", orNull(paused)}, {"uat_gaps", uatGaps(uat)},
		}},
	}
}

func checkGates(c *call, tx *plan.Tx) result {
	s := findStops(tx, phaseOf(tx, c.opt("phase")))
	return data(object{{"passed", len(s) == 0}, {"blockers", []object(s)}, {"warnings", []string{}}})
}

// stops are what keeps a workflow from going on.
type stops []object

func (s stops) by(gate string) bool {
	return slices.ContainsFunc(s, func(o object) bool { return o[0].value == gate })
}

func stop(gate, file string, antiPatterns []string) object {
	return object{{"gate", gate}, {"file", file}, {"severity", "blocking"}, {"anti_patterns", list(antiPatterns)}}
}

// findStops looks for a handover that was not taken up, for a state that is
// an error, and for failed rows of the phase's verification.
func findStops(tx *plan.Tx, p *plan.Phase) stops {
	s := stops{}
	if here := gate.ReadIfThere(tx, tx.Path(".continue-here.md")); here != nil {
		s = append(s, stop("continue-here", here.Path, antiPatterns(here)))
	}
	if state := gate.ReadIfThere(tx, tx.Path("STATE.md")); state != nil && isErrorState(state) {
		s = append(s, stop("error-state", state.Path, nil))
	}
	if verification := gate.Document(tx, p, "VERIFICATION"); failures(verification) > 0 {
		s = append(s, stop("unresolved-verification", verification.Path, nil))
	}
	return s
}

func isErrorState(state *gate.File) bool {
	status := statusOf(state)
	if f, ok := state.Field(state.Body(), state.Len(), "Status"); ok && status == "" {
		status = f.Value
	}
	_, section := state.Section("Error")
	return section || strings.EqualFold(status, "error") || strings.EqualFold(status, "failed")
}

// antiPatterns returns what a handover's table calls blocking.
func antiPatterns(f *gate.File) []string {
	var out []string
	for _, tb := range f.Tables(f.Body(), f.Len()) {
		severity := tb.Column("Severity")
		for i := range tb.Rows {
			if severity > 0 && strings.EqualFold(tb.Cell(i, severity), "blocking") {
				out = append(out, tb.Cell(i, 0))
			}
		}
	}
	return out
}

// callsMade returns the count that a running chain of workflows keeps.
func callsMade(tx *plan.Tx) (n int) {
	b, err := tx.ReadBytes(tx.Path(".next-call-count"))
	if !errors.Is(err, fs.ErrNotExist) {
		_, _ = fmt.Sscan(string(must.Get(b, err)), &n)
	}
	return n
}
