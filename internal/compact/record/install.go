package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// install is the parser for package managers. What each of them prints is
// known to a reader of its own (npm.go, nodepkg.go, pip.go, apt.go, fetch.go):
// it says of a line what it is. Here lines become records: a fault or a
// warning with what is told below it, a result, progress.
type install struct {
	read   func(s string) (mark, bool)
	open   Record // a fault or a warning that may go on
	greedy bool   // and that lines no reader knows belong to
	blank  []Line // blank lines after it: part of it if it goes on
}

// A mark is what a reader says of a line.
type mark struct {
	class Class
	key   string // as Record.Key
	site  string // as Record.Site
	opens bool   // lines below that are not known belong to it
	joins bool   // it belongs to what is open, if that is of its class
}

const installBlock = 400 // lines of one fault

func (p *install) Line(l Line, emit Emit) {
	s := l.Text
	if lines.Blank(s) {
		if p.open.Lines != nil && len(p.blank) < 3 {
			p.blank = append(p.blank, l)
			return
		}
		emit.line(Folded, l)
		return
	}
	m, known := p.read(s)
	if strings.HasPrefix(s, "│") {
		l.Text = strings.TrimRight(s, " │") // a box's other side
	}
	switch {
	case !known && p.greedy && len(p.open.Lines) < installBlock:
		p.append(l)
	case !known:
		p.flush(emit)
		emit(plain(l))
	case m.joins && p.open.Lines != nil && p.open.Class == m.class && len(p.open.Lines) < installBlock:
		p.greedy = p.greedy || m.opens
		p.append(l)
	case m.class == Failure, m.class == Warn:
		p.flush(emit)
		p.open = Record{Class: m.class, Key: m.key, Site: m.site, Lines: []Line{l}}
		p.greedy = m.opens
	case m.class <= Folded && p.greedy: // does not end a fault
		emit(Record{Class: m.class, Lines: []Line{l}})
	default:
		p.flush(emit)
		emit(Record{Class: m.class, Key: m.key, Site: m.site, Lines: []Line{l}})
	}
}

func (p *install) append(l Line) {
	p.open.Lines = append(append(p.open.Lines, p.blank...), l)
	p.blank = nil
}

func (p *install) flush(emit Emit) {
	if p.open.Lines != nil {
		var drop []Line
		p.open.Lines, drop = thinTrace(p.open.Lines)
		emit(p.open)
		emitDropped(drop, emit)
	}
	emit.each(Folded, p.blank)
	p.open, p.blank, p.greedy = Record{}, nil, false
}

func (p *install) Close(emit Emit) { p.flush(emit) }

// hasPrefix reports whether s begins with one of the prefixes.
func hasPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// word returns the first word of s.
func word(s string) string {
	w, _, _ := strings.Cut(strings.TrimLeft(s, " "), " ")
	return w
}

// counted reports whether s is a number and then one of the words.
func counted(s string, words ...string) bool {
	n := digits(s)
	return n > 0 && hasPrefix(strings.TrimLeft(s[n:], " "), words...)
}

// hasAny reports whether s contains one of the words.
func hasAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
