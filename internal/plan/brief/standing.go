package brief

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/lifecycle"
)

// Standing is where the work on a plan stands: what an agent has to know that
// has forgotten everything.
type Standing struct {
	Milestone    Milestone
	Done, Phases int         // of the milestone: complete, and all
	Percent      int         // of the milestone that is done; see [lifecycle.State.Share]
	Phase        *plan.Phase // in work; nil: none
	At           int         // which of the phases that is, from 1
	State        lifecycle.State
	Next         *Next           // Blocked has nothing that is in the lists below
	Uncited      []doc.Decision  // of the phase, that no plan cites; without ids where nobody gave them any
	Recent       []plan.Decision // the last that STATE.md lists, when all of the phase are cited
	Failed, Open []doc.UATTest   // acceptance tests of the phase that found an issue, and that have no result
	Unjudged     bool            // of the phase, whether its database schemas are pushed
	Earlier      int             // decisions of STATE.md before Recent
}

const recentDecisions = 3

// quickPlans is of how many plans a phase is looked into for who asks all the time.
const quickPlans = 8

// FindPosition reads how far the milestone is, and its first phase that is not
// complete: for a line that is drawn again and again. What cannot be read is left
// out.
func FindPosition(tx *plan.Tx) *Standing {
	s, look := &Standing{}, lifecycle.Quick(tx)
	_ = must.Catch(func() {
		steps := Steps(tx)
		s.count(look, steps)
		for i := range steps {
			p := steps[i].Phase
			if s.State = look.Outline(p); s.State == lifecycle.Complete {
				continue
			}
			if s.Phase, s.At = p, i+1; len(p.Plans) <= quickPlans {
				s.State = look.Of(p)
			}
			return
		}
	})
	return s
}

// FindStanding reads it, and nothing but the plan: no program is started. What
// cannot be read is left out.
func FindStanding(tx *plan.Tx) *Standing {
	s := &Standing{}
	look := lifecycle.Quick(tx)
	_ = must.Catch(func() {
		steps, _ := Board(tx)
		s.position(look, steps)
	})
	_ = must.Catch(func() { s.decisions(look) })
	_ = must.Catch(func() { s.tests(tx) })
	s.Unjudged = s.Phase != nil && slices.Contains(look.Unjudged(), s.Phase.ID.String())
	if s.Next != nil {
		s.Next.Blocked = slices.DeleteFunc(s.Next.Blocked, s.lists)
	}
	return s
}

// count counts the phases of the milestone.
func (s *Standing) count(look *lifecycle.Look, steps []Step) {
	s.Milestone, s.Phases = CurrentMilestone(look.Tx), len(steps)
	for i := range steps {
		outline := look.Outline(steps[i].Phase)
		if outline == lifecycle.Complete {
			s.Done++
		}
		s.Percent += outline.Share(steps[i].Phase)
	}
	s.Percent /= max(1, len(steps))
}

func (s *Standing) position(look *lifecycle.Look, steps []Step) {
	s.count(look, steps)
	s.Next = decide(look, steps, readSession(look.Tx, steps))
	for i := range steps {
		p := steps[i].Phase
		if s.Next.Phase == steps[i].Number || s.Next.Phase == "" && !look.Closed(p) {
			s.Phase, s.State = p, look.Of(p)
			return
		}
	}
}

func (s *Standing) decisions(look *lifecycle.Look) {
	tx := look.Tx
	if s.Phase != nil && s.State != lifecycle.Discussing { // whose CONTEXT.md says nothing yet
		s.Uncited = uncited(look, s.Phase, s.State)
	}
	if len(s.Uncited) > 0 || !tx.Has(tx.Path("STATE.md")) {
		return
	}
	all := tx.State().ListDecisions()
	s.Earlier = max(0, len(all)-recentDecisions)
	s.Recent = all[s.Earlier:]
}

// uncited asks for what was asked already, to say what is next: to look for twenty
// decisions in fifty plans takes a while.
func uncited(look *lifecycle.Look, p *plan.Phase, state lifecycle.State) []doc.Decision {
	context := gate.Document(look.Tx, p, "CONTEXT")
	c, _ := gate.Decisions(true, context, nil) // of a line that is no decision come the others
	if c.Result.Loose > 0 {
		return context.Unnumbered()
	}
	if len(p.Plans) == 0 {
		return c.Open
	}
	move := lifecycle.Finish
	switch state {
	case lifecycle.Planning, lifecycle.Planned:
		move = lifecycle.Ready
	case lifecycle.Executing:
		move = lifecycle.Begin
	}
	var out []doc.Decision
	for _, m := range look.Unmet(p, move) {
		if m.Condition == "decisions" {
			out = append(out, doc.Decision{ID: m.ID, Category: m.Category, Text: m.Text, Line: m.Line - 1})
		}
	}
	return out
}

func (s *Standing) tests(tx *plan.Tx) {
	if s.Phase == nil {
		return
	}
	f := gate.Document(tx, s.Phase, "UAT")
	if f == nil {
		return
	}
	u := doc.ReadUAT(f.Text)
	s.Failed, s.Open = u.Issues(), u.Waiting()
}

// lists reports whether what is in the way is one of the decisions or tests.
func (s *Standing) lists(b Block) bool {
	for _, d := range s.Uncited {
		if b.What == d.ID+": "+d.Text {
			return true
		}
	}
	return slices.ContainsFunc(slices.Concat(s.Failed, s.Open), func(test doc.UATTest) bool {
		return strings.HasPrefix(b.What, fmt.Sprintf("test %d: %s: ", test.Number, test.Name))
	})
}
