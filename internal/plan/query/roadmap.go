package query

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/settings"
	"cairn/internal/plan/wave"
)

func roadmapGetPhase(c *call, tx *plan.Tx) result {
	r := tx.Roadmap()
	if r == nil {
		return dataRaw(object{{"found", false}, {"error", "ROADMAP.md not found"}}, "")
	}
	p := phaseOf(tx, c.arg(0))
	switch {
	case p.Section != nil:
		section := sectionText(r, *p.Section)
		return dataRaw(object{
			{"found", true}, {"phase_number", c.arg(0)}, {"phase_name", p.Section.Name}, {"goal", fieldOrNull(r, *p.Section, "Goal")},
			{"mode", modeOf(r, p)}, {"success_criteria", list(r.Criteria(*p.Section))}, {"section", section},
		}, section)
	case p.Box != nil:
		return dataRaw(object{
			{"found", false}, {"error", "malformed_roadmap"},
			{"message", fmt.Sprintf("Phase %s is in the roadmap's checklist but missing a detail section: add \"### Phase %s: %s\"", c.arg(0), p.Box.Written, p.Box.Name)},
		}, "")
	}
	return dataRaw(object{{"found", false}}, "")
}

// sectionText returns a section as the old tool cut it: up to the next phase,
// whatever headings come before that.
func sectionText(r *doc.Roadmap, p doc.RoadmapPhase) string {
	end := r.Len()
	for _, next := range r.Phases {
		if next.Line > p.Line {
			end = next.Line
			break
		}
	}
	if p.Shipped {
		end = p.End
	}
	for _, m := range r.Milestones {
		if m.Level > 0 && m.Line > p.Line {
			end = min(end, m.Line)
		}
	}
	return strings.TrimSpace(r.Span(p.Line, end))
}

func fieldOrNull(r *doc.Roadmap, p doc.RoadmapPhase, name string) any {
	f, _ := r.PhaseField(p, name)
	return orNull(f.Value)
}

// modeOf is how the roadmap says a phase is built, or null.
func modeOf(r *doc.Roadmap, p *plan.Phase) any {
	if r == nil || p.Section == nil {
		return nil
	}
	f, _ := r.PhaseField(*p.Section, "Mode")
	return orNull(strings.ToLower(f.Value))
}

func roadmapUpdateProgress(c *call, tx *plan.Tx) result {
	p := phaseOf(tx, c.arg(0))
	require(p.Dir != "", "phase_not_found", "Phase %s not found", c.arg(0))
	r := tx.Roadmap()
	if len(p.Plans) == 0 {
		return dataRaw(object{{"updated", false}, {"reason", "No plans found"}, {"plan_count", 0}, {"summary_count", 0}}, "no plans")
	}
	if r == nil {
		return dataRaw(object{
			{"updated", false}, {"reason", "ROADMAP.md not found"}, {"plan_count", len(p.Plans)}, {"summary_count", p.Executed()},
		}, "no roadmap")
	}
	s := tx.SyncProgress(p, true)
	return dataRaw(object{
		{"updated", true}, {"phase", c.arg(0)}, {"plan_count", s.Plans}, {"summary_count", s.Summaries},
		{"status", s.Status}, {"complete", s.Complete},
	}, fmt.Sprintf("%d/%d %s", s.Summaries, s.Plans, s.Status))
}

// phaseMVPMode says whether a phase is built as an MVP and who says so: a
// flag, the roadmap, or the settings.
func phaseMVPMode(c *call, tx *plan.Tx) result {
	flag := c.given("cli-flag")
	mode := modeOf(tx.Roadmap(), phaseOf(tx, c.arg(0)))
	config := settings.Load(tx).Bool("workflow.mvp_mode")
	source := "none"
	switch {
	case flag:
		source = "cli_flag"
	case mode == "mvp":
		source = "roadmap"
	case config:
		source = "config"
	}
	return dataBool(object{
		{"active", source != "none"}, {"source", source}, {"roadmap_mode", mode},
		{"config_mvp_mode", config}, {"cli_flag_present", flag},
	}, source != "none")
}

// roadmapAnalyze describes the phases that have a section, in the order of the
// file.
func roadmapAnalyze(c *call, tx *plan.Tx) result {
	r := tx.Roadmap()
	if r == nil {
		return problem("ROADMAP.md not found", member{"milestones", []object{}}, member{"phases", []object{}}, member{"current_phase", nil})
	}
	phases := tx.Phases(plan.WithIdeas)
	milestones, rows, undescribed := []object{}, []object{}, []string(nil)
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
				undescribed = append(undescribed, p.Box.Written)
			}
			continue
		}
		number, n, status := p.Section.Written, len(p.Summaries()), p.Status()
		rows = append(rows, object{
			{"number", number}, {"name", p.Section.Name}, {"goal", fieldOrNull(r, *p.Section, "Goal")},
			{"depends_on", fieldOrNull(r, *p.Section, "Depends on")}, {"mode", modeOf(r, p)},
			{"plan_count", len(p.Plans)}, {"summary_count", n}, hasFile(p, "CONTEXT"), hasFile(p, "RESEARCH"),
			{"disk_status", status}, {"roadmap_complete", p.Box != nil && p.Box.Done},
		})
		plans, executed = plans+len(p.Plans), executed+n
		switch {
		case status == plan.StatusComplete:
			done++
		case p.ID.Backlog():
		case status == plan.StatusPlanned, status == plan.StatusPartial:
			current = cmp.Or(current, any(number))
		default:
			next = cmp.Or(next, any(number))
		}
	}
	return data(object{
		{"milestones", milestones}, {"phases", rows}, {"phase_count", len(rows)}, {"completed_phases", done},
		{"total_plans", plans}, {"total_summaries", executed}, {"progress_percent", plan.Percent(executed, plans)},
		{"current_phase", current}, {"next_phase", next}, {"missing_phase_details", undescribed},
	})
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

// roadmapAnnotate marks the waves that the plans declare; their depends_on
// was not looked at.
func roadmapAnnotate(c *call) result {
	say := func(raw string, updated bool, waves, shared int, more ...member) result {
		return dataRaw(append(object{
			{"updated", updated}, {"phase", padded(c.arg(0))}, {"waves", waves}, {"cross_cutting_constraints", shared},
		}, more...), raw)
	}
	var p *plan.Phase
	var docs []wave.Document
	c.look(func(tx *plan.Tx) { p, docs = phasePlans(c, tx) })
	switch {
	case p == nil || p.Section == nil:
		return say("no changes", false, 0, 0, member{"reason", "phase not found in ROADMAP.md"})
	case len(docs) == 0:
		return say("no changes", false, 0, 0, member{"reason", "no plans found"})
	}
	return c.changed(func(tx *plan.Tx) result {
		done := tx.AnnotatePhase(tx.Phase(p.ID), declaredWaves(docs))
		return say(either(done.Updated, "annotated", "no changes"), done.Updated, done.Waves, len(done.Shared))
	})
}

// declaredWaves groups plans by the wave their frontmatter claims.
func declaredWaves(docs []wave.Document) (out [][]string) {
	by := map[int][]string{}
	for _, d := range docs {
		by[declared(d)] = append(by[declared(d)], d.ID)
	}
	for _, n := range slices.Sorted(maps.Keys(by)) {
		out = append(out, by[n])
	}
	return out
}

// declared is the wave that a plan's frontmatter claims, 1 when it claims none.
func declared(d wave.Document) int {
	if d.Declared == nil {
		return 1
	}
	return *d.Declared
}

// requirementsMarkComplete takes ids by commas, spaces and brackets.
func requirementsMarkComplete(c *call) result {
	var ids []string
	for _, id := range strings.FieldsFunc(strings.Join(c.args, " "), func(r rune) bool { return strings.ContainsRune(", []\t\n\"'", r) }) {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	require(len(ids) > 0, missing, "requirement IDs required. Usage: requirements mark-complete REQ-01,REQ-02 or REQ-01 REQ-02")
	return c.changed(func(tx *plan.Tx) result {
		q := tx.Requirements()
		if q == nil {
			return dataRaw(object{{"updated", false}, {"reason", "REQUIREMENTS.md not found"}, {"ids", ids}}, "no requirements file")
		}
		m := plan.MarkComplete(q, ids)
		return dataRaw(object{
			{"updated", len(m.Complete) > 0}, {"marked_complete", m.Complete}, {"already_complete", m.Already},
			{"not_found", m.NotFound}, {"total", len(ids)},
		}, fmt.Sprintf("%d/%d requirements marked complete", len(m.Complete), len(ids)))
	})
}

func requirementsFromPlans(c *call, tx *plan.Tx, p *plan.Phase) result {
	all, by := []string{}, object{}
	for _, f := range p.Plans {
		ids := tx.PlanRequirements(p, f)
		all, by = append(all, ids...), by.with(f.ID, list(ids))
	}
	slices.Sort(all)
	return data(object{{"phase", c.arg(0)}, {"requirements", slices.Compact(all)}, {"by_plan", by}})
}
