package doc

import (
	"slices"
	"strings"
)

// Table is a pipe table: a header row, a delimiter row and the rows after it
// up to the first line that is not a row.
type Table struct {
	Line int // of the header; the delimiter is Line+1, row i is Line+2+i
	Head []string
	Rows [][]string // the cells, trimmed
}

// Tables returns the tables in the lines [from, to), in order.
func (t *Text) Tables(from, to int) []Table {
	var out []Table
	for i := from; i+1 < to; i++ {
		if !isRow(t.Line(i)) || t.Code(i) || !isDelimiter(t.Line(i+1)) {
			continue
		}
		table := Table{Line: i, Head: cells(t.Line(i))}
		for i += 2; i < to && isRow(t.Line(i)) && !t.Code(i); i++ {
			table.Rows = append(table.Rows, cells(t.Line(i)))
		}
		i--
		out = append(out, table)
	}
	return out
}

// TableAt returns the table whose header is that line.
func (t *Text) TableAt(line int) Table {
	if tables := t.Tables(line, len(t.lines)); len(tables) > 0 && tables[0].Line == line {
		return tables[0]
	}
	return Table{}
}

// Column returns the index of the first column whose name is one of names,
// compared without case, or -1.
func (tb Table) Column(names ...string) int {
	return slices.IndexFunc(tb.Head, func(head string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(head, name) })
	})
}

// Cell returns the cell, or "" where a row is short.
func (tb Table) Cell(row, column int) string {
	if column < 0 || row >= len(tb.Rows) || column >= len(tb.Rows[row]) {
		return ""
	}
	return tb.Rows[row][column]
}

// End returns the line after the last row.
func (tb Table) End() int { return tb.Line + 2 + len(tb.Rows) }

// SetCell writes one cell and keeps the row's other cells and, while the
// value fits in a column whose cells are equally wide, the cell's width. A
// pipe in the value is escaped.
func (t *Text) SetCell(tb Table, row, column int, value string) {
	value = escapeCell(value)
	if column < 0 || tb.Cell(row, column) == value && column < len(tb.Rows[row]) {
		return
	}
	i := tb.Line + 2 + row
	line := t.Line(i)
	for len(cells(line)) <= column {
		line = strings.TrimRight(line, " \t") + "  |"
	}
	from, to := cellBounds(line, column)
	cell := " " + value + " "
	if n := t.columnWidth(tb, column) - width(cell); n > 0 {
		cell += strings.Repeat(" ", n)
	}
	t.SetLine(i, line[:from]+cell+line[to:])
}

// columnWidth returns how wide the cells of a column are, or 0 when they
// differ: nobody lined them up.
func (t *Text) columnWidth(tb Table, column int) int {
	all := 0
	for i := tb.Line; i < tb.End(); i++ {
		from, to := cellBounds(t.Line(i), column)
		if i == tb.Line+1 || from < 0 {
			continue
		}
		n := width(t.Line(i)[from:to])
		if all != 0 && all != n {
			return 0
		}
		all = n
	}
	return all
}

// AppendRow adds a row at the table's end.
func (t *Text) AppendRow(tb Table, values ...string) {
	t.Insert(tb.End(), Row(values...))
}

// Row prints the cells as a row; a pipe in a value is escaped.
func Row(values ...string) string {
	escaped := make([]string, len(values))
	for i, v := range values {
		escaped[i] = escapeCell(v)
	}
	return "| " + strings.Join(escaped, " | ") + " |"
}

// escapeCell escapes the pipes that are not.
func escapeCell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, `\|`, "|"), "|", `\|`)
}

func isRow(line string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " \t"), "|")
}

func isDelimiter(line string) bool {
	return isRow(line) && strings.Trim(line, "|:- \t") == "" && strings.Contains(line, "-")
}

// cells splits a row at its pipes; `\|` is part of a cell.
func cells(line string) []string {
	var out []string
	for n := 0; ; n++ {
		from, to := cellBounds(line, n)
		if from < 0 {
			return out
		}
		out = append(out, strings.TrimSpace(line[from:to]))
	}
}

// cellBounds returns where cell n stands between its pipes, or -1.
func cellBounds(line string, n int) (from, to int) {
	end := len(strings.TrimRight(line, " \t"))
	from = strings.IndexByte(line, '|') + 1
	for i := from; i < end; i++ {
		switch {
		case line[i] == '\\':
			i++
		case line[i] == '|':
			if n == 0 {
				return from, i
			}
			n--
			from = i + 1
		}
	}
	if n == 0 && from < end { // a row without its last pipe
		return from, end
	}
	return -1, -1
}

func width(s string) int { return len([]rune(s)) }
