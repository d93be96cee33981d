package plan

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/plan/doc"
)

// roadmapEntry is a phase on its way into the roadmap.
type roadmapEntry struct {
	NewPhase
	id      doc.PhaseID
	written string
	depends string
}

// enter puts the phase into ROADMAP.md. From the end to the beginning, so
// that a line found is where it was: the progress table may stand anywhere,
// so each place is looked up anew.
func (tx *Tx) enter(e roadmapEntry, after int) {
	r := tx.needRoadmap()
	version := tx.milestoneVersion(r)
	e.section(r, version, after)
	e.box(doc.ReadRoadmap(r.Text), version)
	if !e.id.Backlog() {
		e.row(doc.ReadRoadmap(r.Text), version)
	}
}

// section adds the detail section after section number after, or without one
// where sections belong.
func (e roadmapEntry) section(r *doc.Roadmap, version string, after int) {
	level := 3
	var where doc.Section
	switch {
	case after >= 0:
		where = r.Phases[after].Section
		level = where.Level
	default:
		where = sectionsHome(r, version)
	}
	colon := "**%s:** %s"
	for _, p := range r.Phases {
		if f, ok := r.PhaseField(p, "Goal"); ok && isCurrent(p.Shipped, p.Version, version) {
			colon = fieldForm(r.Line(f.Line))
		}
	}
	title := e.title()
	goal, requirements := e.Goal, "TBD"
	if goal == "" {
		goal = "To be planned"
	}
	if len(e.Requirements) > 0 {
		requirements = strings.Join(e.Requirements, ", ")
	}
	lines := []string{
		"", strings.Repeat("#", level) + " Phase " + e.written + ": " + title,
		fmt.Sprintf(colon, "Goal", goal),
		fmt.Sprintf(colon, "Requirements", requirements),
	}
	if e.depends != "" {
		lines = append(lines, fmt.Sprintf(colon, "Depends on", e.depends))
	}
	lines = append(lines, fmt.Sprintf(colon, "Plans", "0 plans"), "", "Plans:", "- [ ] TBD")
	if isEmpty(r, where) {
		lines = lines[1:]
	}
	r.AppendTo(where, lines...)
}

// title is the name, with a mark for a phase that was put between others.
func (e roadmapEntry) title() string {
	if e.id.Decimals != "" && !e.id.Backlog() {
		return e.Name + " (INSERTED)"
	}
	return e.Name
}

// fieldForm returns how to write a field as the one in the line is.
func fieldForm(line string) string {
	if strings.Contains(line, "**:") {
		return "**%s**: %s"
	}
	return "**%s:** %s"
}

func isEmpty(r *doc.Roadmap, s doc.Section) bool {
	return strings.TrimSpace(r.Span(s.Start, s.End)) == ""
}

// sectionsHome is where the first section of a milestone goes: under the
// heading Phase Details, else at the end of the milestone, else of the file.
func sectionsHome(r *doc.Roadmap, version string) doc.Section {
	if m, ok := openMilestone(r, version); ok {
		return m
	}
	if s, ok := r.Section("Phase Details"); ok && !r.ShippedAt(max(s.Start, s.End-1)) {
		return s
	}
	return beforeProgress(r, doc.Section{Start: r.Body(), End: r.Len()})
}

// openMilestone returns the lines below the heading of a milestone that is not
// shipped; the table of progress does not belong to it.
func openMilestone(r *doc.Roadmap, version string) (doc.Section, bool) {
	for _, m := range r.Milestones {
		if m.Version == version && m.Level > 0 && !r.ShippedAt(m.Line) {
			return beforeProgress(r, doc.Section{Start: m.Line + 1, End: m.End}), true
		}
	}
	return doc.Section{}, false
}

// beforeProgress ends a section where the table of progress begins.
func beforeProgress(r *doc.Roadmap, s doc.Section) doc.Section {
	if p, ok := r.Section("Progress"); ok && p.Level <= 2 && p.Line >= s.Start && p.Line < s.End {
		s.End = p.Line
	}
	return s
}

// box adds the checklist line, as its neighbour is written.
func (e roadmapEntry) box(r *doc.Roadmap, version string) {
	at := e.boxBefore(r, version)
	title := "Phase " + e.written + ": " + e.title()
	if at < 0 || strings.HasPrefix(r.Boxes[at].Text, "**") {
		title = "**" + title + "**"
	}
	if e.Goal != "" {
		title += " - " + e.Goal
	}
	if at < 0 {
		e.firstBox(r, version, "- [ ] "+title)
		return
	}
	b := r.Boxes[at]
	r.Insert(boxEnd(r, b), r.Line(b.Line)[:b.Indent+1]+" [ ] "+title)
}

// boxBefore returns the checklist line that the phase's comes after; -1 for none.
func (e roadmapEntry) boxBefore(r *doc.Roadmap, version string) int {
	at := -1
	for i, b := range r.Boxes {
		if isCurrent(b.Shipped, b.Version, version) && e.comesAfter(b.ID) {
			at = i
		}
	}
	return at
}

// firstBox begins the checklist of a milestone: under its heading Phases, or
// before the section if that is the milestone's first. A roadmap with sections
// alone gets no checklist.
func (e roadmapEntry) firstBox(r *doc.Roadmap, version string, lines ...string) {
	m, divided := openMilestone(r, version)
	for _, s := range r.Sections() {
		if !strings.EqualFold(s.Text, "Phases") || r.ShippedAt(s.Line) {
			continue
		}
		if divided && (s.Line < m.Start || s.Line >= m.End) {
			continue
		}
		if at := r.FirstShipped(s.Start, s.End); at < s.End { // what is folded below it is another milestone's
			s.End = at
		}
		r.AppendTo(s, lines...)
		return
	}
	sections := slices.DeleteFunc(slices.Clone(r.Phases), func(p doc.RoadmapPhase) bool { return !isCurrent(p.Shipped, p.Version, version) })
	if version != "" && len(sections) == 1 {
		r.Insert(sections[0].Line, append(slices.Clone(lines), "")...)
	}
}

// boxEnd returns the line after a checklist line and what is indented below
// it.
func boxEnd(r *doc.Roadmap, b doc.RoadmapBox) int {
	end := b.Line + 1
	for end < r.Len() {
		line := r.Line(end)
		if strings.TrimSpace(line) == "" || len(line)-len(strings.TrimLeft(line, " \t")) <= b.Indent {
			break
		}
		end++
	}
	return end
}

// row adds the row of the progress table, as wide as its neighbour.
func (e roadmapEntry) row(r *doc.Roadmap, version string) {
	tables := slices.DeleteFunc(r.ProgressTables(), func(tb doc.Table) bool { return r.ShippedAt(tb.Line) })
	if len(tables) == 0 {
		return
	}
	tb, at := tables[0], -1
	for _, row := range r.ProgressRows(version) {
		if e.comesAfter(row.ID) && !r.ShippedAt(row.Line()) {
			tb, at = row.Table, row.Row
		}
	}
	values := map[int]string{}
	for i := range tb.Head {
		values[i] = "-"
	}
	values[0] = e.written + ". " + e.Name
	values[tb.Column("Status")] = "Not started"
	values[tb.Column("Plans Complete", "Plans")] = "0/0"
	if c := tb.Column("Milestone"); c > 0 {
		values[c] = version
		if at >= 0 {
			if v, _ := doc.TitleVersion(tb.Cell(at, c)); v != "" { // a row whose cells have slipped has something else there
				values[c] = tb.Cell(at, c)
			}
		}
	}
	if at < 0 || len(tb.Rows[at]) != len(tb.Head) {
		cells := make([]string, len(tb.Head))
		for i := range cells {
			cells[i] = values[i]
		}
		if at < 0 {
			at = len(tb.Rows) - 1
		}
		r.Insert(tb.Line+2+at+1, doc.Row(cells...))
		return
	}
	r.Insert(tb.Line+2+at+1, r.Line(tb.Line+2+at))
	added := doc.ReadRoadmap(r.Text).TableAt(tb.Line)
	for i := range tb.Head {
		r.SetCell(added, at+1, i, values[i])
	}
}

// comesAfter reports whether the entry belongs somewhere after that phase: an
// inserted one after what it was inserted behind, another after everything
// but the backlog, an idea of the backlog after everything.
func (e roadmapEntry) comesAfter(id doc.PhaseID) bool {
	switch {
	case e.id.Backlog():
		return true
	case e.id.Number >= 0 && e.id.Decimals != "":
		return id.Compare(e.id) < 0 && id.Number == e.id.Number
	}
	return !id.Backlog()
}
