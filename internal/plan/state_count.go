package plan

import (
	"strconv"

	"cairn/internal/jsonc"
	"cairn/internal/plan/doc"
)

// Counters says how far the milestone is.
type Counters struct {
	Phases     int `json:"total_phases"`
	PhasesDone int `json:"completed_phases"`
	Plans      int `json:"total_plans"`
	PlansDone  int `json:"completed_plans"`
}

// Counters counts the phases of the milestone and their plans.
func (tx *Tx) Counters() Counters {
	return Count(tx.Phases(Current))
}

// Count counts phases and their plans. A phase is done when the roadmap says so;
// where it says nothing of it, when every plan has a summary.
func Count(phases []*Phase) Counters {
	c := Counters{Phases: len(phases)}
	for _, p := range phases {
		c.Plans += len(p.Plans)
		c.PlansDone += p.Executed()
		if said := p.Claimed(); said == doc.SaysDone || said == doc.Silent && p.Status() == StatusComplete {
			c.PhasesDone++
		}
	}
	return c
}

// Percent is the lesser share of plans and phases done: a phase that has no
// plans yet is work too.
func (c Counters) Percent() int {
	phases := Percent(c.PhasesDone, c.Phases)
	if c.Plans == 0 {
		return phases
	}
	return min(phases, c.PlanPercent())
}

// PlanPercent is the share of plans done, which the bar in the body shows.
func (c Counters) PlanPercent() int { return Percent(c.PlansDone, c.Plans) }

// progress returns the counters of the frontmatter. Where there are no phases
// to count they stay, or are what the body says.
func (s *State) progress(old *doc.Node) jsonc.Object {
	has := old != nil && len(old.Entries) > 0
	if s.counts == countZero {
		return Counters{}.members()
	}
	if has && s.counts == countKept {
		return nil
	}
	c := s.tx.Counters()
	if c.Phases > 0 {
		return c.members()
	}
	if has {
		return nil
	}
	var out jsonc.Object
	if n, ok := s.TotalPhases(); ok {
		out = append(out, jsonc.Member{Name: "total_phases", Value: n})
	}
	if n, err := strconv.Atoi(s.Value("Completed Phases")); err == nil {
		out = append(out, jsonc.Member{Name: "completed_phases", Value: n})
	}
	if n, ok := doc.Percent(s.Value("Progress")); ok {
		out = append(out, jsonc.Member{Name: "percent", Value: n})
	}
	return out
}

func (c Counters) members() jsonc.Object {
	return jsonc.Object{
		{Name: "total_phases", Value: c.Phases}, {Name: "completed_phases", Value: c.PhasesDone},
		{Name: "total_plans", Value: c.Plans}, {Name: "completed_plans", Value: c.PlansDone},
		{Name: "percent", Value: c.Percent()},
	}
}
