package merge

import (
	"slices"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// carry takes out of a version the phases that it added to a milestone which the
// other one shipped: they are still to be built, so they go on in the milestone that
// is in work after the merge. One whose number the other has given away gets the next.
func (m *merger) carry(t [3]*doc.Text) ([3]*doc.Text, []plan.CarriedPhase) {
	base := phasesOf(t[0])
	var out []plan.CarriedPhase
	for _, side := range []int{1, 2} {
		other := t[3-side]
		if !ships(t[0], other) {
			continue
		}
		m.follow(&t, side)
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

// follow makes in the phases that the other version shipped the changes that a side
// made of them meanwhile. Where both changed the same lines it leaves all as it is.
func (m *merger) follow(t *[3]*doc.Text, side int) {
	for _, k := range phasesOf(t[0]) {
		was, now, there := linesOf(t[0], k, false), linesOf(t[side], k, false), linesOf(t[3-side], k, true)
		for i := range was {
			b, o, s := was[i].in(t[0]), now[i].in(t[side]), there[i].in(t[3-side])
			if b == "" || o == "" || s == "" || o == b {
				continue
			}
			merged, conflicts, err := m.lines([]byte(b), []byte(o), []byte(s))
			if err != nil || conflicts > 0 {
				continue
			}
			t[side] = now[i].replaced(t[side], b)
			t[3-side] = there[i].replaced(t[3-side], string(merged))
			was, now, there = linesOf(t[0], k, false), linesOf(t[side], k, false), linesOf(t[3-side], k, true)
		}
	}
}

// span is some lines of a document.
type span struct{ from, to int }

// linesOf returns where a phase's section is, and its line of the checklist.
func linesOf(t *doc.Text, k known, shipped bool) (out [2]span) {
	r := doc.ReadRoadmap(t)
	for _, p := range r.Phases {
		if p.Shipped == shipped && (shipped || p.Version == k.version) && p.ID.Same(k.id) && slug(p.Name) == k.slug {
			out[0] = span{p.Line, p.End}
		}
	}
	for _, b := range r.Boxes {
		if b.Shipped == shipped && (shipped || b.Version == k.version) && b.ID.Same(k.id) && slug(b.Name) == k.slug {
			out[1] = span{b.Line, b.Line + 1}
		}
	}
	for i, s := range out {
		for s.to > s.from && strings.TrimSpace(t.Line(s.to-1)) == "" {
			s.to--
		}
		out[i] = s
	}
	return out
}

func (s span) in(t *doc.Text) string {
	if s.to == s.from {
		return ""
	}
	return strings.Join(t.Lines(s.from, s.to), "\n") + "\n"
}

func (s span) replaced(t *doc.Text, with string) *doc.Text {
	t = t.Clone()
	t.Delete(s.from, s.to)
	t.Insert(s.from, strings.Split(strings.TrimSuffix(with, "\n"), "\n")...)
	return t
}
