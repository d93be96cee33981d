package plan

import (
	"regexp"
	"slices"
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
	if p.Box != nil {
		r.Tick(p.Box.Item, false)
		completedOn := regexp.MustCompile(` *\(completed [^)]*\)`)
		r.SetLine(p.Box.Line, completedOn.ReplaceAllString(r.Line(p.Box.Line), ""))
	}
	if f, ok := p.Field(r, "Status"); ok {
		r.SetField(f, "In Progress")
	}
	open := tx.Phase(p.ID)
	writeProgress(tx.Roadmap(), open, version, open.DiskStatus(), date)
	if at, ok := open.row(tx.Roadmap(), version); ok {
		if column := at.Table.Column("Completed"); column > 0 {
			tx.Roadmap().SetCell(at.Table, at.Row, column, "-")
		}
	}
}
