package doc

import "strings"

// ProgressRow is a phase's row in a table of phases and their state.
type ProgressRow struct {
	Table   Table
	Row     int
	ID      PhaseID
	Written string // the id as the row has it
	Version string // of its milestone, where the table says one
}

// Line returns the line of the row.
func (p ProgressRow) Line() int { return p.Table.Line + 2 + p.Row }

// Cell returns the cell of the first column that has one of the names.
func (p ProgressRow) Cell(names ...string) string {
	return p.Table.Cell(p.Row, p.Table.Column(names...))
}

// ProgressTables returns the tables of phases and their state.
func (r *Roadmap) ProgressTables() []Table {
	var out []Table
	for _, tb := range r.Tables(r.Body(), r.Len()) {
		if tb.Column("Phase") == 0 && tb.Column("Status") > 0 {
			out = append(out, tb)
		}
	}
	return out
}

// ProgressRows returns the rows of these tables, in file order: those of a
// milestone and those that name none; "" is any.
func (r *Roadmap) ProgressRows(version string) []ProgressRow {
	var out []ProgressRow
	for _, tb := range r.ProgressTables() {
		for i := range tb.Rows {
			row := ProgressRow{Table: tb, Row: i}
			row.Version, _ = Version(row.Cell("Milestone"))
			id, written, ok := progressPhase(tb.Cell(i, 0))
			if row.ID, row.Written = id, written; ok && (version == "" || row.Version == "" || row.Version == version) {
				out = append(out, row)
			}
		}
	}
	return out
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
// Hotfix`, `Phase 2: API`. Written is the id as it stands there.
func progressPhase(cell string) (id PhaseID, written string, ok bool) {
	cell = strings.TrimPrefix(strings.TrimLeft(cell, "*"), "Phase ")
	written, _, _ = strings.Cut(cell, " ")
	written = strings.TrimRight(written, ".:*")
	id, ok = ParsePhaseID(written)
	return id, written, ok
}
