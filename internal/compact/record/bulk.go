package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// verbatim keeps every line.
type verbatim struct{}

func (verbatim) Line(l Line, emit Emit) { emit.line(Keep, l) }
func (verbatim) Close(Emit)             {}

// windowed leaves every line to the window.
type windowed struct{}

func (windowed) Line(l Line, emit Emit) {
	l.Text = lines.Clip(l.Text)
	emit.line(Body, l)
}
func (windowed) Close(Emit) {}

// bulk leaves lines to the window as long as it sees, every few lines, one
// that such a file has. What is not so is looked at anew, since source code
// may follow in the same output.
type bulk struct {
	of   func(string) bool
	held []Line // since the last such line
	next Parser
}

const bulkTail = 10 // last lines without one that may still be its own

func (p *bulk) Line(l Line, emit Emit) {
	if p.next != nil {
		p.next.Line(l, emit)
		return
	}
	p.held = append(p.held, l)
	if p.of(strings.TrimSpace(l.Text)) {
		replay(windowed{}, &p.held, emit)
	} else if len(p.held) == contentLook {
		p.next = contentParser(p.held)
		replay(p.next, &p.held, emit)
	}
}

func (p *bulk) Close(emit Emit) {
	class := Keep.unless(len(p.held) < bulkTail, Body)
	emit.each(class, p.held)
	if p.next != nil {
		p.next.Close(emit)
	}
}
