package query

import (
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

func findPhase(c *call) (result, error) {
	if c.arg(0) == "" {
		return result{}, fail("sdk_missing_arg", "phase identifier required")
	}
	var p *plan.Phase
	searched := []string{c.Path("phases")}
	err := c.View(func(tx *plan.Tx) (err error) {
		if p, err = onDisk(tx, c.arg(0)); err != nil || p != nil {
			return err
		}
		archives, err := tx.ReadDir(c.Path("milestones"))
		for _, a := range archives {
			if a.Dir && strings.HasSuffix(a.Name, "-phases") {
				searched = append(searched, c.Path("milestones", a.Name))
			}
		}
		return err
	})
	if err != nil {
		return result{}, err
	}
	if p == nil {
		return data(object{
			{"found", false}, {"directory", nil}, {"phase_number", nil}, {"phase_name", nil}, {"phase_slug", nil},
			{"plans", []string{}}, {"summaries", []string{}}, {"incomplete_plans", []string{}},
			{"has_research", false}, {"has_context", false}, {"has_verification", false}, {"has_reviews", false},
			{"searched_directories", searched},
		}), nil
	}
	plans, incomplete := []string{}, []string{}
	for _, f := range p.Plans {
		plans = append(plans, f.Path)
		if f.Summary == "" {
			incomplete = append(incomplete, f.Path)
		}
	}
	o := object{
		{"found", true}, {"directory", p.Dir}, {"phase_number", dirNumber(p)}, {"phase_name", orNull(p.Slug)}, {"phase_slug", orNull(doc.Slug(p.Slug, doc.SlugLength))},
		{"plans", plans}, {"summaries", list(p.Summaries())}, {"incomplete_plans", incomplete},
		{"has_research", p.File("RESEARCH") != ""}, {"has_context", p.File("CONTEXT") != ""},
		{"has_verification", p.File("VERIFICATION") != ""}, {"has_reviews", p.File("REVIEWS") != ""},
	}
	if w := strayWarning(p); w != "" {
		o = o.with("warning", w)
	}
	if p.Archived != "" {
		o = o.with("archived", p.Archived)
	}
	return data(o), nil
}

// onDisk returns the phase of that name that has a directory: one in use
// before the newest that is archived.
func onDisk(tx *plan.Tx, name string) (*plan.Phase, error) {
	p, err := phaseOf(tx, name)
	if err != nil || p == nil || p.Dir != "" {
		return p, err
	}
	phases, err := phaseDirs(tx, true)
	var found *plan.Phase
	for _, q := range phases {
		if q.ID.Same(p.ID) {
			found = q
		}
	}
	return found, err
}

// dirNumber returns the phase's number as its directory has it, without the
// project's code.
func dirNumber(p *plan.Phase) string {
	name := p.Dir[strings.LastIndexByte(p.Dir, '/')+1:]
	number := strings.TrimSuffix(strings.TrimSuffix(name, p.Slug), "-")
	if p.ID.Code != "" {
		number = strings.TrimPrefix(number, p.ID.Code+"-")
	}
	return number
}

// strayWarning names the files that look like plans and are not, "" when
// there are none.
func strayWarning(p *plan.Phase) string {
	if len(p.Strays()) == 0 {
		return ""
	}
	return "Files look like plans but are not named {phase}-{plan}-PLAN.md, so they are ignored: " + strings.Join(p.Strays(), ", ")
}
