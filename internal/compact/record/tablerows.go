package record

import (
	"cmp"
	"slices"
	"strings"
)

// tableRows reads the rows of tables in an output as it passes: aligned with
// spaces, drawn with bars, or with tabs or commas between the cells. The parser
// of the rule decides what is shown; of the rows that it leaves out those that
// are unlike the others are given as spare lines.
type tableRows struct {
	records
	last   string // the line above, which may be a header
	by     byte   // what is between the cells: '|', ',', a tab or a space; 0 in no table
	header []string
	starts []int // of the columns, when they are aligned
	misses int   // lines since the last row
	search bool  // it may be a search in files, whose matches are no table
	off    bool  // it is one
}

const (
	tableGap  = 3  // lines without a row that end a table
	tableSure = 30 // rows of a table that is worth a look
)

// records are rows that another parser reads too; the odd ones are spare.
type records struct {
	root   jsonNode
	col    jsonColumn
	leaves int
	let    int // scalars at which usual rows are let go
}

// add adds a row with the line it stands on.
func (r *records) add(row *jsonNode, l Line) {
	r.root.kind, r.root.open = '[', true
	row.at, row.line, row.text = r.root.n, l.N, l.Text
	r.root.n++
	r.root.kids = append(r.root.kids, row)
	if r.leaves += len(row.kids) + 1; r.leaves > max(r.let, jsonLeaves) {
		r.col.judgeAll(&r.root)
		r.leaves = thin(&r.root)
		r.let = 2 * r.leaves
	}
}

// spare gives the odd rows, and forgets all.
func (r *records) spare(emit Emit) {
	for _, l := range r.odd() {
		emit(Record{Class: Keep, Spare: true, Lines: []Line{l}})
	}
}

// odd returns the lines of the odd rows, and forgets all.
func (r *records) odd() (ls []Line) {
	all := take(r)
	if all.root.n < tableSure {
		return nil
	}
	all.col.judgeAll(&all.root)
	var odd []*jsonNode
	for _, n := range all.root.kids {
		if n.odd >= oddEnough {
			odd = append(odd, n)
		}
	}
	slices.SortStableFunc(odd, func(a, b *jsonNode) int { return cmp.Compare(b.odd, a.odd) })
	for _, n := range odd[:min(len(odd), jsonEntries)] {
		ls = append(ls, Line{N: n.line, Text: n.text})
	}
	return ls
}

// tabled reports whether a parser shows tables.
func tabled(p Parser) bool {
	switch p.(type) {
	case *columns, *kubectl, *sqlTable, *content, *payload, *gh, *guess, *plainText:
		return true
	}
	return false
}

// line takes a line of the output.
func (t *tableRows) line(l Line, emit Emit) {
	s := l.Text
	if t.search && !t.off {
		file, _ := splitMatch(s)
		if t.off = file != ""; t.off {
			t.records = records{}
		}
	}
	if t.off || len(s) > 4<<10 || strings.Trim(s, " -+|=:─┼├┤┌┬┐└┴┘╪═") == "" {
		return // a rule, or no row
	}
	if t.by == 0 {
		if t.by = t.opens(s); t.by == 0 {
			t.last = s
			return
		}
	}
	cells := t.cells(s)
	if len(cells) != len(t.header) {
		if t.misses++; t.misses >= tableGap {
			t.end(emit)
			t.last = s
		}
		return
	}
	t.misses = 0
	row := &jsonNode{kind: '{', n: len(cells), size: len(s)}
	for i, c := range cells {
		row.kids = append(row.kids, cellNode(t.header[i], c))
	}
	t.add(row, l)
}

// cellNode is a cell as a value of a document.
func cellNode(key, cell string) *jsonNode {
	n := &jsonNode{kind: '0', text: cell, key: key, size: len(cell)}
	if scalarKind(cell) != '0' {
		n.kind, n.text = '"', `"`+cell+`"`
	}
	return n
}

func (t *tableRows) end(emit Emit) {
	t.spare(emit)
	*t = tableRows{search: t.search, off: t.off}
}

// opens reports what is between the cells of s and of the line above, if they
// are a row and the header of a table.
func (t *tableRows) opens(s string) byte {
	for _, by := range []byte{'|', '\t', ',', ' '} {
		t.by, t.starts = by, nil
		if by == ' ' {
			t.starts = columnStarts(t.last)
			t.header = make([]string, len(t.starts))
		}
		if head := t.cells(t.last); (len(head) > 2 || len(head) > 1 && by == '\t') && titles(head) {
			if t.header = head; len(t.cells(s)) == len(head) {
				for i, h := range head {
					t.header[i] = h + "\x00" + string(rune('a'+i%26)) // two may be called the same
				}
				return by
			}
		}
	}
	t.by, t.header, t.starts = 0, nil, nil
	return 0
}

// titles reports whether cells may be those of a header: short, each another
// one, none of them a number.
func titles(cells []string) bool {
	for i, c := range cells {
		if c == "" || c[0] == ' ' || len(c) > 40 || isDigit(c[0]) || strings.ContainsAny(c, "=;:{}()<>\"'") || slices.Contains(cells[:i], c) {
			return false
		}
	}
	return true
}

// cells parts a line into its cells.
func (t *tableRows) cells(s string) []string {
	var cells []string
	switch t.by {
	case '|':
		s = strings.Trim(strings.ReplaceAll(s, "│", "|"), " ")
		s = strings.TrimSuffix(strings.TrimPrefix(s, "|"), "|")
		cells = strings.Split(s, "|")
	case '\t':
		cells = strings.Split(s, "\t")
	case ',':
		return commaCells(s) // a space behind a comma is of a sentence: it makes no title
	case ' ':
		return t.aligned(s)
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// commaCells parts a line of CSV; a comma within quotes is none.
func commaCells(s string) (cells []string) {
	from, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == ',' && !quoted:
			cells = append(cells, s[from:i])
			from = i + 1
		}
	}
	return append(cells, s[from:])
}

// columnStarts are where the columns of a header begin, which two spaces or
// more part.
func columnStarts(s string) (starts []int) {
	for i := range len(s) {
		if s[i] != ' ' && (i == 0 || s[i-1] == ' ' && (i == 1 || s[i-2] == ' ')) {
			starts = append(starts, i)
		}
	}
	return starts
}

// aligned parts a line by where the columns of the header begin, or, when it
// is not aligned with them, at its spaces.
func (t *tableRows) aligned(s string) (cells []string) {
	for i, from := range t.starts {
		to := len(s)
		if i+1 < len(t.starts) {
			to = min(t.starts[i+1], to)
		}
		if from > len(s) {
			from = len(s)
		}
		if i > 0 && from < len(s) && s[from-1] != ' ' {
			words := strings.Fields(s)
			if len(words) < len(t.starts) {
				return nil
			}
			last := len(t.starts) - 1
			return append(words[:last:last], strings.Join(words[last:], " "))
		}
		cells = append(cells, strings.TrimSpace(s[from:max(from, to)]))
	}
	return cells
}
