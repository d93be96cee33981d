package plan

import (
	"errors"
	"fmt"
	"io/fs"

	"cairn/internal/plan/doc"
	"cairn/internal/term"
)

// UnfinishedPhases returns the phases of a milestone that are not done: those with
// a plan that has no summary, and those without plans that are not ticked.
func (tx *Tx) UnfinishedPhases(version string) ([]*Phase, error) {
	phases, err := tx.milestonePhases(version)
	if err != nil {
		return nil, err
	}
	var out []*Phase
	for _, p := range phases {
		switch {
		case p.Archived != "", p.Complete():
		case len(p.Plans) == 0 && p.Status() == StatusComplete:
		default:
			out = append(out, p)
		}
	}
	return out, nil
}

// NewMilestone begins a milestone: a heading for it in the roadmap, before
// the table of progress if there is one, and in STATE.md its version, name
// and an empty position. A version that the roadmap or MILESTONES.md has is
// an error.
func (tx *Tx) NewMilestone(version, name, date string) error {
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
	return tx.stateNewMilestone(version, name, date)
}

func (tx *Tx) knowsMilestone(version string) (bool, error) {
	r, err := tx.Roadmap()
	if err != nil {
		return false, err
	}
	if r != nil {
		for _, m := range r.Milestones {
			if m.Version == version {
				return true, nil
			}
		}
	}
	t, err := tx.Read(tx.Path(milestonesFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, ok := milestoneEntry(t, version)
	return ok, nil
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

// stateNewMilestone sets STATE.md to the milestone's beginning.
func (tx *Tx) stateNewMilestone(version, name, date string) error {
	t, err := tx.Read(tx.Path("STATE.md"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := t.SetFront(version, "milestone"); err != nil {
		return err
	}
	if err := t.SetFront(milestoneNameOr(name), "milestone_name"); err != nil {
		return err
	}
	setFields(t, t.Body(), t.Len(), map[string]string{
		"Current Phase": "-", "Current Phase Name": "-", "Current Plan": "-", "Status": "Planning",
		"Last Activity": date, "Last Activity Description": version + " begun",
	})
	if s, ok := t.Section("Current Position"); ok {
		setFields(t, s.Start, s.End, map[string]string{
			"Phase": "Not started", "Plan": "Not started", "Status": "Planning", "Last activity": date,
		})
	}
	return tx.stateFront(t, map[string]string{"status": "planning", "last_activity": date})
}

func milestoneNameOr(name string) string {
	if name == "" {
		return "milestone"
	}
	return name
}
