package compact

import (
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/record"
	"cairn/internal/compact/rule"
	"cairn/internal/compact/shell"
)

// turns finds where the output of one command ends and that of the next begins
// when nothing announces it: a paragraph that looks like a later one's, and not
// like the present one's, begins it.
type turns struct {
	of   []rule.Turn
	at   int           // whose output it is now
	held []record.Line // a paragraph of which that is not decided
}

const turnLines = 12 // of a paragraph that are looked at together

// take hands a line on once it is known whose it is.
func (t *turns) take(l record.Line, p *pieces) {
	t.held = append(t.held, l)
	if lines.Blank(l.Text) || len(t.held) >= turnLines {
		t.settle(p)
	}
}

// settle decides about what is held.
func (t *turns) settle(p *pieces) {
	next, from := t.comes()
	for i, l := range t.held {
		if next > 0 && i == from {
			t.at = next
			p.turn(t.of[next])
		}
		p.hand(l)
	}
	t.held = t.held[:0]
}

// comes returns which command's output begins in what is held, and at which
// line; 0 for none.
func (t *turns) comes() (next, from int) {
	var b strings.Builder
	for _, l := range t.held {
		b.WriteString(l.Text + "\n")
	}
	now := &t.of[t.at]
	for i := t.at + 1; i < len(t.of); i++ {
		turn := &t.of[i]
		switch {
		case turn.Hits(b.String()) == 0:
		case now.Hits(b.String()) == 0:
			return i, 0
		default:
			for from, l := range t.held {
				if turn.Hits(l.Text) > 0 && now.Hits(l.Text) == 0 {
					return i, from
				}
			}
		}
	}
	return 0, 0
}

// turn begins the piece of a command.
func (p *pieces) turn(t rule.Turn) {
	at := p.begin("", "")
	at.stream.cmd, at.stream.opt.Rule = shell.Parsed{}, t.ID
	if t.Call.Name != "" {
		at.stream.cmd.Calls = []shell.Call{t.Call}
	}
	p.by[""], p.last = at, at
}
