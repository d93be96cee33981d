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
			if m.State == state {
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
	shipped, active := false, false
	for _, m := range r.Milestones {
		if m.Version == version {
			if m.State == doc.MilestoneActive || m.State == doc.MilestonePlanned {
				return false
			}
			shipped = shipped || m.State == doc.MilestoneShipped
		}
		isOpen := m.Version != version && m.State == "" && slices.ContainsFunc(r.Boxes, func(b doc.RoadmapBox) bool { return b.Version == m.Version && b.Said == doc.SaysOpen })
		active = active || m.State == doc.MilestoneActive || isOpen
	}
	return shipped && active
}

// stateFront returns STATE.md's frontmatter, nil without one.
func (tx *Tx) stateFront() *doc.Node {
	t, err := tx.Read(tx.Path("STATE.md"))
	if err != nil {
		return nil
	}
	return t.Front()
}
