package doc

import (
	"strconv"
	"strings"
)

// Progress returns the table of phases and their state, and for a phase the
// index of its row, or -1. Of several such tables the first is taken; see
// ProgressRow.
func (r *Roadmap) Progress() (table Table, row func(PhaseID) int, ok bool) {
	tables := r.ProgressTables()
	if len(tables) == 0 {
		return Table{}, nil, false
	}
	return tables[0], func(id PhaseID) int { return progressRow(tables[0], id, "") }, true
}

// ProgressRow finds a phase's row in the progress tables. Where a table says
// which milestone a row is of, only one of that version counts; "" is any.
func (r *Roadmap) ProgressRow(id PhaseID, version string) (table Table, row int, ok bool) {
	for _, tb := range r.ProgressTables() {
		if i := progressRow(tb, id, version); i >= 0 {
			return tb, i, true
		}
	}
	return Table{}, -1, false
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

func progressRow(tb Table, id PhaseID, version string) int {
	for i := range tb.Rows {
		is, _, ok := ProgressPhase(tb.Cell(i, 0))
		if !ok || !is.Same(id) {
			continue
		}
		if v, _ := Version(tb.Cell(i, tb.Column("Milestone"))); v == "" || version == "" || v == version {
			return i
		}
	}
	return -1
}

// ProgressPhase reads the first cell of a row: `2. API`, `02 API`, `2.1
// Hotfix`, `Phase 2: API`. Written is the id as it stands there.
func ProgressPhase(cell string) (id PhaseID, written string, ok bool) {
	cell = strings.TrimPrefix(strings.TrimLeft(cell, "*"), "Phase ")
	written, _, _ = strings.Cut(cell, " ")
	written = strings.TrimRight(written, ".:*")
	id, ok = ParsePhaseID(written)
	return id, written, ok
}

// Counts reads `2/5` at the start of a text.
func Counts(s string) (done, total int, ok bool) {
	a, rest, found := strings.Cut(strings.TrimSpace(s), "/")
	n := countDigits(rest)
	done, err := strconv.Atoi(a)
	if !found || err != nil || n == 0 {
		return 0, 0, false
	}
	total, _ = strconv.Atoi(rest[:n])
	return done, total, true
}
