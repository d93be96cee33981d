package lifecycle

import (
	"errors"
	"slices"

	"cairn/internal/plan"
	"cairn/internal/plan/gate"
)

// Move is a step that takes a phase from one state to the next. Each is a verb
// or a gate, or both.
type Move string

const (
	Plan   Move = "plan"     // gate ready --stage plan
	Ready  Move = "planned"  // state planned
	Begin  Move = "begin"    // state begin; gate ready --stage execute
	Verify Move = "verify"   // gate ready --stage verify
	Finish Move = "complete" // phase complete, state complete, milestone complete
	Ship   Move = "ship"     // gate ship
)

// Moves returns every move, in order.
func Moves() []Move { return []Move{Plan, Ready, Begin, Verify, Finish, Ship} }

// Condition is something that has to hold before a phase moves on.
type Condition struct {
	ID       string
	What     string // that has to hold, in a sentence
	Workflow string // the workflow that makes it hold
	Moves    []Move // those it is a condition of
	unmet    func(*Look, *plan.Phase) []gate.Missing
}

// Conditions returns the table. Their order is the order in which a refusal
// names them.
func Conditions() []Condition {
	return []Condition{
		{"roadmap", "ROADMAP.md has the phase", "phase", []Move{Plan, Finish, Ship}, inRoadmap},
		{"open", "it is not complete yet, or verification found gaps", "discuss-phase", []Move{Plan}, stillOpen},
		{"context", "CONTEXT.md says what was decided (workflow.skip_discuss: not asked)", "discuss-phase", []Move{Plan, Finish, Ship}, discussed},
		{"plans", "there is a plan", "plan-phase", []Move{Ready, Begin, Verify, Finish, Ship}, hasPlans},
		{"listed", "each plan that the roadmap lists is written", "plan-phase", []Move{Ready, Begin, Finish, Ship}, writtenPlans},
		{"filled", "no plan has a gap of its template", "plan-phase", []Move{Ready, Begin, Finish, Ship}, filledPlans},
		{"waits", "plans wait only for plans that there are", "plan-phase", []Move{Ready, Begin}, knownPlans},
		{"cycle", "no plans wait for each other", "plan-phase", []Move{Ready, Begin}, noCycle},
		{"research", "RESEARCH.md, if it is there, leaves no question open", "plan-phase", []Move{Ready, Begin}, gateSays("research", gate.Plan)},
		{"requirements", "each requirement of the phase is claimed by a plan", "plan-phase", []Move{Ready, Begin}, gateSays("requirements", gate.Plan)},
		{"decisions", "each decision of CONTEXT.md is cited in a plan", "plan-phase", []Move{Ready, Begin, Finish, Ship}, gateSays("decisions", gate.Plan)},
		{"push", "a plan that changes a database schema pushes it", "plan-phase", []Move{Ready}, gateSays("schema", gate.Plan)},
		{"depends", "the phases that it depends on are complete", "progress", []Move{Begin}, dependenciesComplete},
		{"summaries", "each plan has a summary", "execute-phase", []Move{Verify, Finish, Ship}, executedPlans},
		{"delivered", "each requirement of the phase is completed in a summary, or ticked", "verify-work", []Move{Finish, Ship}, gateSays("requirements", gate.Verify)},
		{"pushed", "schemas that the phase changes are pushed", "execute-phase", []Move{Finish, Ship}, gateSays("schema", gate.Verify)},
		{"verification", "VERIFICATION.md says passed (workflow.verifier off: not asked)", "verify-work", []Move{Finish, Ship}, verified},
		{"proof", "PROOF.jsonl, if it is there, proves the phase as it is now (cairn plan prove)", "verify-work", []Move{Finish, Ship}, proven},
		{"uat", "UAT.md is complete, and no test found an issue (workflow.uat off: not asked)", "verify-work", []Move{Finish, Ship}, accepted},
		{"review", "REVIEW.md, if it is there, has no critical finding open", "code-review", []Move{Finish, Ship}, reviewed},
		{"threats", "SECURITY.md, if it is there, has no severe threat open", "secure-phase", []Move{Finish, Ship}, gateSays("threats", gate.Verify)},
		{"validation", "VALIDATION.md, if it is there, is no draft", "validate-phase", []Move{Finish, Ship}, validated},
	}
}

// Unmet returns what keeps a phase from a move: everything at once. Each names
// its condition.
func (l *Look) Unmet(p *plan.Phase, m Move) []gate.Missing {
	key := asked{p, m}
	if out, ok := l.unmet[key]; ok {
		return out
	}
	var out []gate.Missing
	for _, c := range Conditions() {
		if l.counts(c, m) {
			out = append(out, c.missing(l, p)...)
		}
	}
	l.unmet[key] = out
	return out
}

// missing returns what keeps the condition from holding, each with its name.
func (c Condition) missing(l *Look, p *plan.Phase) []gate.Missing {
	out := c.unmet(l, p)
	for i := range out {
		out[i].Condition = c.ID
	}
	return out
}

// Lacks returns what keeps some conditions from holding, whatever the move: of a
// phase that is complete nothing else is asked.
func (l *Look) Lacks(p *plan.Phase, conditions ...string) []gate.Missing {
	var out []gate.Missing
	for _, c := range Conditions() {
		if slices.Contains(conditions, c.ID) && c.ID != l.without {
			out = append(out, c.missing(l, p)...)
		}
	}
	return out
}

// counts reports whether a move has that condition.
func (l *Look) counts(c Condition, m Move) bool {
	return slices.Contains(c.Moves, m) && c.ID != l.without
}

// may reports whether nothing keeps a phase from a move. It looks no further than
// the first thing that does: of a long list of phases nothing else is asked.
func (l *Look) may(p *plan.Phase, m Move) bool {
	if out, ok := l.unmet[asked{p, m}]; ok {
		return len(out) == 0
	}
	for _, c := range Conditions() {
		if l.counts(c, m) && len(c.unmet(l, p)) > 0 {
			return false
		}
	}
	l.unmet[asked{p, m}] = nil
	return true
}

// Workflow returns the workflow that makes what is missing hold.
func Workflow(m gate.Missing) string {
	for _, c := range Conditions() {
		if c.ID == m.Condition {
			return c.Workflow
		}
	}
	return ""
}

var errQuick = errors.New("git is not asked")

// gateSays is the condition that a gate does not say no.
func gateSays(name string, stage gate.Stage) func(*Look, *plan.Phase) []gate.Missing {
	return func(l *Look, p *plan.Phase) []gate.Missing {
		subject := gate.Look(l.context, l.Tx, p)
		if l.quick {
			subject.Git = func(...string) (string, error) { return "", errQuick }
		}
		r := subject.Run(name, stage)
		if !r.No() {
			return nil
		}
		if l.quick && name == "schema" && stage != gate.Plan { // a commit may say it
			l.unjudged = append(l.unjudged, p.ID.String())
			return nil
		}
		for i := range r.Missing {
			if r.Missing[i].Category == "" {
				r.Missing[i].Category = name
			}
		}
		return r.Missing
	}
}

// want is one thing that is missing.
func want(id, text, file string, remedies ...string) []gate.Missing {
	return []gate.Missing{{ID: id, Category: "precondition", Text: text, File: file, Remedies: remedies}}
}
