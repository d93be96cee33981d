package query

import (
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
)

// step is what `route next-action` says is to be done.
type step struct{ command, args, reason string }

func nextAction(c *call, tx *plan.Tx) (result, error) {
	state, err := gate.ReadIfThere(tx, tx.Path("STATE.md"))
	if err != nil {
		return result{}, err
	}
	if state == nil {
		first := step{"/gsd-new-project", "", "No STATE.md found: the project is not set up"}
		return data(routed(first, nil, "", stops{}, 0, nil)), nil
	}
	phases, err := tx.Phases(plan.Current)
	if err != nil {
		return result{}, err
	}
	p, err := tx.CurrentPhase()
	if err != nil {
		return result{}, err
	}
	stopped, err := findStops(tx, p)
	if err != nil {
		return result{}, err
	}
	calls, err := callsMade(tx)
	if err != nil {
		return result{}, err
	}
	var uat *gate.File
	if p != nil {
		if uat, err = gate.Document(tx, p, "UAT"); err != nil {
			return result{}, err
		}
	}
	paused := doc.State{Text: state.Text}.PausedAt()
	return data(routed(route(p, phases, stopped, paused), p, paused, stopped, calls, uat)), nil
}

// route decides in the order: paused, stopped, discuss, plan, execute,
// verify, the next phase, the end of the milestone.
func route(p *plan.Phase, phases []*plan.Phase, stopped stops, paused string) step {
	if paused != "" {
		return step{"/gsd-resume-work", "", "Work is paused: " + paused}
	}
	if len(stopped.blockers) > 0 {
		return step{"", "", "Blocked: resolve what check gates lists first"}
	}
	if p == nil {
		if len(phases) == 0 {
			return step{"/gsd-new-milestone", "", "No phase is planned"}
		}
		return ended(p, phases)
	}
	number := p.ID.String()
	if p.Dir == "" {
		return step{"/gsd-discuss-phase", number, "Phase " + number + " has no directory yet"}
	}
	switch nextStep(p) {
	case "discuss":
		return step{"/gsd-discuss-phase", number, "Phase " + number + " has neither context nor research"}
	case "plan":
		return step{"/gsd-plan-phase", number, "Phase " + number + " has no plans"}
	case "execute":
		return step{"/gsd-execute-phase", number, "Phase " + number + " has plans without a summary"}
	case "verify":
		return step{"/gsd-verify-work", number, "Phase " + number + " is executed and not verified"}
	}
	return ended(p, phases)
}

// ended is the step after a phase that is done.
func ended(current *plan.Phase, phases []*plan.Phase) step {
	for _, p := range phases {
		if p.Status() != plan.StatusComplete && (current == nil || p.ID.Compare(current.ID) > 0) {
			number := p.ID.String()
			return step{"/gsd-discuss-phase", number, "Phase " + number + " is next"}
		}
	}
	return step{"/gsd-complete-milestone", "", "All phases are complete"}
}

func routed(s step, p *plan.Phase, paused string, stopped stops, calls int, uat *gate.File) object {
	number, name := any(nil), any(nil)
	if p != nil {
		number, name = p.ID.Padded(), p.Name
	} else {
		p = &plan.Phase{}
	}
	return object{
		{"command", s.command}, {"args", s.args}, {"reason", s.reason}, {"current_phase", number}, {"phase_name", name},
		{"gates", object{
			{"continue_here", stopped.continueHere}, {"error_state", stopped.errorState},
			{"unresolved_verification", stopped.unresolved}, {"consecutive_calls", calls},
		}},
		{"context", object{
			{"has_context", p.File("CONTEXT") != ""}, {"has_research", p.File("RESEARCH") != ""},
			{"has_plans", len(p.Plans) > 0}, {"plan_count", len(p.Plans)}, {"summary_count", p.Executed()},
			{"has_verification", p.File("VERIFICATION") != ""}, {"paused_at", orNull(paused)}, {"uat_gaps", uatGaps(uat)},
		}},
	}
}
