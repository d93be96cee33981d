package brief

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// Action is something that can be done now.
type Action struct {
	Phase  string `json:"phase"`
	Name   string `json:"name"`
	Do     string `json:"do"` // discuss, plan, execute
	Reason string `json:"reason"`
}

// Board returns the phases of the milestone with what each waits for, and
// what can be done now: every phase that waits for nothing can be planned or
// executed, the first that nothing was done for can be discussed; what is
// furthest comes first.
func Board(tx *plan.Tx) ([]Step, []Action) {
	steps := Steps(tx)
	r := tx.Roadmap()
	complete := map[string]bool{}
	for i := range steps {
		s := &steps[i]
		s.Goal, s.Depends = field(r, s.Phase, "Goal"), field(r, s.Phase, "Depends on")
		for _, id := range doc.DependsOn(s.Depends) {
			s.DependsOn = append(s.DependsOn, id.String())
		}
		complete[s.Number] = s.Status == StepComplete
	}
	older := false
	for i := range steps {
		s := &steps[i]
		for _, dep := range s.DependsOn {
			if _, known := complete[dep]; !known && !older {
				older = true
				addOlder(tx, complete)
			}
			if !complete[dep] {
				s.Waiting = append(s.Waiting, dep)
			}
		}
	}
	return steps, actions(steps)
}

// addOlder adds the phases of earlier milestones, and whether they are
// complete: those that were shipped are.
func addOlder(tx *plan.Tx, complete map[string]bool) {
	for _, p := range tx.Phases(plan.Everything) {
		id := p.ID.String()
		if _, known := complete[id]; !known {
			complete[id] = p.Archived != "" || tx.Closed(p)
		}
	}
}

func actions(steps []Step) []Action {
	var out []Action
	discussed := false
	for i := range steps {
		s := &steps[i]
		if s.Status == StepComplete || len(s.Waiting) > 0 {
			continue
		}
		a := Action{Phase: s.Number, Name: s.Name}
		switch s.Phase.Status() {
		case plan.StatusPlanned:
			a.Do, a.Reason = "execute", plans(s.Plans)+" ready, and nothing is in the way"
		case plan.StatusPartial:
			a.Do, a.Reason = "execute", fmt.Sprintf("%d of %s still to be executed", s.Plans-s.Summaries, plans(s.Plans))
		case plan.StatusDiscussed:
			a.Do, a.Reason = "plan", "it was discussed"
		case plan.StatusResearched:
			a.Do, a.Reason = "plan", "it was researched"
		case plan.StatusComplete: // executed: what it waits for is a person
			continue
		default:
			if discussed {
				continue
			}
			discussed = true
			a.Do, a.Reason = "discuss", "nothing is in its way"
		}
		out = append(out, a)
	}
	slices.SortStableFunc(out, func(a, b Action) int { return cmp.Compare(urgency(a), urgency(b)) })
	return out
}

// urgency puts what brings the milestone furthest first.
func urgency(a Action) int { return slices.Index([]string{"execute", "plan", "discuss"}, a.Do) }

func plans(n int) string {
	if n == 1 {
		return "1 plan"
	}
	return strconv.Itoa(n) + " plans"
}
