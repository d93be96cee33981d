package query

import (
	"errors"
	"time"

	"cairn/internal/plan"
)

var milestoneCommands = []command{
	{name: "milestone complete", run: milestoneComplete},
}

// milestoneComplete completes whatever state the milestone is in, as the old
// tool did: there a workflow asked first. Called again it enters the milestone
// no second time.
func milestoneComplete(c *call) (result, error) {
	archivePhases := c.switched("archive-phases")
	name := c.phrase("name")
	version := c.positional(0)
	if version == "" {
		return result{}, fail("sdk_missing_arg", "version required for milestone complete (e.g., v1.0)")
	}
	date := time.Now().UTC().Format(time.DateOnly)
	var done *plan.MilestoneCompleted
	_, err := c.change(func(tx *plan.Tx) (err error) {
		done, err = tx.CompleteMilestone(plan.MilestoneCompletion{
			Version: version, Name: name, Date: date, ArchivePhases: archivePhases,
			NextStep: "Start the next milestone with /gsd-new-milestone",
		})
		return err
	})
	if errors.Is(err, plan.ErrNoMilestone) {
		return result{}, fail("phase_not_found", "no phases found for milestone %s in ROADMAP.md", version)
	}
	if err != nil {
		return result{}, err
	}
	a := done.Archived
	return data(object{
		{"version", version}, {"name", done.Name}, {"date", date},
		{"phases", done.Directories()}, {"plans", done.Plans}, {"tasks", done.Tasks}, {"accomplishments", list(done.Accomplishments)},
		{"archived", object{{"roadmap", a.Roadmap}, {"requirements", a.Requirements}, {"audit", a.Audit}, {"phases", a.Phases}}},
		{"milestones_updated", !done.Already}, {"state_updated", done.StateUpdated},
	}), nil
}
