package doc

import "strings"

// ProgressRow is a phase's row in a table of phases and their state.
type ProgressRow struct {
	Table   Table
	Row     int
	ID      PhaseID
	Written string // the id as the row has it
	Name    string
	Version string // of its milestone, where the table says one
	said    Said   // by marks of the first cell
}

// Line returns the line of the row.
func (p ProgressRow) Line() int { return p.Table.Line + 2 + p.Row }

// Cell returns the cell of the first column that has one of the names.
func (p ProgressRow) Cell(names ...string) string {
	return p.Table.Cell(p.Row, p.Table.Column(names...))
}

// Said returns what the row says of the phase, and the cell that says it: the
// one under Status or, in a row whose cells have slipped, another.
func (p ProgressRow) Said() (Said, string) {
	column := p.Table.Column("Status", "State")
	cell := p.Table.Cell(p.Row, column)
	if said := Says(cell); said != Silent {
		return said, cell
	}
	for i, cell := range p.Table.Rows[p.Row] {
		if i == 0 || i == column || strings.EqualFold(p.Table.Head[min(i, len(p.Table.Head)-1)], "Name") {
			continue
		}
		if said := statusTail(cell); said != Silent && len(strings.Fields(cell)) <= 3 {
			return said, cell
		}
	}
	return p.said, cell
}

// ProgressTables returns the tables of phases and their state.
func (r *Roadmap) ProgressTables() []Table {
	var out []Table
	for _, tb := range r.Tables(r.Body(), r.Len()) {
		if tb.Column("Phase", "#", "Phase #") == 0 && tb.Column("Status", "State") > 0 {
			out = append(out, tb)
		}
	}
	return out
}

// ProgressRows returns the rows of these tables, in file order: those of a
// milestone and those that name none; "" is any.
func (r *Roadmap) ProgressRows(version string) []ProgressRow {
	if r.rows == nil || r.rowsEdits != r.Edits() { // asked for once a phase
		r.rows, r.rowsEdits = r.progressRows(), r.Edits()
	}
	var out []ProgressRow
	for _, row := range r.rows {
		if version == "" || row.Version == "" || row.Version == version {
			out = append(out, row)
		}
	}
	return out
}

func (r *Roadmap) progressRows() []ProgressRow {
	out := []ProgressRow{}
	for _, tb := range r.ProgressTables() {
		in := r.heldBy(tb.Line)
		for i := range tb.Rows {
			row, ok := progressPhase(tb.Cell(i, 0))
			if !ok {
				continue
			}
			row.Table, row.Row = tb, i
			if row.Name == "" {
				row.Name = row.Cell("Name", "Title", "Phase Name")
			}
			if row.Version == "" {
				row.Version, _ = TitleVersion(row.Cell("Milestone"))
			}
			if row.Version == "" {
				row.Version = in
			}
			out = append(out, row)
		}
	}
	return out
}

// heldBy returns the version of the milestone whose <details>, or whose own
// section, holds a line: a heading of a higher level ends that.
func (r *Roadmap) heldBy(line int) string {
	for _, d := range r.folds {
		if d.milestone != nil && d.milestone.Through == "" && d.line < line && line < d.end {
			return d.milestone.Version
		}
	}
	version := ""
	for _, s := range r.Sections() {
		if s.Start <= line && line < s.End && s.Level > 1 && s.Level <= 3 && !isPhaseTitle(s.Text) {
			if m, ok := milestone(s.Text); ok && m.Through == "" {
				version = m.Version
			}
		}
	}
	return version
}

// ProgressRow finds a phase's row; see ProgressRows.
func (r *Roadmap) ProgressRow(id PhaseID, version string) (ProgressRow, bool) {
	for _, row := range r.ProgressRows(version) {
		if row.ID.Same(id) {
			return row, true
		}
	}
	return ProgressRow{}, false
}

// progressPhase reads the first cell of a row: `2. API`, `02 API`, `2.1
// Hotfix`, `Phase 2: API`, `v6.0 Phase 2: API`. Written is the id as it stands
// there.
func progressPhase(cell string) (ProgressRow, bool) {
	if t, ok := ReadPhaseTitle(cell); ok {
		return ProgressRow{ID: t.ID, Written: t.Written, Name: t.Name, Version: t.Version, said: t.Said}, true
	}
	bare, said := cutSigns(cell)
	for _, word := range []string{"Phase ", "phase "} {
		bare = strings.TrimPrefix(bare, word)
	}
	written, name, _ := strings.Cut(bare, " ")
	written = strings.TrimRight(written, ".:*_`~—–-")
	id, ok := ParsePhaseID(written)
	name, _ = cutMarks(strings.TrimLeft(name, "—–-:· "))
	name, _ = cutInserted(name)
	if version, at := Version(written); at == 0 && version == written { // of a milestone, in a table of both
		return ProgressRow{}, false
	}
	return ProgressRow{ID: id, Written: written, Name: name, said: said}, ok && (id.Number >= 0 || name != "")
}
