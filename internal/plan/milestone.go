package plan

import (
	"slices"

	"cairn/internal/plan/doc"
)

// Milestone returns the version and name of the current milestone: what
// STATE.md says, else the roadmap's milestone in progress, else its first
// that is not shipped. A name that the roadmap does not have is STATE.md's.
// Both are "" when none is named.
func (tx *Tx) Milestone() (version, name string) {
	r := tx.Roadmap()
	front := tx.stateFront()
	said := front.Get("milestone").Text()
	if r != nil {
		version = tx.milestoneVersion(r)
		name = r.MilestoneName(version)
	}
	if name == "" && (version == "" || version == said) {
		return said, front.Get("milestone_name").Text()
	}
	return version, name
}

// milestoneVersion returns the current milestone's version, or "" when the
// roadmap is not divided by milestones.
func (tx *Tx) milestoneVersion(r *doc.Roadmap) string {
	if v := tx.stateFront().Get("milestone").Text(); v != "" && r.HasMilestone(v) && !overtaken(r, v) {
		return v
	}
	for _, state := range []string{doc.MilestoneActive, "", doc.MilestonePlanned} {
		for _, m := range r.Milestones {
			if milestoneState(r, m.Version) == state {
				return m.Version
			}
		}
	}
	return ""
}

// overtaken reports whether the roadmap says that a milestone is shipped, and that
// another is in work, or has an open phase and is not said to be planned: then STATE.md
// was not brought up to date.
func overtaken(r *doc.Roadmap, version string) bool {
	if milestoneState(r, version) != doc.MilestoneShipped {
		return false
	}
	return slices.ContainsFunc(r.Milestones, func(m doc.Milestone) bool {
		switch milestoneState(r, m.Version) {
		case doc.MilestoneActive:
			return true
		case "":
			return slices.ContainsFunc(r.Boxes, func(b doc.RoadmapBox) bool { return b.Version == m.Version && b.Said == doc.SaysOpen })
		}
		return false
	})
}

// milestoneState is how far a milestone is by all that the roadmap says of it: its
// heading may be silent where a list says that it is shipped.
func milestoneState(r *doc.Roadmap, version string) (state string) {
	for _, m := range r.Milestones {
		switch {
		case m.Version != version:
		case m.State == doc.MilestoneActive || m.State == doc.MilestonePlanned:
			return m.State
		case m.State == doc.MilestoneShipped:
			state = m.State
		}
	}
	return state
}

// stateFront returns STATE.md's frontmatter, nil without one.
func (tx *Tx) stateFront() *doc.Node {
	t, err := tx.Read(tx.Path("STATE.md"))
	if err != nil {
		return nil
	}
	return t.Front()
}
