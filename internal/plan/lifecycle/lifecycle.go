// Package lifecycle is the state machine of a phase: which states there are,
// what proves each, and what has to hold before a verb moves a phase on. What
// shows a phase (next, list, progress), what moves one (begin, planned,
// complete) and what guards one (the gates ready and ship, a milestone's audit)
// all ask it; docs/plan-lifecycle.md has its table.
//
// The evidence is files: a phase is as far as its documents show, and complete
// when the roadmap says so. A condition is judged in one place, and names what
// it wants, where, and how to fix it.
package lifecycle

import (
	"context"
	"slices"

	"cairn/internal/plan"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/settings"
	"cairn/internal/plan/wave"
)

// State is how far a phase is.
type State string

// The states, in the order in which a phase goes through them. Gaps lead back
// to Planning, and Findings may come at any time after Executed.
const (
	NotStarted State = "not started"  // nothing was done for it
	Discussing State = "discussing"   // CONTEXT.md is begun and says nothing yet
	Discussed  State = "discussed"    // CONTEXT.md says what was decided
	Researched State = "researched"   // RESEARCH.md is there
	Drafted    State = "has plans"    // there are plans; whether they can be executed was not looked at, see All
	Planning   State = "planning"     // there are plans, and they cannot be executed yet
	Planned    State = "planned"      // there are plans that can be executed
	Executing  State = "in progress"  // some plans have a summary
	Executed   State = "executed"     // every plan has one, and nothing was verified since
	Gaps       State = "gaps"         // verification found gaps that no plan closes yet
	Accepting  State = "needs review" // a person has to try it: VERIFICATION.md or UAT.md waits
	Findings   State = "findings"     // something else that is recorded is open
	Verified   State = "verified"     // everything holds; only the roadmap does not say so
	Complete   State = "complete"     // the roadmap says so
)

// States returns every state, in order.
func States() []State {
	return []State{NotStarted, Discussing, Discussed, Researched, Drafted, Planning, Planned, Executing, Executed, Gaps, Accepting, Findings, Verified, Complete}
}

// Look reads the states of a plan's phases.
type Look struct {
	*plan.Tx
	settings *settings.Settings
	context  context.Context
	quick    bool // see Quick
	unjudged []string
	unmet    map[asked][]gate.Missing // asked and answered
	docs     map[*plan.Phase][]wave.Document
	without  string // a condition that does not count, in tests
}

// deepLooks is of how many planned phases a list reads every plan: those that come
// next. To read each of a hundred would take seconds.
const deepLooks = 10

type asked struct {
	phase *plan.Phase
	move  Move
}

// New returns a look at a plan. The context bounds git, which only the gates
// of database schemas ask.
func New(ctx context.Context, tx *plan.Tx) *Look {
	return &Look{Tx: tx, settings: settings.Load(tx), context: ctx, unmet: map[asked][]gate.Missing{}, docs: map[*plan.Phase][]wave.Document{}}
}

// Quick returns a look for who must not be slow: it starts no program and looks at
// nothing but the plan. What only git could prove is not judged, and Unjudged
// names it.
func Quick(tx *plan.Tx) *Look {
	l := New(context.Background(), tx)
	l.quick = true
	return l
}

// IsQuick reports whether the look is of [Quick].
func (l *Look) IsQuick() bool { return l.quick }

// Unjudged returns the phases of which a quick look did not judge whether their
// schemas are pushed: the summaries do not say so, and commits were not read.
func (l *Look) Unjudged() []string { return l.unjudged }

// Subject is what the gates look at, with the machine behind those that ask
// what has to hold before a stage.
func (l *Look) Subject(p *plan.Phase) gate.Subject {
	s := gate.Look(l.context, l.Tx, p)
	s.Wants = func(stage gate.Stage) []gate.Missing {
		return l.Unmet(p, map[gate.Stage]Move{gate.Plan: Plan, gate.Execute: Begin, gate.Verify: Verify}[stage])
	}
	s.Proof = func() []gate.Missing { return l.Unmet(p, Ship) }
	return s
}

// Of returns the state of a phase.
func (l *Look) Of(p *plan.Phase) State {
	switch s := l.Outline(p); {
	case s == Drafted && l.may(p, Ready):
		return Planned
	case s == Drafted:
		return Planning
	case s == Executed:
		return l.afterPlans(p)
	default:
		return s
	}
}

// Outline returns the state as far as the roadmap and the files' names tell it:
// Drafted where Of says whether the plans can be executed, Executed where it says
// what is open since they were.
func (l *Look) Outline(p *plan.Phase) State {
	switch {
	case l.Closed(p) && !l.reopened(p):
		return Complete
	case len(p.Plans) == 0:
		return l.beforePlans(p)
	case p.Executed() == 0:
		return Drafted
	case !p.Complete():
		return Executing
	}
	return Executed
}

// All returns the states of phases for a list. Of those that have plans and are not
// begun the first few are looked into; the others are only Drafted.
func (l *Look) All(phases []*plan.Phase) []State {
	out, deep := make([]State, len(phases)), 0
	for i, p := range phases {
		if out[i] = l.Outline(p); out[i] == Drafted {
			if deep++; deep > deepLooks {
				continue
			}
		}
		out[i] = l.Of(p)
	}
	return out
}

func (l *Look) beforePlans(p *plan.Phase) State {
	switch {
	case p.File("RESEARCH") != "":
		return Researched
	case p.File("CONTEXT") == "":
		return NotStarted
	case l.empty(p, "CONTEXT"):
		return Discussing
	}
	return Discussed
}

// afterPlans is the state of a phase whose plans are all executed: the first
// proof that is missing decides.
func (l *Look) afterPlans(p *plan.Phase) State {
	open := l.Unmet(p, Finish)
	is := func(condition string) bool {
		return slices.ContainsFunc(open, func(m gate.Missing) bool { return m.Condition == condition })
	}
	switch v := l.Verification(p); {
	case len(open) == 0:
		return Verified
	case is("verification") && v.Gaps() && !l.outdated(p):
		return Gaps
	case is("verification") && !v.Waits():
		return Executed
	case is("verification"), is("uat"):
		return Accepting
	}
	return Findings
}
