package plan

import (
	"slices"

	"cairn/internal/plan/doc"
)

// joiner gives each directory its place in the roadmap, and adds the phases
// that have no directory yet.
type joiner struct {
	version string
	dirs    byNumber
	out     []*Phase // of the current milestone
	placed  byNumber // out again
}

func newJoiner(version string, dirs []*Phase) *joiner {
	return &joiner{version: version, dirs: numbered(dirs), placed: byNumber{}}
}

// byNumber finds phases by their id without a look at every one.
type byNumber map[int][]*Phase

func numbered(phases []*Phase) byNumber {
	by := byNumber{}
	for _, p := range phases {
		by.add(p)
	}
	return by
}

func (by byNumber) add(p *Phase) { by[p.ID.Number] = append(by[p.ID.Number], p) }

// find returns the first phase of that id for which ok holds, or nil.
func (by byNumber) find(id doc.PhaseID, ok func(*Phase) bool) *Phase {
	for _, p := range by[id.Number] {
		if p.ID.Same(id) && ok(p) {
			return p
		}
	}
	return nil
}

// join returns the phases of a milestone: those that the roadmap names, or
// every directory when it names none.
func join(r *doc.Roadmap, version string, dirs []*Phase) []*Phase {
	j := newJoiner(version, dirs)
	j.addCurrent(r)
	if len(j.out) == 0 {
		return dirs
	}
	return j.out
}

func (j *joiner) addCurrent(r *doc.Roadmap) {
	for _, s := range r.Phases {
		if isCurrent(s.Shipped, s.Version, j.version) {
			if p := j.phase(s.ID, s.Name); p.Section == nil {
				p.Section = &s
			}
		}
	}
	for _, b := range r.Boxes {
		if isCurrent(b.Shipped, b.Version, j.version) {
			if p := j.phase(b.ID, b.Name); p.Box == nil {
				p.Box = &b
			}
		}
	}
}

// before reports whether the roadmap has a phase of that id in a milestone that
// was shipped, and another milestone is in work.
func (j *joiner) before(r *doc.Roadmap, id doc.PhaseID) bool {
	return r != nil &&
		slices.ContainsFunc(r.Milestones, func(m doc.Milestone) bool { return m.Version == j.version && m.State != doc.MilestoneShipped }) &&
		slices.ContainsFunc(r.Phases, func(s doc.RoadmapPhase) bool { return s.Shipped && s.ID.Same(id) })
}

// isCurrent reports whether a part of the roadmap belongs to the current
// milestone: it is not folded away and under no other milestone's heading.
func isCurrent(shipped bool, version, current string) bool {
	return !shipped && (current == "" || version == "" || version == current)
}

func (j *joiner) phase(id doc.PhaseID, name string) *Phase {
	any := func(*Phase) bool { return true }
	if p := j.placed.find(id, any); p != nil {
		return p
	}
	p := j.dirs.find(id, any)
	if p == nil {
		p = &Phase{ID: id}
	}
	j.placed.add(p)
	p.Name = name
	j.out = append(j.out, p)
	return p
}

// addOlder gives the roadmap's other milestones' sections and boxes to the
// directories of the same id that have none, archived ones first, and adds a
// phase for each that is left.
func addOlder(r *doc.Roadmap, current string, phases []*Phase) []*Phase {
	older, by := map[string]*Phase{}, numbered(phases)
	place := func(id doc.PhaseID, version, name string) *Phase {
		key := version + " " + id.String()
		if older[key] != nil {
			return older[key]
		}
		p := by.find(id, func(p *Phase) bool {
			return !p.current && p.Section == nil && p.Box == nil && (p.Archived == "" || version == "" || p.Archived == version)
		})
		if p == nil {
			p = &Phase{ID: id}
			phases = append(phases, p)
			by.add(p)
		}
		p.Name = name
		older[key] = p
		return p
	}
	for _, s := range r.Phases {
		if !isCurrent(s.Shipped, s.Version, current) {
			place(s.ID, s.Version, s.Name).Section = &s
		}
	}
	for _, b := range r.Boxes {
		if !isCurrent(b.Shipped, b.Version, current) {
			place(b.ID, b.Version, b.Name).Box = &b
		}
	}
	return phases
}
