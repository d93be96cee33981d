package plan

import (
	"slices"

	"cairn/internal/plan/doc"
)

// PlanLine is a plan as the roadmap lists it.
type PlanLine struct{ ID, Objective string }

// ListPlans writes the plans that a phase's section does not list yet behind
// those it lists: in place of the template's `- [ ] TBD`, if that stands
// there, else at the section's end. It returns how many it wrote.
func (tx *Tx) ListPlans(id doc.PhaseID, plans []PlanLine) (int, error) {
	r, err := tx.needRoadmap()
	if err != nil {
		return 0, err
	}
	section, ok := r.Phase(id)
	if !ok {
		return 0, &PhaseError{id.String(), "has no section in ROADMAP.md"}
	}
	listed, gap, last := map[string]bool{}, -1, -1
	for _, it := range r.Items(section.Start, section.End) {
		if it.Box && it.Text == "TBD" {
			gap = it.Line
		}
		for _, p := range plans {
			if it.Box && isPlanItem(it.Text, p.ID) {
				listed[p.ID], last = true, it.Line
			}
		}
	}
	var lines []string
	for _, p := range plans {
		if !listed[p.ID] {
			lines = append(lines, "- [ ] "+p.ID+": "+doc.OneLine(p.Objective))
		}
	}
	switch n := len(lines); {
	case n == 0:
		return 0, nil
	case gap >= 0:
		r.SetLine(gap, lines[0])
		r.Insert(gap+1, lines[1:]...)
	case last >= 0:
		r.Insert(last+1, lines...)
	default:
		r.AppendTo(section.Section, slices.Concat([]string{"", "Plans:"}, lines)...)
	}
	return len(lines), nil
}
