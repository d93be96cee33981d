package plan

import (
	"slices"

	"cairn/internal/plan/doc"
)

// joiner gives each directory its place in the roadmap, and adds the phases
// that have no directory yet.
type joiner struct {
	version string
	dirs    []*Phase
	out     []*Phase // of the current milestone
	rest    []*Phase // directories that the roadmap does not name
}

// join returns the phases of a milestone: those that the roadmap names, or
// every directory when it names none.
func join(r *doc.Roadmap, version string, dirs []*Phase) []*Phase {
	j := joiner{version: version, dirs: dirs}
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

// isCurrent reports whether a part of the roadmap belongs to the current
// milestone: it is not folded away and under no other milestone's heading.
func isCurrent(shipped bool, version, current string) bool {
	return !shipped && (current == "" || version == "" || version == current)
}

func (j *joiner) phase(id doc.PhaseID, name string) *Phase {
	same := func(p *Phase) bool { return p.ID.Same(id) }
	if i := slices.IndexFunc(j.out, same); i >= 0 {
		return j.out[i]
	}
	p := &Phase{ID: id}
	if i := slices.IndexFunc(j.dirs, same); i >= 0 {
		p = j.dirs[i]
	}
	p.Name = name
	j.out = append(j.out, p)
	return p
}

// addOlder gives the roadmap's other milestones' sections and boxes to the
// directories of the same id that have none, archived ones first, and adds a
// phase for each that is left.
func addOlder(r *doc.Roadmap, current string, phases []*Phase) []*Phase {
	older := map[string]*Phase{}
	place := func(id doc.PhaseID, version, name string) *Phase {
		key := version + " " + id.String()
		if older[key] != nil {
			return older[key]
		}
		i := slices.IndexFunc(phases, func(p *Phase) bool {
			return !p.current && p.Section == nil && p.Box == nil && p.ID.Same(id) && (p.Archived == "" || version == "" || p.Archived == version)
		})
		if i < 0 {
			phases = append(phases, &Phase{ID: id})
			i = len(phases) - 1
		}
		phases[i].Name = name
		older[key] = phases[i]
		return phases[i]
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
