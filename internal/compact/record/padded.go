package record

import "strings"

// padded is the parser for lists in columns of which the window decides: of
// the padding one space stays.
type padded struct {
	said complaints
}

func (p *padded) Line(l Line, emit Emit) {
	if toolSays(l.Text) {
		emit(p.said.record(l))
		return
	}
	if strings.Contains(l.Text, "  ") {
		l.Text = strings.Join(strings.Fields(l.Text), " ")
	}
	emit.line(Body, l)
}

func (*padded) Close(Emit) {}
