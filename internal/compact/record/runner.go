package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// runner is a parser for a test runner, whose totals say what passed: what is
// known to be fine goes without a marker, and so do blank lines. Its failures are
// told from the margin on, however far in the runner printed them.
type runner struct {
	Parser
	counted bool // its totals may be missing: tests that passed are counted beside a marker
	to      Emit
	emit    Emit // its take, made once
}

func runnerOf(p Parser) *runner {
	r := &runner{Parser: p}
	_, r.counted = p.(*tap)
	r.emit = r.take
	return r
}

func (p *runner) Line(l Line, emit Emit) {
	p.to = emit
	p.Parser.Line(l, p.emit)
}

func (p *runner) Close(emit Emit) {
	p.to = emit
	p.Parser.Close(p.emit)
}

func (p *runner) take(r Record) {
	if r.Class != Good && r.Class != Folded {
		said, blank := split(r.Lines, func(_ int, l Line) bool { return l.Keep || !lines.Blank(l.Text) })
		if len(blank) > 0 {
			p.to(Record{Class: Folded, Lines: blank})
			if r.Lines = said; len(said) == 0 && r.Count == "" {
				return
			}
		}
	}
	switch {
	case r.Class == Good && !(p.counted && r.Count != ""):
		r.Class = Folded
	case r.Class >= Warn && len(r.Lines) > 1:
		r.Lines = fromMargin(r.Lines)
	}
	p.to(r)
}

// fromMargin is a record with its first line at the margin and the others as
// far to the left as they go together, one column in if they were further in.
func fromMargin(ls []Line) []Line {
	const blanks = " "
	by := -1
	for _, l := range ls[1:] {
		if n := leading(l.Text); by < 0 || n < by {
			if strings.TrimLeft(l.Text, blanks) != "" {
				by = n
			}
		}
	}
	first := leading(ls[0].Text)
	if by > first {
		by--
	}
	out := make([]Line, len(ls))
	for i, l := range ls {
		cut := max(by, 0)
		if i == 0 {
			cut = first
		}
		l.Text = l.Text[min(cut, leading(l.Text)):]
		out[i] = l
	}
	return out
}
