package query

import (
	"fmt"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/settings"
)

var roadmapCommands = []command{
	{name: "roadmap get-phase", run: reads(roadmapGetPhase), needs: "phase number required for roadmap get-phase"},
	{name: "roadmap analyze", run: reads(roadmapAnalyze)},
	{name: "roadmap update-plan-progress", run: roadmapUpdateProgress, needs: "phase number required for roadmap update-plan-progress"},
	{name: "roadmap", run: noSubcommand("roadmap", "get-phase, analyze, update-plan-progress, annotate-dependencies")},
}

func roadmapGetPhase(c *call, tx *plan.Tx) (result, error) {
	r, err := tx.Roadmap()
	if err != nil {
		return result{}, err
	}
	if r == nil {
		return dataRaw(object{{"found", false}, {"error", "ROADMAP.md not found"}}, ""), nil
	}
	p, err := phaseOf(tx, c.arg(0))
	switch {
	case err != nil:
		return result{}, err
	case p != nil && p.Section != nil:
		return gotPhase(r, c.arg(0), *p.Section), nil
	case p != nil && p.Box != nil:
		return dataRaw(object{
			{"found", false}, {"error", "malformed_roadmap"},
			{"message", fmt.Sprintf("Phase %s is in the roadmap's checklist but missing a detail section: add \"### Phase %s: %s\"", c.arg(0), p.Box.Written, p.Box.Name)},
		}, ""), nil
	}
	return dataRaw(object{{"found", false}}, ""), nil
}

func gotPhase(r *doc.Roadmap, number string, p doc.RoadmapPhase) result {
	section := sectionText(r, p)
	return dataRaw(object{
		{"found", true}, {"phase_number", number}, {"phase_name", p.Name}, {"goal", fieldOrNull(r, p, "Goal")},
		{"mode", modeOf(r, p)}, {"success_criteria", list(r.Criteria(p))}, {"section", section},
	}, section)
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

func modeOf(r *doc.Roadmap, p doc.RoadmapPhase) any {
	f, _ := r.PhaseField(p, "Mode")
	return orNull(strings.ToLower(f.Value))
}

func roadmapUpdateProgress(c *call) (result, error) {
	var o object
	raw := ""
	_, err := c.Update(c.context, "roadmap sync", func(tx *plan.Tx) error {
		p, err := phaseOf(tx, c.arg(0))
		if err != nil {
			return err
		}
		if p == nil || p.Dir == "" {
			return fail("phase_not_found", "Phase %s not found", c.arg(0))
		}
		r, err := tx.Roadmap()
		if err != nil {
			return err
		}
		if len(p.Plans) == 0 {
			o, raw = object{{"updated", false}, {"reason", "No plans found"}, {"plan_count", 0}, {"summary_count", 0}}, "no plans"
			return nil
		}
		if r == nil {
			o = object{{"updated", false}, {"reason", "ROADMAP.md not found"}, {"plan_count", len(p.Plans)}, {"summary_count", p.Executed()}}
			raw = "no roadmap"
			return nil
		}
		s, err := tx.SyncProgress(p, true)
		o = object{
			{"updated", true}, {"phase", c.arg(0)}, {"plan_count", s.Plans}, {"summary_count", s.Summaries},
			{"status", s.Status}, {"complete", s.Complete},
		}
		raw = fmt.Sprintf("%d/%d %s", s.Summaries, s.Plans, s.Status)
		return err
	})
	return dataRaw(o, raw), err
}

// phaseMVPMode says whether a phase is built as an MVP and who says so: a
// flag, the roadmap, or the settings.
func phaseMVPMode(c *call, tx *plan.Tx) (result, error) {
	flag := c.switched("cli-flag")
	if c.arg(0) == "" {
		return result{}, fail("sdk_missing_arg", "phase number required for phase mvp-mode")
	}
	r, err := tx.Roadmap()
	if err != nil {
		return result{}, err
	}
	p, err := phaseOf(tx, c.arg(0))
	if err != nil {
		return result{}, err
	}
	var mode any
	if r != nil && p != nil && p.Section != nil {
		mode = modeOf(r, *p.Section)
	}
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
	}, source != "none"), nil
}
