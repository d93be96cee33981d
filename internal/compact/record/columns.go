package record

import (
	"slices"
	"strconv"
	"strings"

	"cairn/internal/compact/lines"
)

// columns is the parser for tables that are aligned with spaces: kubectl get,
// docker ps, ps, lsof, df. The padding goes (tables of SQL: sqlTable). Where the first column is
// NAMESPACE, rows are grouped by it; a row that tells of trouble stands alone and
// is always shown. JSON and YAML are left to their own.
type columns struct {
	chosen    // not a table after all
	rows      int
	unwell    int  // rows that are always shown
	brief     bool // rows that are well end with their status, once they are many
	namespace bool
	tight     bool // no cell but the last has a space in it
	command   int  // where the last column of a list of processes begins, or 0
	top       int  // which column of top says how busy a process is, or 0
	seen      tally
}

const (
	columnFew    = 40  // rows of a table after which brief ones are cut short
	columnEach   = 8   // the same of each namespace
	columnWords  = 3   // columns of a brief row
	columnUnwell = 100 // rows that tell of trouble and are always shown
	columnBusy   = 20  // lines of top after which processes that do nothing go
)

func (*columns) wide() {}

func (p *columns) Line(l Line, emit Emit) {
	s, raw := l.Text, l.Text
	switch {
	case p.as != nil:
	case strings.Trim(s, " -+|") == "": // blank, or the rule under a header
		emit.line(Folded, l)
		return
	case hasPrefix(s, "ERROR:", "FATAL:", "ERROR "), strings.Contains(s, "error: "):
		emit.line(Failure, l)
		return
	case klog(s): // the client's own log: it tries again and again
		emit(Record{Class: Failure, Key: lines.Template(s), Lines: []Line{l}})
		return
	case p.rows == 0:
		p.as = columnsFormat(s)
	}
	if p.as != nil {
		p.as.Line(l, emit)
		return
	}
	if strings.HasPrefix(s, "NAMESPACE ") {
		p.namespace, p.rows = true, 0
	}
	p.rows++
	if header := strings.TrimLeft(s, " "); hasPrefix(header, "USER ", "PID ", "UID ", "F ", "COMMAND ", "Filesystem ", "total ", "procs ", "r ", "Netid ", "State ", "Proto ") {
		p.tight, p.command, p.top = true, processColumn(s), 0
		if strings.Contains(s, " NI ") {
			p.top = max(slices.Index(strings.Fields(s), "%CPU"), 0)
		}
		s = header
	}
	if p.tight && strings.HasPrefix(s, "procs -") { // vmstat draws rules around its headings
		s = strings.ReplaceAll(s, "-", "")
	}
	l.Text = width(squeezed(s, p.tight))
	if p.namespace && p.rows > 1 {
		name, row, _ := strings.Cut(l.Text, " ")
		if !p.well(raw) {
			emit(Record{Class: Keep, List: ListRow, Lines: []Line{l}})
			return
		}
		if row = strings.TrimLeft(row, " "); p.brief && p.seen.next(name) > columnEach {
			row = firstColumns(row, columnWords)
		}
		emit(Record{List: ListName, Group: name, Row: strings.ReplaceAll(row, "  ", " "), Lines: []Line{l}})
		return
	}
	if f := strings.Fields(s); p.top > 0 && p.rows > columnBusy && len(f) > p.top && f[p.top] == "0.0" {
		p.rows--
		emit.line(Good, l)
		return
	}
	if r, ok := p.process(l, raw); ok && (p.rows <= columnFew || p.seen[r.Key] > 0) {
		p.seen.next(r.Key)
		emit(r)
		return
	}
	r := Record{List: ListRow, Lines: []Line{l}}
	switch well := p.well(s); {
	case p.rows == 1 || !well:
		r.Class = Keep
	case p.brief && p.rows > columnFew:
		r.Row = firstColumns(squeezed(s, false), columnWords)
	}
	emit(r)
}

// well reports whether a row may be left out: it tells of no trouble, or very
// many do.
func (p *columns) well(row string) bool {
	if !unwell(row) && lines.Classify(row) < lines.Trouble || p.unwell >= columnUnwell {
		return true
	}
	p.unwell++
	return false
}

// columnsFormat returns the parser for an output that is no table, or nil.
func columnsFormat(s string) Parser {
	switch {
	case s == "{", s == "[", strings.HasPrefix(s, `{"`):
		return newJSON()
	case strings.HasPrefix(s, "apiVersion:"):
		return &verbatim{}
	}
	return nil
}

// klog reports whether s is an error in the log of a client of Kubernetes:
// "E1120 20:48:44.073092     869 memcache.go:265] …".
func klog(s string) bool {
	return len(s) > 6 && s[0] == 'E' && s[5] == ' ' && strings.Trim(s[1:5], "0123456789") == "" && strings.Contains(s, "] ")
}

// processColumn returns where the command stands in the rows below the header
// of ps, or 0 when s is not that.
func processColumn(s string) int {
	if !strings.Contains(s, "PID ") || !hasSuffix(s, " COMMAND", " CMD") {
		return 0
	}
	return strings.LastIndexByte(s, ' ') + 1
}

// process is the record of a row of ps: of those that run the same the first
// stands for all, with their numbers.
func (p *columns) process(l Line, raw string) (Record, bool) {
	f := strings.Fields(raw)
	if p.command == 0 || p.command >= len(raw) || raw[p.command-1] != ' ' || len(f) < 4 {
		return Record{}, false
	}
	pid := f[0]
	if !digitsOnly(pid) {
		pid = f[1]
	}
	if !digitsOnly(pid) {
		return Record{}, false
	}
	return Record{Class: Keep, Key: "process " + raw[p.command:], Site: pid, Lines: []Line{l}}, true
}

// squeezed leaves two spaces of the padding between columns, one in a tight
// table. Elsewhere an indentation stays: it is the structure of a tree.
func squeezed(s string, tight bool) string {
	var b strings.Builder
	from, most := len(s)-len(strings.TrimLeft(s, " ")), 2
	if tight {
		most = 1
	} else {
		b.WriteString(s[:from])
	}
	spaces := 0
	for i := from; i < len(s); i++ {
		if s[i] == ' ' {
			if spaces++; spaces > most {
				continue
			}
		} else {
			spaces = 0
		}
		b.WriteByte(s[i])
	}
	return strings.TrimRight(b.String(), " ")
}

// unwell reports whether a row of kubectl or docker tells of trouble.
func unwell(s string) bool {
	if hasAny(s, "Error", "BackOff", "Pending", "Failed", "Evicted", "OOMKilled", "Unknown", "Terminating", "NotReady", "Unhealthy", "unhealthy", "Restarting", "Exited", "Dead", "Lost", "Warning", "False", "Init:", "ContainerCreating") {
		return true
	}
	for _, f := range strings.Fields(s) {
		ready, all, ok := strings.Cut(f, "/")
		if ok && ready != all && len(ready) < 3 && len(all) < 3 && strings.Trim(ready+all, "0123456789") == "" && ready != "" && all != "" {
			return true
		}
	}
	return false
}

// sqlTable is the parser for psql and mysql: tables keep their header, their
// rows and the count; the padding of columns goes. Errors keep
// what is told below them.
//
// Formats: psql's aligned ("a | b", "---+---", "(2 rows)") and expanded
// ("-[ RECORD 1 ]---"), mysql's boxed ("| a | b |").
type sqlTable struct {
	held    []Line // the last line, which may be a header
	in      bool   // in the rows of a table
	schema  bool   // which describes a table, or is a plan
	tables  int
	open    Record // an error
	records int    // of the expanded format
}

const (
	sqlRecords = 10 // records shown of the expanded format
)

func (p *sqlTable) Line(l Line, emit Emit) {
	s := l.Text
	if p.open.Lines != nil {
		if sqlDetail(s) && len(p.open.Lines) < installBlock {
			p.open.Lines = append(p.open.Lines, l)
			return
		}
		emit.open(&p.open)
	}
	switch {
	case sqlRule(s):
		p.header(l, emit)
	case sqlError(s):
		p.endTable(emit)
		p.open = Record{Class: Failure, Lines: []Line{l}}
		if at, said, ok := strings.Cut(s, ": ERROR:  "); ok && strings.HasPrefix(at, "psql:") { // of a script: with its line
			p.open.Key, p.open.Site = said, strings.TrimPrefix(at, "psql:")
		}
	case hasAny(s[:min(len(s), 60)], "WARNING:  ", "NOTICE:  "):
		p.endTable(emit)
		p.open = Record{Class: Warn, Key: lines.Template(s), Lines: []Line{l}}
	case strings.HasPrefix(s, "-[ RECORD "):
		p.records++
		fallthrough
	case p.records > 0 && strings.Contains(s, "|"):
		class := Keep.unless(p.records > sqlRecords, Good)
		p.emit(class, l, emit)
	case sqlTag(s):
		p.endTable(emit)
		emit(Record{Class: Keep, Key: s, Lines: []Line{l}})
	case sqlCount(s):
		p.endTable(emit)
		emit.line(Keep, l)
	case p.in && strings.Contains(s, "|") && !lines.Blank(s),
		p.in && !lines.Blank(s) && indented(s) && !p.schema:
		p.row(l, emit) // a table of one column
	default:
		p.endTable(emit)
		if p.schema = p.schema && !lines.Blank(s); p.schema {
			// Of the indentation of a plan, whose levels are six spaces, or of
			// the parts of a description a third stays.
			l.Text = strings.Repeat(" ", leading(s)/3) + strings.Join(strings.Fields(s), " ")
			emit.line(Keep, l)
			return
		}
		p.held = []Line{l}
	}
}

// sqlTag reports whether s is what psql says of a statement that went well:
// "CREATE TABLE", "INSERT 0 1".
func sqlTag(s string) bool {
	verb, rest, _ := strings.Cut(s, " ")
	return len(s) < 40 && oneOf(verb, "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "CREATE", "ALTER", "DROP", "INSERT", "UPDATE", "DELETE", "COPY", "GRANT", "REVOKE", "COMMENT", "SET", "TRUNCATE", "DO") &&
		strings.Trim(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789") == ""
}

// header takes the rule under a header; the line above it is the header.
func (p *sqlTable) header(l Line, emit Emit) {
	emit.line(Folded, l)
	if strings.HasPrefix(l.Text, "+") { // mysql's box: the header is below its first line
		if !p.in {
			p.endTable(emit)
			p.in = true
			p.tables++
		}
		return
	}
	for _, h := range p.held {
		p.tables++ // of which it is a row that stays
		p.row(h, func(r Record) {
			r.Class = Keep
			emit(r)
		})
		p.tables--
		p.schema = hasAny(h.Text, "Collation", "Column ", "QUERY PLAN")
	}
	p.held, p.in = nil, true
	p.tables++
}

func (p *sqlTable) row(l Line, emit Emit) {
	p.emit(Keep, l, func(r Record) {
		r.Class, r.List, r.Group = Body, ListRow, "table "+strconv.Itoa(p.tables)
		emit(r)
	})
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

func (p *sqlTable) endTable(emit Emit) {
	for _, l := range p.held {
		l.Text = uncentered(l.Text)
		emit(plain(l))
	}
	p.held, p.in, p.records = nil, false, 0
}

func (p *sqlTable) Close(emit Emit) {
	emit.open(&p.open)
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
