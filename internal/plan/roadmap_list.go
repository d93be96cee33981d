package plan

import (
	"fmt"
	"strings"
)

// PlanItem is a plan as the roadmap lists it.
type PlanItem struct{ ID, Objective string }

// ListPlans lists a phase's plans in its section, in place of the TBD that
// the template leaves. A plan that is listed keeps its words, and a section
// without a list gets none. It returns how many it added.
func (tx *Tx) ListPlans(p *Phase, plans []PlanItem) int {
	r := tx.needRoadmap()
	if p.Section == nil {
		return 0
	}
	field, ok := r.Field(p.Section.Start, p.Section.End, "Plans")
	if !ok {
		return 0
	}
	at, empty := -1, -1 // where the list ends, and its TBD
	missing := plans
	for _, it := range r.Items(field.Line, p.Section.End) {
		if !it.Box {
			continue
		}
		at = it.Line + 1
		if it.Text == "TBD" {
			empty = it.Line
		}
		missing = without(missing, it.Text)
	}
	if at < 0 || len(missing) == 0 {
		return 0
	}
	var lines []string
	for _, m := range missing {
		lines = append(lines, strings.TrimSuffix(fmt.Sprintf("- [ ] %s: %s", m.ID, m.Objective), ": "))
	}
	r.Insert(at, lines...)
	if empty >= 0 {
		r.Delete(empty, empty+1)
	}
	return len(missing)
}

// without returns the plans that the text of a list item does not name.
func without(plans []PlanItem, text string) []PlanItem {
	var out []PlanItem
	for _, p := range plans {
		if !isPlanItem(text, p.ID) {
			out = append(out, p)
		}
	}
	return out
}
