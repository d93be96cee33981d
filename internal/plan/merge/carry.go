package merge

import (
	"slices"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// carry takes out of a version the phases that it added to a milestone which the
// other one shipped: they are still to be built, so they go on in the milestone that
// is in work after the merge. One whose number the other has given away gets the next.
func carry(t [3]*doc.Text) ([3]*doc.Text, []plan.CarriedPhase) {
	base := phasesOf(t[0])
	var out []plan.CarriedPhase
	for _, side := range []int{1, 2} {
		other := t[3-side]
		if !ships(t[0], other) {
			continue
		}
		last := highest(t)
		theirs := phasesOf(other)
		for _, k := range phasesOf(t[side]) {
			isOf := func(b known) bool { return b.version == k.version }
			isSame := func(b known) bool { return isOf(b) && (b.id.Same(k.id) || b.slug == k.slug && k.slug != "") }
			if !slices.ContainsFunc(base, isOf) || slices.ContainsFunc(theirs, isOf) || slices.ContainsFunc(base, isSame) {
				continue
			}
			edited, id := t[side].Clone(), k.id
			if id.Number >= 0 && has(other, id) {
				last++
				id = doc.PhaseID{Number: last}
				plan.RenumberRoadmap(edited, k.version, map[doc.PhaseID]doc.PhaseID{k.id: id})
			}
			out = append(out, plan.CutPhase(edited, k.version, id))
			t[side] = edited
		}
	}
	return t, out
}

// ships reports whether a version shipped a milestone that base had in work.
func ships(base, version *doc.Text) bool {
	shipped := func(t *doc.Text) (out []string) {
		r := doc.ReadRoadmap(t)
		for _, m := range r.Milestones {
			if m.State == doc.MilestoneShipped || r.ShippedAt(m.Line) {
				out = append(out, m.Version)
			}
		}
		return out
	}
	before := shipped(base)
	return slices.ContainsFunc(shipped(version), func(v string) bool { return !slices.Contains(before, v) })
}

// has reports whether a roadmap has a phase of that number, in any milestone.
func has(t *doc.Text, id doc.PhaseID) bool {
	r := doc.ReadRoadmap(t)
	return slices.ContainsFunc(r.Phases, func(p doc.RoadmapPhase) bool { return p.ID.Same(id) }) ||
		slices.ContainsFunc(r.Boxes, func(b doc.RoadmapBox) bool { return b.ID.Same(id) })
}
