package plan

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// CanAgree reports whether the files of a phase decide between places of the
// roadmap that contradict each other: it has plans, and the places are of the
// milestone in work, where a line can be changed.
func (p *Phase) CanAgree() bool {
	return p.current && len(p.Plans) > 0 && !slices.ContainsFunc(p.Disputed(), func(c Claim) bool {
		return c.Source == ClaimMilestone || c.Source == ClaimArchive || c.Source == ClaimHeading
	})
}

// Agree makes the places of the roadmap that contradict each other about a phase
// say what its files show: complete when every plan has a summary, else not.
func (tx *Tx) Agree(p *Phase) {
	r := tx.needRoadmap()
	date := tx.now().Format(time.DateOnly)
	version := tx.milestoneVersion(r)
	if p.Complete() {
		writeProgress(r, p, version, StatusComplete, date)
		tx.sayComplete(p, date)
		return
	}
	tx.unsay(p, p.DiskStatus())
}

// unsay makes the roadmap say that a phase is not complete.
func (tx *Tx) unsay(p *Phase, status Status) {
	r, version := tx.needRoadmap(), tx.milestoneVersion(tx.needRoadmap())
	if p.Box != nil {
		r.Tick(p.Box.Item, false)
		completedOn := regexp.MustCompile(` *\(completed [^)]*\)`)
		r.SetLine(p.Box.Line, completedOn.ReplaceAllString(r.Line(p.Box.Line), ""))
	}
	if f, ok := p.Field(r, "Status"); ok {
		r.SetField(f, "In Progress")
	}
	open := tx.Phase(p.ID)
	writeProgress(tx.Roadmap(), open, version, status, "")
	if at, ok := open.row(tx.Roadmap(), version); ok {
		if column := at.Table.Column("Completed"); column > 0 {
			tx.Roadmap().SetCell(at.Table, at.Row, column, "-")
		}
	}
}

// Reopen makes a phase in which a gap was found and the requirements that the gap leaves
// undone incomplete again: in the roadmap, in their boxes and in the traceability table. It
// reports whether the roadmap had the phase as complete, and which requirements were.
func (tx *Tx) Reopen(p *Phase, ids []string) (phase bool, undone []string) {
	if tx.Closed(p) {
		tx.unsay(p, StatusPartial)
		phase = true
	}
	q := tx.Requirements()
	if q == nil {
		return phase, nil
	}
	for _, id := range ids {
		it, listed := q.Item(id)
		row := q.Row(id)
		said := row >= 0 && strings.EqualFold(q.Cell(row, "Status"), "Complete")
		if listed && it.Done {
			q.Tick(it.Item, false)
		}
		if said {
			q.SetCell(q.Trace, row, q.Trace.Column("Status"), "In Progress")
		}
		if said || listed && it.Done {
			undone = append(undone, id)
		}
	}
	return phase, undone
}
