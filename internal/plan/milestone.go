package plan

import "cairn/internal/plan/doc"

// Milestone returns the version and name of the current milestone: what
// STATE.md says, else the roadmap's milestone in progress, else its first
// that is not shipped. Both are "" when none is named.
func (tx *Tx) Milestone() (version, name string, err error) {
	r, err := tx.Roadmap()
	if err != nil || r == nil {
		return tx.stateMilestone(), "", err
	}
	version = tx.milestoneVersion(r)
	for _, m := range r.Milestones {
		if m.Version == version && m.Name != "" {
			return version, m.Name, nil
		}
	}
	return version, "", nil
}

// milestoneVersion returns the current milestone's version, or "" when the
// roadmap is not divided by milestones.
func (tx *Tx) milestoneVersion(r *doc.Roadmap) string {
	has := func(version string) bool {
		for _, m := range r.Milestones {
			if m.Version == version {
				return true
			}
		}
		return false
	}
	if v := tx.stateMilestone(); v != "" && has(v) {
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

// stateMilestone returns the milestone that STATE.md's frontmatter names.
func (tx *Tx) stateMilestone() string {
	t, err := tx.Read(tx.Path("STATE.md"))
	if err != nil {
		return ""
	}
	return t.Front().Get("milestone").Text()
}
