package plan

import (
	"cmp"
	"fmt"
	"time"

	"cairn/internal/plan/doc"
)

// RegenerateState writes a STATE.md of what roadmap and phases tell. What only
// the lost one knew, decisions and blockers, is not in it.
func (tx *Tx) RegenerateState(now time.Time) {
	version, name := tx.Milestone()
	phases := tx.Phases(Current)
	position := "not started"
	if i := firstOpen(phases); i >= 0 {
		position = fmt.Sprintf("%s of %d (%s)", phases[i].ID, len(phases), phases[i].Name)
	} else if n := len(phases); n > 0 {
		position = fmt.Sprintf("%d of %d complete", n, n)
	}
	t := doc.New(
		"# Project State", "",
		"## Project Reference", "",
		"See: .planning/PROJECT.md", "",
		"**Milestone:** "+milestoneTitle(cmp.Or(version, "v1.0"), cmp.Or(name, "milestone")), "",
		"## Current Position", "",
		"Phase: "+position,
		"Plan: Not started",
		"Status: Unknown",
		"Last activity: "+now.Format(time.DateOnly)+" - STATE.md regenerated from roadmap and phases", "",
		"## Accumulated Context", "",
		"### Decisions", "", "None yet.", "",
		"### Blockers/Concerns", "", "None yet.",
	)
	tx.Write(tx.Path("STATE.md"), t.Bytes())
	tx.EditState(func(s *State) { // and gets its frontmatter
		s.Set("Status", "Resuming")
	})
}
