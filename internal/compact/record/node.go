package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// node is the parser for a program that node runs. Where it dies, node shows the
// place, the source, the error with its stack, and its own version.
type node struct {
	text   script // npm may say what it runs
	held   []Line // the place and the source, until the caret comes
	fault  *jsFault
	faults jsFaults
}

func (p *node) Line(l Line, emit Emit) {
	s := l.Text
	if p.fault != nil {
		switch {
		case strings.HasPrefix(s, "Node.js v"):
			p.end(emit)
			emit.line(Folded, l)
		case p.fault.full():
			emit.line(Good, l)
		default:
			p.fault.add(l)
		}
		return
	}
	switch {
	case len(p.held) == 2 && jsCaret(s):
		p.dies(l, emit)
		return
	case len(p.held) == 1:
		p.held = append(p.held, l)
		return
	}
	p.let(emit)
	if at := strings.TrimPrefix(s, "file://"); at != "" && lines.Location(at) == at || nodeInner(s) {
		p.held = []Line{l}
		return
	}
	p.text.Line(l, emit)
}

// nodeInner reports whether s is a place in node itself: "node:internal/util:12".
func nodeInner(s string) bool {
	rest, ok := strings.CutPrefix(s, "node:")
	i := strings.LastIndexByte(rest, ':')
	return ok && i > 0 && digitsOnly(rest[i+1:]) && !strings.Contains(rest, " ")
}

// dies begins the error, whose place and source are held. The caret says no more
// than the frame of the stack does; where node itself threw, nothing of it does.
func (p *node) dies(caret Line, emit Emit) {
	at, source := p.held[0], p.held[1]
	p.held = nil
	p.text.Close(emit)
	p.fault = &jsFault{}
	if nodeInner(at.Text) {
		emit.line(Folded, at)
	} else {
		p.fault.head = []Line{at}
	}
	emit.line(Folded, source)
	emit.line(Folded, caret)
}

// let gives what only looked like the beginning of an error.
func (p *node) let(emit Emit) {
	for _, l := range take(&p.held) {
		p.text.Line(l, emit)
	}
}

func (p *node) end(emit Emit) {
	if f := take(&p.fault); f != nil {
		p.faults.emit(f, new([]Line), emit)
	}
}

func (p *node) Close(emit Emit) {
	p.let(emit)
	p.end(emit)
	p.text.Close(emit)
}
