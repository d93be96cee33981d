package query

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

var consistencyCommands = []command{
	{name: "verify phase-completeness", run: onPhase(phaseCompleteness), needs: "phase required"},
	{name: "validate consistency", run: reads(validateConsistency)},
}

func phaseCompleteness(c *call, tx *plan.Tx, p *plan.Phase) (result, error) {
	if p == nil || p.Dir == "" {
		return data(object{{"error", "Phase not found"}, {"phase", c.arg(0)}}), nil
	}
	incomplete, orphans := []string{}, []string{}
	errs, warnings := []string{}, []string{}
	for _, f := range p.Plans {
		if f.Summary == "" {
			incomplete = append(incomplete, f.ID)
		}
	}
	for _, name := range p.Orphans() {
		orphans = append(orphans, strings.TrimSuffix(path.Base(name), "-SUMMARY.md"))
	}
	if len(incomplete) > 0 {
		errs = append(errs, "Plans without summaries: "+strings.Join(incomplete, ", "))
	}
	if len(orphans) > 0 {
		warnings = append(warnings, "Summaries without plans: "+strings.Join(orphans, ", "))
	}
	return dataRaw(object{
		{"complete", len(errs) == 0}, {"phase", dirNumber(p)}, {"plan_count", len(p.Plans)}, {"summary_count", len(p.Summaries())},
		{"incomplete_plans", incomplete}, {"orphan_summaries", orphans}, {"errors", errs}, {"warnings", warnings},
	}, either(len(errs) == 0, "complete", "incomplete")), nil
}

func validateConsistency(c *call, tx *plan.Tx) (result, error) {
	r, err := tx.Roadmap()
	if err != nil {
		return result{}, err
	}
	if r == nil {
		return consistency([]string{"ROADMAP.md not found"}, []string{}), nil
	}
	phases, err := phaseDirs(tx, false)
	if err != nil {
		return result{}, err
	}
	current, err := tx.Phases(plan.WithIdeas)
	if err != nil {
		return result{}, err
	}
	warnings := list(roadmapGaps(r, phases, current))
	for _, p := range phases {
		found, err := planGaps(tx, p)
		if err != nil {
			return result{}, err
		}
		warnings = append(warnings, found...)
	}
	return consistency([]string{}, warnings), nil
}

func consistency(errs, warnings []string) result {
	return dataRaw(object{
		{"passed", len(errs) == 0}, {"errors", errs}, {"warnings", warnings}, {"warning_count", len(warnings)},
	}, either(len(errs) == 0, "passed", "failed"))
}

// roadmapGaps compares roadmap and disk both ways, and the whole numbers.
func roadmapGaps(r *doc.Roadmap, dirs, current []*plan.Phase) (warnings []string) {
	var numbers []int
	for _, p := range current {
		if p.Section != nil && p.Dir == "" {
			warnings = append(warnings, fmt.Sprintf("Phase %s in ROADMAP.md but no directory on disk", p.Section.Written))
		}
	}
	for _, p := range dirs {
		if _, ok := r.Phase(p.ID); !ok {
			if _, ok := r.Box(p.ID); !ok {
				warnings = append(warnings, fmt.Sprintf("Phase %s exists on disk but not in ROADMAP.md", dirNumber(p)))
			}
		}
		if p.ID.Whole() && !p.ID.Backlog() && !slices.Contains(numbers, p.ID.Number) {
			numbers = append(numbers, p.ID.Number)
		}
	}
	for i := 1; i < len(numbers); i++ {
		if numbers[i] != numbers[i-1]+1 {
			warnings = append(warnings, fmt.Sprintf("Gap in phase numbering: %d → %d", numbers[i-1], numbers[i]))
		}
	}
	return warnings
}

// planGaps checks the files of one phase.
func planGaps(tx *plan.Tx, p *plan.Phase) (warnings []string, err error) {
	dir := path.Base(p.Dir)
	last := 0
	for _, f := range p.Plans {
		n := planNumber(f.ID)
		if n > 0 && last > 0 && n > last+1 {
			warnings = append(warnings, fmt.Sprintf("Gap in plan numbering in %s: plan %d → %d", dir, last, n))
		}
		last = max(last, n)
	}
	for _, name := range p.Orphans() {
		warnings = append(warnings, fmt.Sprintf("Summary %s in %s has no matching PLAN.md", name, dir))
	}
	for _, f := range p.Plans {
		t, err := tx.Read(path.Join(p.Dir, f.Path))
		if err != nil {
			return nil, err
		}
		if t.Front().Get("wave").Text() == "" {
			warnings = append(warnings, fmt.Sprintf("%s/%s: missing 'wave' in frontmatter", dir, f.Path))
		}
	}
	return warnings, nil
}

// planNumber returns 2 of 01-02 and of 01-02-extra, 0 when there is none.
func planNumber(id string) int {
	_, after, ok := strings.Cut(plan.CanonicalPlanID(id), "-")
	if !ok {
		return 0
	}
	n, _ := strconv.Atoi(after)
	return n
}
