package gate

import (
	"path"
	"slices"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
)

// Work is what came of a plan: the files outside of the planning documents, relative
// to the project, that the plan's own commits changed.
type Work struct {
	Plan  File
	Files []string
}

// Works is what commits made of plans: of those whose scope is the plan's id the files
// that are there.
func Works(plans []File, made []commit.Made, there func(name string) bool) (out []Work) {
	for _, p := range plans {
		w := Work{Plan: p}
		id := plan.CanonicalPlanID(strings.TrimSuffix(path.Base(p.Path), ".md"))
		for _, m := range made {
			if plan.CanonicalPlanID(m.Scope) != id {
				continue
			}
			for _, name := range m.Files {
				if there(name) && !slices.Contains(w.Files, name) {
					w.Files = append(w.Files, name)
				}
			}
		}
		out = append(out, w)
	}
	return out
}

// Decision returns the files that speak for a decision: those of the tasks that cite
// it, or of the whole plan where only its promises do. cited is false where the plan
// does not speak of it.
func (w Work) Decision(d doc.Decision) (files []string, cited bool) {
	return w.of(func(text string) bool { return newHaystack(text).cites(d) }, newHaystack(promised(w.Plan.Text)).cites(d))
}

// Requirement is Decision for a requirement. A plan whose tasks cite requirements says
// by that which of them they serve: one that it only lists has no files then.
func (w Work) Requirement(id string) (files []string, cited bool) {
	claimed := frontIDs(w.Plan.Text, []string{"requirements", "requirements_addressed", "requirements-addressed"})
	files, cited = w.of(func(text string) bool { return HasID(text, id) }, slices.Contains(claimed, id))
	if !cited || len(files) == 0 {
		return files, cited
	}
	byTask := func(id string) bool {
		return slices.ContainsFunc(doc.ReadPlan(w.Plan.Text).Tasks, func(t doc.Task) bool { return HasID(t.Text, id) })
	}
	truths := strings.Join(doc.ReadPlan(w.Plan.Text).MustHaves.Truths, "\n")
	if !byTask(id) && !HasID(truths, id) && slices.ContainsFunc(claimed, byTask) {
		return nil, true
	}
	return files, true
}

func (w Work) of(cites func(string) bool, promised bool) (files []string, cited bool) {
	tasks := false
	for _, t := range doc.ReadPlan(w.Plan.Text).Tasks {
		if !cites(t.Text) {
			continue
		}
		tasks = true
		for _, f := range w.Files {
			if len(t.Files) == 0 || slices.ContainsFunc(t.Files, func(of string) bool { return within(f, of) }) {
				files = append(files, f)
			}
		}
	}
	if tasks || !promised {
		slices.Sort(files)
		return slices.Compact(files), tasks
	}
	return w.Files, true
}

// within reports whether a file is what a task names: itself, below a directory, or
// one of a pattern.
func within(file, of string) bool {
	of = path.Clean(strings.TrimPrefix(of, "./"))
	if file == of || strings.HasPrefix(file, of+"/") {
		return true
	}
	ok, err := path.Match(of, file)
	return ok && err == nil
}
