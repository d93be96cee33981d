package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// rubyRun is the parser for a Ruby program: an exception that nobody caught
// with the first own frames of its backtrace. All else is text.
type rubyRun struct {
	trace []Line
	text  plainText
}

const rubyTrace = 200 // lines held of one backtrace

func (p *rubyRun) Line(l Line, emit Emit) {
	s := l.Text
	switch {
	case rubyRaised(s):
		p.flush(emit)
		p.text.Close(emit)
		p.trace = []Line{l}
	case p.trace != nil && len(p.trace) < rubyTrace && (rubyFrame(s) && indented(s) || strings.HasPrefix(strings.TrimLeft(s, "\t "), "... ")),
		p.trace != nil && len(p.trace) < 10 && !lines.Blank(s) && !strings.Contains(p.trace[len(p.trace)-1].Text, "\tfrom ") && !strings.HasSuffix(p.trace[len(p.trace)-1].Text, ")"):
		p.trace = append(p.trace, l) // a message of several lines
	default:
		p.flush(emit)
		p.text.Line(l, emit)
	}
}

func (p *rubyRun) flush(emit Emit) {
	if p.trace == nil {
		return
	}
	keep, drop := thinRuby(p.trace[1:])
	if len(keep) == 1 && rubyForeign(keep[0].Text) { // the first line names such a place already
		drop, keep = append(drop, keep...), nil
	}
	keep = append([]Line{p.trace[0]}, keep...)
	emit(Record{Class: Failure, Key: lines.Template(keep[0].Text), Site: lines.Location(keep[0].Text), Brief: 1, Lines: keep})
	emitDropped(drop, emit)
	p.trace = nil
}

func (p *rubyRun) Close(emit Emit) {
	p.flush(emit)
	p.text.Close(emit)
}

// rubyRaised reports whether s begins what Ruby prints of an exception:
// "app.rb:3:in `run': no such part (KeyError)", of which a long message goes
// on below.
func rubyRaised(s string) bool {
	place, rest, ok := strings.Cut(s, ": ")
	if !ok || indented(s) || strings.HasPrefix(s, "from ") {
		return false
	}
	file, _, _ := strings.Cut(place, ":in ")
	number := strings.LastIndexByte(file, ':')
	return number > 0 && digitsOnly(file[number+1:]) && number+1 < len(file) && (strings.Contains(place, ":in ") || strings.HasSuffix(rest, "Error)")) && !strings.ContainsAny(file, " \t(")
}
