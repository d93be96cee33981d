package plan

import (
	"cmp"
	"fmt"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
	"cairn/internal/term"
)

// NewMilestone begins a milestone: a heading for it in the roadmap, before
// the table of progress if there is one, and in STATE.md its version, name
// and an empty position. A version that the roadmap or MILESTONES.md has is
// an error.
func (tx *Tx) NewMilestone(version, name string) {
	if v, at := doc.Version(version); at != 0 || v != version {
		must.Fail(fmt.Errorf("%q is not a version such as v1.1", version))
	}
	known := tx.knowsMilestone(version)
	if known {
		must.Fail(term.Hint(fmt.Errorf("there is a milestone %s already", version), "cairn plan milestone summary %s shows it", version))
	}
	tx.addMilestoneHeading(version, name)
	tx.stateNewMilestone(version, name)
}

func (tx *Tx) knowsMilestone(version string) bool {
	r := tx.Roadmap()
	if r != nil && r.HasMilestone(version) {
		return true
	}
	return tx.MilestoneEntered(version)
}

func (tx *Tx) addMilestoneHeading(version, name string) {
	r := tx.Roadmap()
	heading := "## 🚧 " + milestoneTitle(version, name)
	if r == nil {
		tx.Write(tx.Path("ROADMAP.md"), doc.New("# Roadmap", "", heading, "").Bytes())
		return
	}
	at := r.Len()
	if s, ok := r.Section("Progress"); ok && s.Level == 2 {
		at = s.Line
	}
	lines := []string{heading, ""}
	if at > 0 && r.Line(at-1) != "" {
		lines = append([]string{""}, lines...)
	}
	r.Insert(at, lines...)
}

// stateNewMilestone sets STATE.md, if there is one, to the milestone's
// beginning.
func (tx *Tx) stateNewMilestone(version, name string) {
	tx.editState(func(s *State) {
		if _, ok := s.Section(nextStepsHeading); ok {
			nextSteps(s.Text, "Give the milestone its phases: cairn plan phase add")
		}
		s.SwitchMilestone(version, cmp.Or(name, "milestone"))
	})
}
