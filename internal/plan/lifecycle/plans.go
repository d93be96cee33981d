package lifecycle

import (
	"errors"
	"path"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/template"
	"cairn/internal/plan/wave"
	"cairn/internal/text"
)

// What has to hold before a phase is executed.

func inRoadmap(l *Look, p *plan.Phase) []gate.Missing {
	if p.Section != nil || p.Box != nil || l.InProgressTable(p) {
		return nil
	}
	return want("roadmap", "ROADMAP.md has no such phase", l.Path("ROADMAP.md"), "cairn plan phase add")
}

func stillOpen(l *Look, p *plan.Phase) []gate.Missing {
	if !l.Closed(p) || l.Verification(p).Gaps() {
		return nil
	}
	return want("open phase", "the phase is complete already", p.Dir, "plan the next phase, or insert one after it: cairn plan phase insert")
}

func discussed(l *Look, p *plan.Phase) []gate.Missing {
	if l.settings.Bool("workflow.skip_discuss") {
		return nil
	}
	text := "nothing says what was decided"
	switch {
	case p.File("CONTEXT") == "":
	case l.empty(p, "CONTEXT"):
		text = "it is still the template"
	default:
		return nil
	}
	return want("CONTEXT.md", text, p.Dir, "discuss the phase and write what was decided: cairn plan phase scaffold "+p.ID.String()+" context",
		"go without: cairn plan config set workflow.skip_discuss true")
}

func hasPlans(_ *Look, p *plan.Phase) []gate.Missing {
	if len(p.Plans) > 0 {
		return nil
	}
	return want("plans", "the phase has none", p.Dir, "plan the phase: cairn plan template fill plan --phase "+p.ID.String()+" --plan 1")
}

// writtenPlans: planning was interrupted where the roadmap lists a plan that
// has no file. Only lists that name plans by their ids count, and only while
// some are there.
func writtenPlans(l *Look, p *plan.Phase) []gate.Missing {
	r := l.Roadmap()
	if r == nil || p.Section == nil || len(p.Plans) == 0 {
		return nil
	}
	there := map[string]bool{}
	for _, f := range p.Plans {
		there[plan.CanonicalPlanID(f.ID)] = true
	}
	var out []gate.Missing
	for _, it := range r.Items(p.Section.Start, p.Section.End) {
		id := listedPlan(it.Text, p.ID)
		if !it.Box || it.Done || id == "" || there[plan.CanonicalPlanID(id)] {
			continue
		}
		there[plan.CanonicalPlanID(id)] = true
		out = append(out, gate.Missing{ID: id, Category: "precondition", Text: "the roadmap lists it, and it is not written", File: l.Path("ROADMAP.md"),
			Line: it.Line + 1, Remedies: []string{"write it: cairn plan template fill plan", "or take it out of the list"}})
	}
	return out
}

// listedPlan returns the id of a plan of the phase with which a list item
// begins, or "".
func listedPlan(text string, phase doc.PhaseID) string {
	text = strings.TrimLeft(text, "*`[_")
	end := strings.IndexFunc(text, func(r rune) bool { return r != '-' && r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(text)
	}
	id := strings.TrimRight(text[:end], "-.")
	before, number, ok := strings.Cut(id, "-")
	if of, valid := doc.ParsePhaseID(before); !ok || !valid || number == "" || !of.Same(phase) {
		return ""
	}
	return id
}

// filledPlans: gaps of the template are [lower case words] alone on a line or
// in an element, and TBD in the frontmatter.
func filledPlans(l *Look, p *plan.Phase) []gate.Missing {
	var out []gate.Missing
	for _, f := range gate.Plans(l.Tx, p) {
		n, line := template.Gaps(f.Text, "plan")
		if n == 0 {
			continue
		}
		are := map[bool]string{true: " is", false: " are"}[n == 1]
		out = append(out, gate.Missing{ID: path.Base(f.Path), Category: "precondition", Text: text.Count(n, "gap") + " of its template" + are + " not filled", File: f.Path, Line: line + 1,
			Remedies: []string{"write what the brackets ask for, or remove the line"}})
	}
	return out
}

func knownPlans(l *Look, p *plan.Phase) []gate.Missing {
	docs := l.waves(p)
	var out []gate.Missing
	for i, deps := range wave.Elsewhere(wave.Plans(docs)) {
		for _, dep := range deps {
			if l.lacks(p, dep) {
				out = append(out, gate.Missing{ID: docs[i].ID, Category: "precondition", Text: "depends_on names " + dep + ", and there is no such plan",
					File: path.Join(p.Dir, docs[i].File), Remedies: []string{"correct depends_on, or write that plan"}})
			}
		}
	}
	return out
}

// waves reads the plans of a phase, once.
func (l *Look) waves(p *plan.Phase) []wave.Document {
	docs, ok := l.docs[p]
	if !ok {
		docs = wave.Read(l.Tx, p)
		l.docs[p] = docs
	}
	return docs
}

// lacks reports whether dep is the id of a plan, and no phase has it. What is
// no id, such as "phase 2" or a sentence, is not judged.
func (l *Look) lacks(p *plan.Phase, dep string) bool {
	dep = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(dep), ".md"), "-PLAN")
	before, number, ok := strings.Cut(plan.CanonicalPlanID(dep), "-")
	id, valid := doc.ParsePhaseID(before)
	if !ok || !valid || number == "" || strings.Trim(number, "0123456789") != "" {
		return false
	}
	of := p
	if !id.Same(p.ID) {
		of = l.Phase(id)
	}
	if of == nil {
		return true
	}
	if of.Archived != "" || l.Closed(of) && len(of.Plans) == 0 {
		return false
	}
	for _, f := range of.Plans {
		if plan.CanonicalPlanID(f.ID) == plan.CanonicalPlanID(dep) {
			return false
		}
	}
	return true
}

func noCycle(l *Look, p *plan.Phase) []gate.Missing {
	_, err := wave.Arrange(wave.Plans(l.waves(p)))
	var cycle *wave.CycleError
	if !errors.As(err, &cycle) {
		return nil
	}
	return want(strings.Join(cycle.IDs, " → "), "these plans wait for each other", p.Dir, "take one of the depends_on out")
}

func dependenciesComplete(l *Look, p *plan.Phase) []gate.Missing {
	var out []gate.Missing
	for _, d := range gate.Dependencies(l.Tx, p) {
		if !l.Closed(d) {
			out = append(out, want("phase "+d.ID.String(), "phase "+p.ID.String()+" depends on it, and it is "+string(l.Of(d)), d.Dir,
				"execute phase "+d.ID.String()+" first, or change Depends on in ROADMAP.md")...)
		}
	}
	return out
}

func executedPlans(_ *Look, p *plan.Phase) []gate.Missing {
	var out []gate.Missing
	for _, f := range p.Plans {
		if f.Summary == "" {
			out = append(out, want(f.ID, "the plan has no summary", path.Join(p.Dir, f.Path), "execute it, or remove the plan")...)
		}
	}
	return out
}
