package brief

import (
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// Milestone is a version that is worked towards.
type Milestone struct {
	Version string `json:"version"`
	Name    string `json:"name,omitempty"`
}

// CurrentMilestone returns the milestone in work; the zero one when none is
// named. See [plan.Tx.Milestone].
func CurrentMilestone(tx *plan.Tx) Milestone {
	version, name := tx.Milestone()
	return Milestone{version, name}
}

// Archived is a milestone that was completed.
type Archived struct {
	Milestone
	Phases string `json:"phases,omitempty"` // where its phases are
}

// ArchivedMilestones returns the completed milestones, the latest first, by
// MILESTONES.md.
func ArchivedMilestones(tx *plan.Tx) []Archived {
	t := tx.ReadIfThere(tx.Path("MILESTONES.md"))
	if t == nil {
		return nil
	}
	var out []Archived
	for _, h := range t.Headings() {
		version, at := doc.Version(h.Text)
		if h.Level != 2 || version == "" {
			continue
		}
		name := h.Text[at+len(version):]
		name, _, _ = strings.Cut(name, "(Shipped")
		a := Archived{Milestone: Milestone{version, strings.Trim(name, " :*—–-✅")}}
		if dir := tx.Path("milestones", version+"-phases"); tx.Has(dir) {
			a.Phases = dir
		}
		out = append(out, a)
	}
	return out
}
