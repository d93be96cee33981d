package plan

import (
	"cmp"
	"strconv"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
)

// What a change of the phases does to STATE.md. Fields are edited where they
// stand and none is added; without STATE.md nothing is done.

// editState is EditState for a change that STATE.md only follows. It reports
// whether the file changed.
func (tx *Tx) editState(fn func(*State)) (changed bool) {
	if tx.Has(tx.Path("STATE.md")) {
		tx.EditState(func(s *State) {
			before := s.String()
			fn(s)
			changed = s.String() != before
		})
	}
	return changed
}

// changeTotals writes how many phases the milestone has since there are more or
// fewer of them, as the frontmatter does, and adds to the number behind the current
// one, which may count those of older milestones.
func (s *State) changeTotals(by int) {
	if f, ok := s.Field(s.Body(), s.Len(), "Total Phases"); ok {
		if n, err := strconv.Atoi(f.Value); err == nil {
			s.SetField(f, strconv.Itoa(cmp.Or(s.tx.Counters().Phases, max(n+by, 0))))
		}
	}
	f, _ := s.PositionField("Phase")
	value := f.Value
	i := strings.Index(value, " of ")
	if i < 0 {
		return
	}
	at := i + len(" of ")
	digits := len(value[at:]) - len(strings.TrimLeft(value[at:], "0123456789"))
	if n, err := strconv.Atoi(value[at : at+digits]); err == nil {
		s.SetPosition("Phase", value[:at]+strconv.Itoa(max(n+by, 0))+value[at+digits:])
	}
}

// currentPhase returns the phase that STATE.md says is being worked on.
func (s *State) currentPhase() (doc.PhaseID, bool) {
	if id, ok := s.PhaseID(); ok {
		return id, true
	}
	return doc.ParsePhaseID(s.Front().Get("current_phase").Text())
}

// moveTo writes another phase's id and, if it is not "", name where STATE.md
// has those of the current one.
func (s *State) moveTo(id doc.PhaseID, name string) {
	if f, ok := s.Field(s.Body(), s.Len(), "Current Phase"); ok {
		first, rest, _ := strings.Cut(f.Value, " ")
		if strings.HasPrefix(rest, "(") && name != "" { // 2 (API)
			rest = "(" + name + ")"
		}
		s.SetField(f, strings.TrimRight(id.Like(first, true)+" "+rest, " "))
	}
	if name != "" {
		s.Set("Current Phase Name", name)
	}
	if f, ok := s.PositionField("Phase"); ok {
		first, rest, _ := strings.Cut(f.Value, " ")
		if before, _, ok := strings.Cut(rest, "("); ok && name != "" {
			rest = before + "(" + name + ")"
		}
		s.SetPosition("Phase", strings.TrimRight(id.Like(first, false)+" "+rest, " "))
	}
	if n := s.Front().Get("current_phase"); n != nil {
		must.OK(s.SetFront(id.Like(n.Text(), true), "current_phase"))
	}
	if name != "" && s.Front().Get("current_phase_name") != nil {
		must.OK(s.SetFront(name, "current_phase_name"))
	}
}

// countDone writes that a phase more is done, if it was not before: the count
// and the bar. Where the body counts phases the bar shows those, else the
// lesser share of plans and phases.
func (s *State) countDone(more int) {
	percent := s.tx.Counters().Percent()
	if f, ok := s.Field(s.Body(), s.Len(), "Completed Phases"); ok {
		if n, err := strconv.Atoi(f.Value); err == nil {
			s.SetField(f, strconv.Itoa(n+more))
			if total, ok := s.TotalPhases(); ok {
				percent = Percent(n+more, total)
			}
		}
	}
	for _, f := range s.Values("Progress") {
		s.SetField(f, withPercent(f.Value, percent))
	}
}

// withPercent writes a percentage in the form that the value has: with the bar
// as wide as it was, or as a number alone.
func withPercent(value string, percent int) string {
	number := strconv.Itoa(percent) + "%"
	open, end := strings.Index(value, "["), strings.Index(value, "]")
	if open < 0 || end < open {
		return number
	}
	return value[:open+1] + doc.Meter(percent, len([]rune(value[open+1:end]))) + "] " + number
}
