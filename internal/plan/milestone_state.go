package plan

import "cairn/internal/plan/doc"

// stateMilestoneComplete writes into STATE.md that a milestone is complete.
// It changes the fields that are there and adds none but the next steps.
func (tx *Tx) stateMilestoneComplete(c MilestoneCompletion, done *MilestoneCompleted) {
	tx.editState(func(s *State) {
		done.StateUpdated = true
		status, told := c.Version+" milestone complete", c.Version+" milestone completed and archived"
		s.Set("Status", status)
		s.SetPosition("Phase", "Milestone "+c.Version+" complete")
		s.SetPosition("Plan", "Not started")
		s.SetActivity(c.Date, told)
		s.Set("Last Activity Description", told)
		nextSteps(s.Text, c.NextStep)
	})
}

const nextStepsHeading = "Operator Next Steps"

// nextSteps replaces what STATE.md tells its reader to do next.
func nextSteps(t *doc.Text, step string) {
	if step == "" {
		return
	}
	s, ok := t.Section(nextStepsHeading)
	if !ok {
		t.Insert(t.Len(), "", "## "+nextStepsHeading, "", "- "+step)
		return
	}
	last := s.End == t.Len()
	t.Delete(s.Start, s.End)
	t.Insert(s.Start, "", "- "+step)
	if !last {
		t.Insert(s.Start+2, "")
	}
}
