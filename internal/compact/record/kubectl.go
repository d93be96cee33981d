package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// kubectl is the parser for what kubectl lists: the first line tells whether
// that is a table of objects, events, a description, a manifest or JSON. Of a
// table that is not too long every name stays; rows that are well end with
// their status.
type kubectl struct {
	as    Parser // when the output is no table of objects
	table columns
	held  []Line // rows, until it is known whether there are many
	head  bool   // the table's head was seen
	many  bool
	short int // rows shown in short beyond those the table shows
}

const (
	kubectlRows  = 60  // rows of several namespaces of which every one is shown
	kubectlShort = 150 // rows of one namespace that are shown in short
	kubectlWords = 3   // columns of a well row beyond the first few of a namespace
)

func (*kubectl) wide() {}

func (p *kubectl) Line(l Line, emit Emit) {
	s := l.Text
	switch {
	case p.as != nil:
		p.as.Line(l, emit)
		return
	case klog(s):
		emit(Record{Class: Failure, Key: lines.Template(s), Lines: []Line{l}})
		return
	case hasPrefix(s, "Error from server", "error: ", "The connection to the server ", "Unable to connect to the server"):
		emit.line(Failure, l)
		return
	case hasPrefix(s, "Warning: "):
		emit(Record{Class: Warn, Key: s, Lines: []Line{l}})
		return
	case !p.head && !lines.Blank(s):
		p.head = true
		if p.as = kubectlFormat(s); p.as != nil {
			p.as.Line(l, emit)
			return
		}
	}
	if p.many || !strings.HasPrefix(s, "NAMESPACE ") && !p.table.namespace && len(p.held) == 0 {
		p.table.Line(l, func(r Record) {
			if r.Class == Good && p.short < kubectlShort { // a row beyond the first ones
				p.short++
				r.Class, r.Lines[0].Text = Keep, firstColumns(squeezed(s, false), kubectlWords)
			}
			emit(r)
		})
		return
	}
	if p.held = append(p.held, l); len(p.held) > kubectlRows {
		p.many = true
		p.release(emit)
	}
}

// kubectlFormat returns the parser for an output that begins with s, or nil
// for a table.
func kubectlFormat(s string) Parser {
	switch {
	case hasPrefix(s, "apiVersion:", "---", "# Source: "):
		return &manifest{}
	case s == "{", s == "[", strings.HasPrefix(s, `{"`):
		return &jsonText{}
	case hasPrefix(s, "LAST SEEN ", "NAMESPACE     LAST SEEN ") || strings.HasPrefix(s, "NAMESPACE ") && strings.Contains(s, " LAST SEEN "):
		return &events{}
	case hasPrefix(s, "Name:  "):
		return &describe{}
	}
	return nil
}

// release passes the rows on: all of them in short when they are few.
func (p *kubectl) release(emit Emit) {
	for _, l := range p.held {
		p.table.Line(l, func(r Record) {
			if r.Tally && !p.many {
				r.Tally, r.Row = false, firstColumns(r.Row, kubectlWords)
			}
			emit(r)
		})
	}
	p.held = nil
}

func (p *kubectl) Close(emit Emit) {
	if p.as != nil {
		p.as.Close(emit)
		return
	}
	p.release(emit)
	p.table.Close(emit)
}

// firstColumns returns the first n columns of a squeezed row.
func firstColumns(row string, n int) string {
	cols := strings.SplitN(row, "  ", n+1)
	return strings.Join(cols[:min(n, len(cols))], "  ")
}

// events is the parser for the table of events of kubectl. Those of type
// Warning stay; of the others the first for each reason, the rest under it.
type events struct {
	reason, kind int // where the columns begin
	seen         tally
}

const eventRows = 3 // events of type Normal shown for each reason

func (p *events) Line(l Line, emit Emit) {
	s := l.Text
	switch {
	case hasPrefix(s, "LAST SEEN", "NAMESPACE"):
		p.reason, p.kind = strings.Index(s, "REASON"), strings.Index(s, "TYPE")
		l.Text = squeezed(s, false)
		emit.line(Keep, l)
	case p.kind <= 0 || len(s) <= p.reason || !strings.HasPrefix(s[p.kind:], "Normal "):
		l.Text = lines.Clip(squeezed(s, false))
		class := Keep.unless(p.kind > 0 && len(s) > p.reason && strings.HasPrefix(s[p.kind:], "Warning "), Failure) // of the cluster: every one that says something else
		emit(Record{Class: class, Key: lines.Template(s[min(max(p.kind, 0), len(s)):]), Lines: []Line{l}})
	default:
		reason := word(s[p.reason:])
		l.Text = squeezed(s, false)
		emit(Record{Group: reason, Lines: []Line{l}, Tally: p.seen.next(reason) > eventRows})
	}
}

func (p *events) Close(Emit) {}
