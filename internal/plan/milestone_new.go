package plan

import (
	"cmp"
	"fmt"

	"cairn/internal/plan/doc"
	"cairn/internal/term"
)

// UnfinishedPhases returns what the phases of a milestone still lack. A phase
// without plans is finished when its box in the roadmap is ticked.
func (tx *Tx) UnfinishedPhases(version string) ([]Unfinished, error) {
	phases, err := tx.milestonePhases(version)
	if err != nil {
		return nil, err
	}
	var out []Unfinished
	for _, p := range phases {
		if p.Archived != "" {
			continue
		}
		u, err := tx.Unfinished(p)
		if err != nil {
			return nil, err
		}
		if u.NoPlans && p.Status() == StatusComplete {
			u.NoPlans = false
		}
		if u.Any() {
			out = append(out, u)
		}
	}
	return out, nil
}

// NewMilestone begins a milestone: a heading for it in the roadmap, before
// the table of progress if there is one, and in STATE.md its version, name
// and an empty position. A version that the roadmap or MILESTONES.md has is
// an error.
func (tx *Tx) NewMilestone(version, name string) error {
	if v, at := doc.Version(version); at != 0 || v != version {
		return fmt.Errorf("%q is not a version such as v1.1", version)
	}
	known, err := tx.knowsMilestone(version)
	if err != nil {
		return err
	}
	if known {
		return term.Hint(fmt.Errorf("there is a milestone %s already", version), "cairn plan milestone summary %s shows it", version)
	}
	if err := tx.addMilestoneHeading(version, name); err != nil {
		return err
	}
	return tx.stateNewMilestone(version, name)
}

func (tx *Tx) knowsMilestone(version string) (bool, error) {
	r, err := tx.Roadmap()
	if err != nil {
		return false, err
	}
	if r != nil && r.HasMilestone(version) {
		return true, nil
	}
	return tx.milestoneEntered(version)
}

func (tx *Tx) addMilestoneHeading(version, name string) error {
	r, err := tx.Roadmap()
	if err != nil {
		return err
	}
	heading := "## 🚧 " + milestoneTitle(version, name)
	if r == nil {
		return tx.Write(tx.Path("ROADMAP.md"), doc.New("# Roadmap", "", heading, "").Bytes())
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
	return nil
}

// stateNewMilestone sets STATE.md, if there is one, to the milestone's
// beginning.
func (tx *Tx) stateNewMilestone(version, name string) error {
	_, err := tx.editState(func(s *State) error {
		if _, ok := s.Section(nextStepsHeading); ok {
			nextSteps(s.Text, "Give the milestone its phases: cairn plan phase add")
		}
		return s.SwitchMilestone(version, cmp.Or(name, "milestone"))
	})
	return err
}
