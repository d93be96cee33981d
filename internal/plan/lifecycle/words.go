package lifecycle

import "cairn/internal/plan"

// Status is a state in the words that the verbs printed before there were states.
// They go by files; see [plan.Status].
func (s State) Status(p *plan.Phase) plan.Status {
	switch s {
	case NotStarted:
		if p.Dir == "" {
			return plan.StatusNoDirectory
		}
		return plan.StatusEmpty
	case Discussing, Discussed:
		return plan.StatusDiscussed
	case Researched:
		return plan.StatusResearched
	case Drafted, Planning, Planned:
		return plan.StatusPlanned
	case Executing:
		return plan.StatusPartial
	case Complete:
		return plan.StatusComplete
	}
	return plan.StatusExecuted
}

// Share is how much of a phase is done, in percent: all of it once it is complete.
func (s State) Share(p *plan.Phase) int {
	if s == Complete {
		return 100
	}
	return min(99, plan.Percent(p.Executed(), len(p.Plans)))
}

// Stages that others compare with.
const (
	StageNotStarted = "Not Started"
	StageComplete   = "Complete"
)

// Stage returns how far a phase is in the words of the older tool's progress and
// statistics, and of a team's records: there an executed phase that passed its
// verification is complete, whatever else is open.
func (l *Look) Stage(p *plan.Phase) string {
	switch l.Outline(p) {
	case Complete:
		return StageComplete
	case Drafted:
		return "Planned"
	case Executing:
		return "In Progress"
	case Executed:
		switch {
		case len(l.Lacks(p, "verification")) == 0:
			return StageComplete
		case l.Verification(p).Waits():
			return "Needs Review"
		}
		return "Executed"
	}
	return StageNotStarted
}
