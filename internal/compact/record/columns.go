package record

import (
	"slices"
	"strings"

	"cairn/internal/compact/lines"
)

// columns is the parser for tables that are aligned with spaces: kubectl get,
// docker ps, ps, lsof, df. The padding goes (tables of SQL: sqlTable). Where the first column is
// NAMESPACE, rows are grouped by it; a row that tells of trouble is always
// shown. JSON and YAML are left to their own.
type columns struct {
	as        Parser // not a table after all
	rows      int
	unwell    int // rows shown beyond the first
	namespace bool
	tight     bool // no cell but the last has a space in it
	command   int  // where the last column of a list of processes begins, or 0
	top       int  // which column of top says how busy a process is, or 0
	seen      tally
	most      int // rows shown when not columnRows: those of a list whose names all matter
}

const (
	columnList = 200
	columnRows = 40 // rows shown of a table
	columnEach = 8  // well rows of each namespace
	columnBusy = 20 // lines of top after which processes that do nothing go
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
	if p.tight {
		s = unruled(s)
	}
	l.Text = width(squeezed(s, p.tight))
	if p.namespace && p.rows > 1 {
		name, row, _ := strings.Cut(l.Text, " ")
		emit(Record{Group: name, Row: strings.TrimLeft(row, " "), Lines: []Line{l}, Tally: !unwell(row) && p.seen.next(name) > columnEach})
		return
	}
	if f := strings.Fields(s); p.top > 0 && p.rows > columnBusy && len(f) > p.top && f[p.top] == "0.0" {
		p.rows--
		emit.line(Good, l)
		return
	}
	if r, ok := p.process(l, raw); ok && p.rows <= max(p.most, columnRows) {
		emit(r)
		return
	}
	class := Keep.unless(p.rows > max(p.most, columnRows), Good)
	if class == Good && unwell(s) && p.unwell < columnRows {
		p.unwell++
		class = Keep
	}
	emit.line(class, l)
}

// columnsFormat returns the parser for an output that is no table, or nil.
func columnsFormat(s string) Parser {
	switch {
	case s == "{", s == "[", strings.HasPrefix(s, `{"`):
		return &jsonText{}
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

func (p *columns) Close(emit Emit) {
	if p.as != nil {
		p.as.Close(emit)
	}
}

// unruled takes off the rules that vmstat draws around its headings.
func unruled(s string) string {
	if !strings.HasPrefix(s, "procs -") {
		return s
	}
	return strings.ReplaceAll(s, "-", "")
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
