package query

import (
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

var phaseCommands = []command{
	{name: "find-phase", run: findPhase},
}

func findPhase(c *call) (result, error) {
	if c.arg(0) == "" {
		return result{}, fail("sdk_missing_arg", "phase identifier required")
	}
	var p *plan.Phase
	err := c.View(func(tx *plan.Tx) (err error) {
		if id, ok := doc.ParsePhaseID(c.arg(0)); ok {
			p, err = tx.Phase(id)
		}
		return err
	})
	if err != nil {
		return result{}, err
	}
	if p == nil || p.Dir == "" {
		return data(object{
			{"found", false}, {"directory", nil}, {"phase_number", nil}, {"phase_name", nil}, {"phase_slug", nil},
			{"plans", []string{}}, {"summaries", []string{}}, {"incomplete_plans", []string{}},
			{"has_research", false}, {"has_context", false}, {"has_verification", false}, {"has_reviews", false},
			{"searched_directories", []string{c.Path("phases")}},
		}), nil
	}
	plans, summaries, incomplete := []string{}, []string{}, []string{}
	for _, f := range p.Plans {
		plans = append(plans, f.Path)
		if f.Summary == "" {
			incomplete = append(incomplete, f.Path)
		} else {
			summaries = append(summaries, f.Summary)
		}
	}
	o := object{
		{"found", true}, {"directory", p.Dir}, {"phase_number", p.ID.Padded()}, {"phase_name", p.Slug}, {"phase_slug", p.Slug},
		{"plans", plans}, {"summaries", summaries}, {"incomplete_plans", incomplete},
		{"has_research", p.File("RESEARCH") != ""}, {"has_context", p.File("CONTEXT") != ""},
		{"has_verification", p.File("VERIFICATION") != ""}, {"has_reviews", p.File("REVIEWS") != ""},
	}
	if p.Archived != "" {
		o = o.with("archived", p.Archived)
	}
	return dataRaw(o, p.Dir), nil
}
