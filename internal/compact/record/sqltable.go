package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// sqlTable is the parser for psql and mysql: tables keep their header, the
// first and last rows and the count; the padding of columns goes. Errors keep
// what is told below them.
//
// Formats: psql's aligned ("a | b", "---+---", "(2 rows)") and expanded
// ("-[ RECORD 1 ]---"), mysql's boxed ("| a | b |").
type sqlTable struct {
	held    []Line // the last line, which may be a header
	in      bool   // in the rows of a table
	schema  bool   // which describes a table, or is a plan
	rows    int
	tail    []Line // the last rows, when there are too many
	open    Record // an error
	records int    // of the expanded format
}

const (
	sqlRows    = 25 // rows shown of a table
	sqlColumns = 80 // and of a description or a plan
	sqlTail    = 3  // rows shown at its end
	sqlRecords = 10 // records shown of the expanded format
)

func (p *sqlTable) Line(l Line, emit Emit) {
	s := l.Text
	if p.open.Lines != nil {
		if sqlDetail(s) && len(p.open.Lines) < installBlock {
			p.open.Lines = append(p.open.Lines, l)
			return
		}
		p.endError(emit)
	}
	switch {
	case sqlRule(s):
		p.header(l, emit)
	case sqlError(s):
		p.endTable(emit)
		p.open = Record{Class: Failure, Lines: []Line{l}}
	case hasAny(s[:min(len(s), 60)], "WARNING:  ", "NOTICE:  "):
		p.endTable(emit)
		p.open = Record{Class: Warn, Key: lines.Template(s), Lines: []Line{l}}
	case strings.HasPrefix(s, "-[ RECORD "):
		p.records++
		fallthrough
	case p.records > 0 && strings.Contains(s, "|"):
		class := Keep.unless(p.records > sqlRecords, Good)
		p.emit(class, l, emit)
	case sqlCount(s):
		p.endTable(emit)
		emit.line(Keep, l)
	case p.in && strings.Contains(s, "|") && !lines.Blank(s),
		p.in && !lines.Blank(s) && indented(s) && !p.schema:
		p.row(l, emit) // a table of one column
	default:
		p.endTable(emit)
		if p.schema = p.schema && !lines.Blank(s); p.schema {
			l.Text = shallow(s)
			emit.line(Keep, l)
			return
		}
		p.held = []Line{l}
	}
}

// header takes the rule under a header; the line above it is the header.
func (p *sqlTable) header(l Line, emit Emit) {
	emit.line(Folded, l)
	if strings.HasPrefix(l.Text, "+") { // mysql's box: the header is below its first line
		if !p.in {
			p.endTable(emit)
			p.in, p.rows = true, 0
		}
		return
	}
	for _, h := range p.held {
		p.emit(Keep, h, emit)
		p.schema = hasAny(h.Text, "Collation", "Column ", "QUERY PLAN")
	}
	p.held, p.in, p.rows = nil, true, 0
}

func (p *sqlTable) row(l Line, emit Emit) {
	if p.rows++; p.rows <= sqlRows || p.schema && p.rows <= sqlColumns {
		p.emit(Keep, l, emit)
		return
	}
	if p.tail = append(p.tail, l); len(p.tail) > sqlTail {
		emit(Record{Class: Good, Lines: p.tail[:1:1]})
		p.tail = p.tail[1:]
	}
}

// emit gives a line of a table without its padding.
func (p *sqlTable) emit(class Class, l Line, emit Emit) {
	switch {
	case class != Keep:
	case strings.HasPrefix(l.Text, "-[ RECORD "):
		l.Text = strings.TrimRight(l.Text, "-+")
	case strings.Contains(l.Text, "|") && !strings.Contains(l.Text, "->"):
		l.Text = strings.Join(strings.Fields(l.Text), " ")
		if p.records == 0 && !strings.HasPrefix(l.Text, "|") {
			l.Text = strings.TrimRight(l.Text, " |") // empty cells at the end
		}
	default:
		l.Text = uncentered(l.Text)
	}
	emit.line(class, l)
}

// uncentered takes off what a title is centered with.
func uncentered(s string) string {
	if t := strings.TrimSpace(s); len(s)-len(t) > 12 && !strings.Contains(t, "->") && !strings.Contains(t, ": ") {
		return t
	}
	return s
}

// shallow leaves a third of the indentation of a plan, whose levels are six
// spaces, or of the parts of a description.
func shallow(s string) string {
	return strings.Repeat(" ", leading(s)/3) + strings.Join(strings.Fields(s), " ")
}

func (p *sqlTable) endTable(emit Emit) {
	for _, l := range p.held {
		l.Text = uncentered(l.Text)
		emit(plain(l))
	}
	for _, l := range p.tail {
		p.emit(Keep, l, emit)
	}
	p.held, p.tail, p.in, p.records = nil, nil, false, 0
}

func (p *sqlTable) endError(emit Emit) {
	if p.open.Lines != nil {
		emit(p.open)
		p.open = Record{}
	}
}

func (p *sqlTable) Close(emit Emit) {
	p.endError(emit)
	p.endTable(emit)
}

// sqlRule reports whether s is the rule under a header.
func sqlRule(s string) bool {
	t := strings.TrimSpace(s)
	return len(t) > 2 && strings.Trim(t, "-+") == ""
}

// sqlCount reports whether s is "(64 rows)" or "64 rows in set (0.00 sec)".
func sqlCount(s string) bool {
	return counted(strings.TrimPrefix(s, "("), "row)", "rows)", "row in set", "rows in set", "rows affected", "row affected") || hasPrefix(s, "Empty set", "Query OK")
}

// sqlError reports whether s is an error of the server or of the client:
// "ERROR:  …", "psql:x.sql:4: ERROR:  …", "psql: error: …", "ERROR 1064 (42000)".
func sqlError(s string) bool {
	return hasPrefix(s, "ERROR ", "psql: error", "psql: fatal", "mysql: ", "pg_dump: error", "pg_restore: error") ||
		hasAny(s[:min(len(s), 120)], "ERROR:  ", "FATAL:  ", "PANIC:  ")
}

// sqlDetail reports whether s is told below an error.
func sqlDetail(s string) bool {
	return hasPrefix(s, "LINE ", "DETAIL: ", "HINT: ", "CONTEXT: ", "QUERY: ", "LOCATION: ", "STATEMENT: ", "\t", "PL/pgSQL ", "SQL statement ") || strings.TrimSpace(s) == "^"
}
