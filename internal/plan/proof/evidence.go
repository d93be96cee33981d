package proof

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/proof/mark"
)

// evidence judges decisions and requirements: the task that cites one has code or tests
// of the plan's own commits, or a person answered.
func (j *judge) evidence() error {
	var works []gate.Work
	for _, p := range j.Plans {
		works = append(works, gate.Work{Plan: p.File, Files: j.standing(p.ID)})
	}
	for _, d := range j.Decisions {
		j.cited("decision", d.ID, d.Text, func(w gate.Work) ([]string, bool) { return w.Decision(d) }, works)
	}
	ids := map[string]string{}
	var order []string
	add := func(id, text string) {
		if _, ok := ids[id]; !ok {
			ids[id] = text
			order = append(order, id)
		}
	}
	for _, r := range j.Requirements {
		add(r.ID, r.Text)
	}
	for _, p := range j.Plans {
		for _, id := range p.Doc.Requirements {
			for _, id := range doc.RequirementIDs(id) {
				add(id, "")
			}
		}
		if p.Summary != nil {
			for _, list := range doc.ReadSummary(p.Summary).Requirements {
				for _, id := range doc.RequirementIDs(list) {
					add(id, "")
				}
			}
		}
	}
	for _, id := range order {
		j.cited("requirement", id, ids[id], func(w gate.Work) ([]string, bool) { return w.Requirement(id) }, works)
	}
	return nil
}

// standing are the files of the project, relative to it, in which lines of the plan's own
// commits are still there.
func (j *judge) standing(id string) (out []string) {
	for name := range j.sources {
		if slices.Contains(j.owners[name], id) && strings.HasPrefix(name, j.prefix) {
			out = append(out, strings.TrimPrefix(name, j.prefix))
		}
	}
	slices.Sort(out)
	return out
}

func (j *judge) cited(kind, id, what string, in func(gate.Work) ([]string, bool), works []gate.Work) {
	var by, found []string
	for i, w := range works {
		files, cited := in(w)
		if cited {
			by = append(by, j.Plans[i].ID)
		}
		found = append(found, files...)
	}
	if len(found) == 0 { // the id itself, in what the phase wrote
		for name, s := range j.sources {
			for i := range j.owners[name] {
				if _, ok := j.owns(name, i+1); ok && gate.HasID(s.Line(i+1), id) {
					found = append(found, name)
					break
				}
			}
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	what = strings.TrimSpace(id + " " + short(what))
	answered := slices.ContainsFunc(j.Answered, func(text string) bool { return gate.HasID(text, id) })
	switch {
	case len(found) > 0:
		tests := slices.ContainsFunc(found, mark.IsTest)
		j.claim(Claim{ID: id, Kind: kind, Verdict: Proven, What: what + ": " + named(found) + map[bool]string{true: "", false: " (no test among them)"}[tests], Found: found, Plans: by})
	case answered:
		j.claim(Claim{ID: id, Kind: kind, Verdict: Accepted, What: what + ": a person saw it pass (UAT.md)"})
	case len(by) > 0:
		j.claim(Claim{ID: id, Kind: kind, Verdict: Unproven, Plans: by, What: fmt.Sprintf("%s: plan %s cites it, and no code or test of its own commits is there for it", what, strings.Join(by, ", ")), Remedy: "build it in a task that cites " + id + ", or have a person say that it holds: --accept " + id})
	default:
		j.unproven(kind, "", id, what+": no plan of the phase cites it", "build it in a task that cites "+id+", or have a person say that it holds: --accept "+id)
	}
}
