package audit

import (
	"context"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/lifecycle"
)

// Milestone is whether a milestone can be completed, and what is in the way.
type Milestone struct {
	Version      string
	Unfinished   []plan.Unfinished
	Requirements []string // ids in REQUIREMENTS.md that are not ticked
	Open         *Open
}

// Ready reports whether nothing is in the way.
func (m *Milestone) Ready() bool { return m.Blocking() == 0 }

// Blocking counts what is in the way.
func (m *Milestone) Blocking() int {
	return len(m.Unfinished) + len(m.Requirements) + m.InTheWay().Count()
}

// InTheWay returns what is open and belongs to the milestone.
func (m *Milestone) InTheWay() *Open {
	return &Open{Debug: m.Open.Debug, UAT: m.Open.UAT, Verifications: m.Open.Verifications, Questions: m.Open.Questions}
}

// Later returns what is open and may outlive the milestone.
func (m *Milestone) Later() *Open {
	return &Open{Quick: m.Open.Quick, Threads: m.Open.Threads, Todos: m.Open.Todos, Seeds: m.Open.Seeds}
}

// FindMilestone audits a milestone of the workspace.
func FindMilestone(ctx context.Context, tx *plan.Tx, version string) *Milestone {
	m := &Milestone{Version: version, Unfinished: lifecycle.New(ctx, tx).Unfinished(version), Open: Find(tx)}
	q := tx.Requirements()
	if q == nil {
		return m
	}
	for _, it := range q.Items {
		if !it.Done {
			m.Requirements = append(m.Requirements, it.ID)
		}
	}
	return m
}

// Lines returns what is in the way, a line each.
func (m *Milestone) Lines() []string {
	var out []string
	for _, u := range m.Unfinished {
		out = append(out, "phase "+u.Phase+": "+u.String())
	}
	for _, id := range m.Requirements {
		out = append(out, "requirement "+id)
	}
	for _, it := range m.Open.Debug {
		out = append(out, "debug session "+it.Name)
	}
	for _, files := range [][]PhaseFile{m.Open.UAT, m.Open.Verifications, m.Open.Questions} {
		for _, f := range files {
			out = append(out, strings.TrimRight(f.Path()+": "+strings.Join(f.Open, "; "), ": "))
		}
	}
	return out
}
