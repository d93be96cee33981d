package plan

import (
	"strconv"

	"cairn/internal/plan/doc"
)

// AddIdea adds a phase to the backlog: the next 999.x. It has a directory, a
// section and a line of the checklist as other phases do, but no row of the
// progress table and no part in a count, for it has no time yet.
func (tx *Tx) AddIdea(n NewPhase) *Phase {
	r := tx.needRoadmap()
	phases := tx.Phases(Everything)
	backlog, highest := doc.PhaseID{Number: 999}, 0
	for _, p := range phases {
		if i, ok := p.ID.DecimalOf(backlog); ok {
			highest = max(highest, i)
		}
	}
	id := backlog
	id.Decimals = "." + strconv.Itoa(highest+1)
	after := -1
	for i, s := range r.Phases {
		if !s.Shipped && (s.ID.Backlog() || isCurrent(s.Shipped, s.Version, tx.milestoneVersion(r))) {
			after = i
		}
	}
	return tx.place(n, id, "", after)
}
