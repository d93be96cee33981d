package plan

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"cairn/internal/plan/doc"
)

// Sync brings what STATE.md says of plans and progress in line with the
// files, and returns the differences, such as "Progress: 20% -> 50%".
func (s *State) Sync() []string {
	changes := []string{}
	note := func(name, from, to string) bool {
		if from == to {
			return false
		}
		changes = append(changes, fmt.Sprintf("%s: %s -> %s", name, cmp.Or(from, "none"), to))
		return true
	}
	phases := s.tx.Phases(Current)
	counters := s.tx.Counters()
	if p := s.worked(phases); p != nil {
		if _, total := s.Plan(); total >= 0 && note("Total Plans in Phase", strconv.Itoa(total), strconv.Itoa(len(p.Plans))) {
			s.SetPlan(-1, len(p.Plans))
		}
	}
	if s.tx.Roadmap() != nil && counters.Phases > 0 {
		for _, c := range []struct {
			name string
			n    int
		}{{"Total Phases", counters.Phases}, {"Completed Phases", counters.PhasesDone}} {
			if old := s.Value(c.name); old != "" && note(c.name, old, strconv.Itoa(c.n)) {
				s.Set(c.name, strconv.Itoa(c.n))
			}
		}
	}
	if old := s.Value("Progress"); old != "" && counters.Phases > 0 {
		percent, ok := doc.Percent(old)
		if is := counters.PlanPercent(); !ok || percent != is {
			note("Progress", old, doc.Bar(is))
			s.Set("Progress", doc.Bar(is))
		}
	}
	if counters.Phases > 0 {
		for _, m := range counters.members() {
			if n := s.Front().Get("progress", m.Name); n != nil {
				note("progress."+m.Name, n.Text(), strconv.Itoa(m.Value.(int)))
			}
		}
	}
	if date, _ := s.Activity(); date != "" && !strings.HasPrefix(date, s.today()) {
		note("Last Activity", date, s.today())
		s.SetActivity(s.today(), "")
	}
	return changes
}

// worked returns the phase whose plans are being worked on: the current one,
// else the last that has plans to execute.
func (s *State) worked(phases []*Phase) *Phase {
	if id, ok := s.PhaseID(); ok {
		for _, p := range phases {
			if p.ID.Same(id) && p.Dir != "" {
				return p
			}
		}
	}
	for i := len(phases) - 1; i >= 0; i-- {
		if p := phases[i]; len(p.Plans) > 0 && !p.Complete() {
			return p
		}
	}
	return nil
}

// ShowProgress draws the bar of the plans done, and reports whether there is
// a field for it.
func (s *State) ShowProgress() (Counters, bool) {
	c := s.tx.Counters()
	return c, s.Set("Progress", doc.Bar(c.PlanPercent()))
}

// Drift is where STATE.md and the files disagree.
type Drift struct {
	Warnings     []string       `json:"warnings"`
	PlanCount    *PlanCount     `json:"plan_count,omitempty"`          // of the current phase
	Verification *VerifiedPhase `json:"verification_status,omitempty"` // of the current phase
}

// PlanCount is how many plans the current phase has, there and here.
type PlanCount struct {
	State int `json:"state"`
	Disk  int `json:"disk"`
}

// VerifiedPhase is one that is verified and, says STATE.md, being executed.
type VerifiedPhase struct {
	StateStatus  string `json:"state_status"`
	Verification string `json:"verification"`
}

// Validate compares STATE.md with the files and changes nothing.
func (s *State) Validate() Drift {
	d := Drift{Warnings: []string{}}
	phases := s.tx.Phases(Current)
	id, ok := s.PhaseID()
	if !ok {
		return d
	}
	var p *Phase
	for _, q := range phases {
		if q.ID.Same(id) {
			p = q
		}
	}
	status := s.status(s.Front().Get("status").Text())
	switch {
	case p == nil:
		d.Warnings = append(d.Warnings, "Current phase "+id.String()+" is neither in the roadmap nor a directory")
		return d
	case p.Dir == "" && status == "executing":
		d.Warnings = append(d.Warnings, "Status is "+strconv.Quote(s.Value("Status"))+" but phase "+id.String()+" has no directory")
		return d
	}
	if _, total := s.Plan(); total >= 0 && total != len(p.Plans) {
		d.PlanCount = &PlanCount{total, len(p.Plans)}
		d.Warnings = append(d.Warnings, fmt.Sprintf("Plan count mismatch: STATE.md says %d plans, disk has %d", total, len(p.Plans)))
	}
	if status != "executing" {
		return d
	}
	v := s.tx.Verification(p)
	if v.Passed() {
		d.Verification = &VerifiedPhase{status, v.Status}
		d.Warnings = append(d.Warnings, "Status is "+strconv.Quote(s.Value("Status"))+" but the verification of phase "+id.String()+" has passed")
	}
	if p.Complete() {
		d.Warnings = append(d.Warnings, fmt.Sprintf("Status is %q but all %d plans of phase %s have a summary", s.Value("Status"), len(p.Plans), id))
	}
	return d
}
