package query

import (
	"slices"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

func roadmapAnalyze(c *call, tx *plan.Tx) (result, error) {
	r, err := tx.Roadmap()
	if err != nil {
		return result{}, err
	}
	if r == nil {
		return data(object{{"error", "ROADMAP.md not found"}, {"milestones", []object{}}, {"phases", []object{}}, {"current_phase", nil}}), nil
	}
	phases, err := tx.Phases(plan.WithIdeas)
	return data(analysis(r, phases)), err
}

// analysis describes the phases that have a section, in the order of the file.
func analysis(r *doc.Roadmap, phases []*plan.Phase) object {
	milestones, rows, missing := []object{}, []object{}, []string{}
	for _, m := range r.Milestones {
		if m.Level == 2 {
			milestones = append(milestones, object{{"heading", m.Heading}, {"version", m.Version}})
		}
	}
	slices.SortStableFunc(phases, func(a, b *plan.Phase) int { return lineOf(a) - lineOf(b) })
	var current, next any
	done, plans, executed := 0, 0, 0
	for _, p := range phases {
		if p.Section == nil {
			if p.Box != nil {
				missing = append(missing, p.Box.Written)
			}
			continue
		}
		number := p.Section.Written
		n := len(p.Summaries())
		status := p.Status()
		ticked := p.Box != nil && p.Box.Done
		rows = append(rows, object{
			{"number", number}, {"name", p.Section.Name}, {"goal", fieldOrNull(r, *p.Section, "Goal")},
			{"depends_on", fieldOrNull(r, *p.Section, "Depends on")}, {"mode", modeOf(r, *p.Section)},
			{"plan_count", len(p.Plans)}, {"summary_count", n},
			{"has_context", p.File("CONTEXT") != ""}, {"has_research", p.File("RESEARCH") != ""},
			{"disk_status", status}, {"roadmap_complete", ticked},
		})
		plans, executed = plans+len(p.Plans), executed+n
		if status == plan.StatusComplete {
			done++
		}
		if p.ID.Backlog() {
			continue
		}
		switch status {
		case plan.StatusPlanned, plan.StatusPartial:
			if current == nil {
				current = number
			}
		case plan.StatusComplete:
		default:
			if next == nil {
				next = number
			}
		}
	}
	var absent any
	if len(missing) > 0 {
		absent = missing
	}
	return object{
		{"milestones", milestones}, {"phases", rows}, {"phase_count", len(rows)}, {"completed_phases", done},
		{"total_plans", plans}, {"total_summaries", executed}, {"progress_percent", plan.Percent(executed, plans)},
		{"current_phase", current}, {"next_phase", next}, {"missing_phase_details", absent},
	}
}

func lineOf(p *plan.Phase) int {
	switch {
	case p.Section != nil:
		return p.Section.Line
	case p.Box != nil:
		return p.Box.Line
	}
	return -1
}
