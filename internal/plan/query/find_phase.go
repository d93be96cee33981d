package query

import (
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/text"
)

func findPhase(c *call, tx *plan.Tx) (result, error) {
	p, err := onDisk(tx, c.arg(0))
	if err != nil {
		return result{}, err
	}
	if p == nil {
		return noSuchPhase(tx)
	}
	plans, incomplete := []string{}, []string{}
	for _, f := range p.Plans {
		plans = append(plans, f.Path)
		if f.Summary == "" {
			incomplete = append(incomplete, f.Path)
		}
	}
	o := object{
		{"found", true}, {"directory", p.Dir}, {"phase_number", dirNumber(p)}, {"phase_name", orNull(p.Slug)}, {"phase_slug", orNull(text.LetterSlug(p.Slug, doc.SlugLength))},
		{"plans", plans}, {"summaries", list(p.Summaries())}, {"incomplete_plans", incomplete},
		{"has_research", p.File("RESEARCH") != ""}, {"has_context", p.File("CONTEXT") != ""},
		{"has_verification", p.File("VERIFICATION") != ""}, {"has_reviews", p.File("REVIEWS") != ""},
	}
	return data(o.given("warning", strayWarning(p)).given("archived", p.Archived)), nil
}

// noSuchPhase tells where find-phase looked.
func noSuchPhase(tx *plan.Tx) (result, error) {
	searched := []string{tx.Path("phases")}
	archives, err := tx.ReadDir(tx.Path("milestones"))
	for _, a := range archives {
		if a.Dir && strings.HasSuffix(a.Name, "-phases") {
			searched = append(searched, tx.Path("milestones", a.Name))
		}
	}
	return data(object{
		{"found", false}, {"directory", nil}, {"phase_number", nil}, {"phase_name", nil}, {"phase_slug", nil},
		{"plans", []string{}}, {"summaries", []string{}}, {"incomplete_plans", []string{}},
		{"has_research", false}, {"has_context", false}, {"has_verification", false}, {"has_reviews", false},
		{"searched_directories", searched},
	}), err
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
