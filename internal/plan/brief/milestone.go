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

// Slug returns the milestone's name as part of a branch's or file's.
func (m Milestone) Slug() string {
	if s := doc.Slug(m.Name, doc.SlugLength); s != "" {
		return s
	}
	return "milestone"
}

// CurrentMilestone returns the milestone in work: what the roadmap has, else
// what STATE.md names; the zero one when neither does.
func CurrentMilestone(tx *plan.Tx) (Milestone, error) {
	version, name, err := tx.Milestone()
	if err != nil || version != "" && name != "" {
		return Milestone{version, name}, err
	}
	t, err := tx.Read(tx.Path("STATE.md"))
	if err != nil {
		return Milestone{version, name}, nil
	}
	front := t.Front()
	if v := front.Get("milestone").Text(); version == "" || v == version {
		version, name = v, front.Get("milestone_name").Text()
	}
	return Milestone{version, name}, nil
}

// Archived is a milestone that was completed.
type Archived struct {
	Milestone
	Phases string `json:"phases,omitempty"` // where its phases are
}

// ArchivedMilestones returns the completed milestones, the latest first, by
// MILESTONES.md.
func ArchivedMilestones(tx *plan.Tx) ([]Archived, error) {
	t, err := tx.Read(tx.Path("MILESTONES.md"))
	if err != nil {
		return nil, ignoreMissing(err)
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
	return out, nil
}
