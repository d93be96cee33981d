package record

import "strings"

// columns is the parser for tables that are aligned with spaces: kubectl get,
// docker ps, ps, lsof, df. The padding goes (tables of SQL: sqlTable). Where the first column is
// NAMESPACE, rows are grouped by it; a row that tells of trouble is always
// shown. JSON and YAML are left to their own.
type columns struct {
	as        Parser // not a table after all
	rows      int
	unwell    int // rows shown beyond the first
	namespace bool
	seen      map[string]int
}

const (
	columnRows = 40 // rows shown of a table
	columnEach = 8  // well rows of each namespace
)

func (p *columns) Line(l Line, emit func(Record)) {
	s := l.Text
	switch {
	case p.as != nil:
		p.as.Line(l, emit)
		return
	case strings.Trim(s, " -+|") == "": // blank, or the rule under a header
		emit(Record{Class: Folded, Lines: []Line{l}})
		return
	case strings.HasPrefix(s, "ERROR:"), strings.HasPrefix(s, "FATAL:"), strings.Contains(s, "error: "), strings.HasPrefix(s, "ERROR "):
		emit(Record{Class: Failure, Lines: []Line{l}})
		return
	case p.rows == 0 && (s == "{" || s == "[" || strings.HasPrefix(s, `{"`)):
		p.as = &jsonText{}
		p.as.Line(l, emit)
		return
	case p.rows == 0 && strings.HasPrefix(s, "apiVersion:"):
		p.as = &verbatim{}
		p.as.Line(l, emit)
		return
	}
	if strings.HasPrefix(s, "NAMESPACE ") {
		p.namespace, p.rows = true, 0
	}
	p.rows++
	l.Text = width(squeezed(s))
	if p.namespace && p.rows > 1 {
		name, row, _ := strings.Cut(l.Text, " ")
		if p.seen == nil {
			p.seen = map[string]int{}
		}
		well := !unwell(row)
		if well {
			p.seen[name]++
		}
		emit(Record{Group: name, Row: strings.TrimLeft(row, " "), Lines: []Line{l}, Tally: well && p.seen[name] > columnEach})
		return
	}
	class := Keep
	if p.rows > columnRows {
		class = Good
		if unwell(s) && p.unwell < columnRows {
			p.unwell++
			class = Keep
		}
	}
	emit(Record{Class: class, Lines: []Line{l}})
}

func (p *columns) Close(emit func(Record)) {
	if p.as != nil {
		p.as.Close(emit)
	}
}

// squeezed leaves two spaces of the padding between columns. An indentation
// stays: it is the structure of a query plan or a process tree.
func squeezed(s string) string {
	var b strings.Builder
	from := len(s) - len(strings.TrimLeft(s, " "))
	b.WriteString(s[:from])
	spaces := 0
	for i := from; i < len(s); i++ {
		if s[i] == ' ' {
			if spaces++; spaces > 2 {
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
	for _, w := range [...]string{"Error", "BackOff", "Pending", "Failed", "Evicted", "OOMKilled", "Unknown", "Terminating", "NotReady", "Unhealthy", "unhealthy", "Restarting", "Exited", "Dead", "Lost", "Warning", "False", "Init:", "ContainerCreating"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	for _, f := range strings.Fields(s) {
		ready, all, ok := strings.Cut(f, "/")
		if ok && ready != all && len(ready) < 3 && len(all) < 3 && strings.Trim(ready+all, "0123456789") == "" && ready != "" && all != "" {
			return true
		}
	}
	return false
}
