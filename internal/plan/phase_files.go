package plan

import (
	"path"
	"slices"
	"strings"

	"cairn/internal/plan/doc"
)

// nest takes plans/PLAN-01….md and plans/SUMMARY-01….md for files of the
// phase.
func (p *Phase) nest(entries []Entry) {
	for _, e := range entries {
		if !e.Dir && (strings.HasPrefix(e.Name, "PLAN-") || strings.HasPrefix(e.Name, "SUMMARY-")) {
			p.Files = append(p.Files, path.Join("plans", e.Name))
		}
	}
}

// readPlans finds the plans among the files and gives each its summary: the
// one that has its id, or its canonical id.
func (p *Phase) readPlans() {
	var summaries []string
	for _, name := range p.Files {
		switch {
		case planID(name, "PLAN") != "":
			p.Plans = append(p.Plans, PlanFile{ID: planID(name, "PLAN"), Path: name})
		case planID(name, "SUMMARY") != "":
			summaries = append(summaries, name)
		case strings.Contains(name, "PLAN") && strings.HasSuffix(name, ".md") && !isDraft(name):
			p.strays = append(p.strays, name)
		}
	}
	for _, s := range summaries {
		id := planID(s, "SUMMARY")
		at := slices.IndexFunc(p.Plans, func(f PlanFile) bool { return f.ID == id })
		if at < 0 {
			at = slices.IndexFunc(p.Plans, func(f PlanFile) bool {
				return f.Summary == "" && CanonicalPlanID(f.ID) == CanonicalPlanID(id)
			})
		}
		if at < 0 {
			p.orphans = append(p.orphans, s)
			continue
		}
		p.Plans[at].Summary = s
	}
}

// planID returns the id in the name of a file of that kind: 02-01 of
// 02-01-PLAN.md, PLAN of PLAN.md, PLAN-01 of plans/PLAN-01.md; else "".
func planID(name, kind string) string {
	base, ok := strings.CutSuffix(path.Base(name), ".md")
	if !ok {
		return ""
	}
	if path.Dir(name) == "plans" {
		if rest, ok := strings.CutPrefix(base, kind+"-"); ok {
			return "PLAN-" + rest
		}
		return ""
	}
	if base == kind {
		return "PLAN"
	}
	id, ok := strings.CutSuffix(base, "-"+kind)
	if !ok {
		return ""
	}
	return id
}

// isDraft: an outline, or what a plan was before it was bounced.
func isDraft(name string) bool {
	return strings.HasSuffix(name, "-OUTLINE.md") || strings.Contains(name, ".pre-bounce.")
}

// CanonicalPlanID returns the first two numeric parts of a plan's id: 01-02
// of 01-02-extra.
func CanonicalPlanID(id string) string {
	var parts []string
	for part := range strings.SplitSeq(id, "-") {
		if part == "" || part[0] < '0' || part[0] > '9' {
			if len(parts) > 0 {
				break
			}
			continue // a project's code, or PLAN
		}
		parts = append(parts, part)
		if len(parts) == 2 {
			break
		}
	}
	if len(parts) == 0 {
		return id
	}
	return strings.Join(parts, "-")
}

// Plan returns the plan of an id such as 02-01, and the phase that has it; nil for none.
func (tx *Tx) Plan(id string) (*Phase, PlanFile) {
	at := strings.LastIndexByte(id, '-')
	if at < 0 {
		return nil, PlanFile{}
	}
	number, ok := doc.ParsePhaseID(id[:at])
	if !ok {
		return nil, PlanFile{}
	}
	p := tx.Phase(number)
	if p == nil {
		return nil, PlanFile{}
	}
	for _, f := range p.Plans {
		if f.ID == id || CanonicalPlanID(f.ID) == CanonicalPlanID(id) {
			return p, f
		}
	}
	return nil, PlanFile{}
}
