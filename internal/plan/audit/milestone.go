package audit

import "cairn/internal/plan"

// Milestone is whether a milestone can be completed, and what is in the way.
type Milestone struct {
	Version          string
	Unfinished       []plan.Unfinished
	Open             *Open
	Requirements     int // with a box in REQUIREMENTS.md
	RequirementsDone int
}

// Ready reports whether nothing is in the way. Seeds are ideas for later, and
// todos and quick tasks outlive a milestone: they are told, and not in the way.
func (m *Milestone) Ready() bool { return m.Blocking() == 0 }

// Blocking counts what is in the way.
func (m *Milestone) Blocking() int {
	return len(m.Unfinished) + len(m.Open.UAT) + len(m.Open.Verifications) + len(m.Open.Questions) +
		len(m.Open.Debug) + m.Requirements - m.RequirementsDone
}

// FindMilestone audits a milestone of the workspace.
func FindMilestone(tx *plan.Tx, version string) (*Milestone, error) {
	m := &Milestone{Version: version}
	var err error
	if m.Unfinished, err = tx.UnfinishedPhases(version); err != nil {
		return nil, err
	}
	if m.Open, err = Find(tx); err != nil {
		return nil, err
	}
	m.RequirementsDone, m.Requirements, err = tx.RequirementCounts()
	return m, err
}
