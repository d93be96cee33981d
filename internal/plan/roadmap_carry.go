package plan

import (
	"slices"
	"strings"

	"cairn/internal/plan/doc"
)

// CarriedPhase is a phase on its way from one roadmap into another: its lines as
// they are written.
type CarriedPhase struct {
	roadmapEntry
	section, box, cells []string
}

// CutPhase takes a phase of a milestone that is not shipped out of a roadmap.
func CutPhase(t *doc.Text, version string, id doc.PhaseID) CarriedPhase {
	r := doc.ReadRoadmap(t)
	p := &Phase{ID: id}
	c := CarriedPhase{roadmapEntry: roadmapEntry{id: id, written: id.String()}}
	for i, s := range r.Phases {
		if !s.Shipped && s.Version == version && s.ID.Same(id) {
			p.Section, c.Name, c.written = &r.Phases[i], s.Name, s.Written
			c.section = trimBlank(r.Lines(s.Line, sectionEnd(r, s)))
		}
	}
	for i, b := range r.Boxes {
		if !b.Shipped && b.Version == version && b.ID.Same(id) {
			p.Box, c.Name, c.written = &r.Boxes[i], b.Name, b.Written
			c.box = r.Lines(b.Line, boxEnd(r, b))
		}
	}
	if row, ok := r.ProgressRow(id, version); ok {
		c.cells = slices.Clone(row.Table.Rows[row.Row])
	}
	takeOut(r, p, version)
	return c
}

func trimBlank(lines []string) []string {
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// Into puts the phase into the milestone of a roadmap that is in work, after its
// last phase; into none, outside of those that are shipped, where there is none.
func (c CarriedPhase) Into(t *doc.Text) {
	r := doc.ReadRoadmap(t)
	version := ""
	for _, m := range r.Milestones {
		if m.Level > 0 && m.State != doc.MilestoneShipped && !r.ShippedAt(m.Line) {
			version = m.Version
		}
	}
	if len(c.section) > 0 {
		where := sectionsHome(r, version)
		for _, s := range r.Phases {
			if isCurrent(s.Shipped, s.Version, version) && !s.ID.Backlog() {
				where = s.Section
			}
		}
		lines := c.section
		if !isEmpty(r, where) {
			lines = append([]string{""}, lines...)
		}
		r.AppendTo(where, lines...)
	}
	if len(c.box) > 0 {
		r = doc.ReadRoadmap(t)
		if at := c.boxBefore(r, version); at >= 0 {
			r.Insert(boxEnd(r, r.Boxes[at]), c.box...)
		} else {
			c.firstBox(r, version, c.box...)
		}
	}
	if len(c.cells) == 0 {
		return
	}
	c.row(doc.ReadRoadmap(t), version)
	r = doc.ReadRoadmap(t)
	if row, ok := r.ProgressRow(c.id, version); ok && len(row.Table.Head) == len(c.cells) {
		for i, cell := range c.cells {
			if i != row.Table.Column("Milestone") {
				r.SetCell(row.Table, row.Row, i, cell)
			}
		}
	}
}
