package compact

import (
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/prefix"
	"cairn/internal/compact/record"
	"cairn/internal/compact/shell"
)

// Pieces are what a runner around the tools put together into one output: the
// lines of several services, jobs or steps, each with a prefix. Every piece is
// an output of its own, cut by the rule that its content asks for; the prefix
// stands once, above it.
type pieces struct {
	of     *Stream
	layout *prefix.Layout
	by     map[string]*piece // the open ones, by whose they are
	order  []*piece          // all
	last   *piece            // of the line before
	most   int               // pieces told apart
	parted bool              // a name has more than one
	kept   *int              // bytes that all of them keep
	turns  *turns            // tells them apart where nothing else does
	hooks  *hooks            // pre-commit's hooks are told apart
}

// A piece is the lines of one of them.
type piece struct {
	whose       string
	first, last string // its times
	title       string // the line by which it was announced
	named       int    // where the line by which it was announced last stands
	sigil       string // before the command that it is the output of, where one was announced
	stream      *Stream
}

const (
	maxPieces  = 64
	pieceWhole = 8 << 10 // a piece up to this size is held whole, so that it can go out unchanged
	others     = "(others)"
	maxNested  = 2 // a runner may run another
)

// newPieces begins to hand out the lines of s.
func (s *Stream) newPieces() *pieces {
	p := &pieces{of: s, layout: s.layout, by: map[string]*piece{}, most: maxPieces, kept: s.kept}
	if p.kept == nil {
		p.kept = new(int)
	}
	if s.nested > 0 {
		p.most = maxPieces / 4
	}
	if p.turns = s.turns; p.turns != nil {
		p.turn(p.turns.of[0])
	}
	if s.hooked {
		p.newHooks()
	}
	return p
}

// take hands a line to the piece it is of.
func (p *pieces) take(l record.Line) {
	if p.turns != nil {
		p.turns.take(l, p)
	} else {
		p.hand(l)
	}
}

func (p *pieces) hand(l record.Line) {
	cut, ok := p.layout.Cut(l.Text)
	at := p.last
	switch {
	case l.Keep || lines.Blank(l.Text): // no line of the tool's, or one that tells nothing
		cut.Text = l.Text
	case !ok && !p.layout.Named():
		cut.Text = l.Text // in between others: the runner has one stream
	default:
		at = p.by[cut.Whose]
	}
	if at == nil {
		at = p.open(cut.Whose, ok)
	}
	if at.whose == others {
		cut.Text = l.Text
	}
	p.last = at
	if p.hooks != nil {
		if p.hook(l) {
			return
		}
	} else if !l.Keep && p.starts(at, cut) {
		return
	}
	at = p.last
	at.times(cut.When)
	at.take(record.Line{N: at.stream.n, Text: cut.Text, Keep: l.Keep})
}

// starts reports whether a line announces a command, so that it is the title of a
// piece that begins. It may also name the command of the one that has begun.
func (p *pieces) starts(at *piece, l prefix.Line) bool {
	command, ok := p.announced(at, l.Text)
	if !ok {
		return false
	}
	own := strings.HasPrefix(l.Text, "##[") // the rule for a CI runner's marks has it
	switch {
	case !at.banner(l.Text) && len(p.order) < p.most:
		at = p.begin(at.whose, command)
		p.last, p.by[at.whose] = at, at
		at.times(l.When)
		if !own {
			at.title = l.Text
		}
	case at.stream.filter == nil:
		at.stream.cmd = shell.Parse(command)
	}
	at.sigil, at.named = l.Text[:1], at.stream.n
	return at.title == l.Text && at.stream.n == 0
}

// times notes when a line was written.
func (at *piece) times(when string) {
	if when == "" {
		return
	}
	if at.first == "" {
		at.first = when
	}
	at.last = when
}

// open begins a piece for a name that is new. Those beyond what can be told apart
// go together, and keep what stands in front of them.
func (p *pieces) open(whose string, prefixed bool) *piece {
	if len(p.order) >= p.most {
		whose = others
		if at := p.by[whose]; at != nil {
			return at
		}
	}
	command := ""
	if !prefixed {
		command = p.of.env.Command // what the runner itself says
	}
	at := p.begin(whose, command)
	p.by[whose] = at
	return at
}

// begin makes a piece. Of a command that is known its rule decides.
func (p *pieces) begin(whose, command string) *piece {
	opt := p.of.opt
	opt.Verify, opt.Passthrough = Verify{}, nil
	env := p.of.env
	env.Command, env.Argv, env.CombinedText = command, nil, ""
	c := NewStream(env, opt)
	c.nested, c.around = p.of.nested+1, p.of.cmd
	if len(c.around.Calls) == 0 {
		c.around = p.of.around
	}
	c.tail = func() string { return p.tail(whose) }
	c.step, c.kept = whose, p.kept
	c.asIs, c.raw.unlimited = false, false // who left a command alone meant its own output
	if command != "" && p.order != nil {
		p.parted = true
	}
	at := &piece{whose: whose, stream: c}
	p.order = append(p.order, at)
	return at
}

// take gives a line to the stream of a piece.
func (at *piece) take(l record.Line) {
	if at.stream.raw.total <= pieceWhole {
		at.stream.raw.Write([]byte(l.Text + "\n"))
	} else if at.stream.raw.ring == nil {
		at.stream.raw.held, at.stream.raw.ring = nil, []byte{}
	}
	at.stream.take(l)
}

// tail is the end of what is held whole, of one piece.
func (p *pieces) tail(whose string) string {
	if p.parted || !p.layout.Named() && !p.layout.Timed() {
		return "" // it may be of another command
	}
	var b strings.Builder
	w := p.of.raw.whole
	for l := range strings.Lines(w[max(0, len(w)-sampleBytes):]) {
		if cut, ok := p.layout.Cut(lines.Clean(strings.TrimSuffix(l, "\n"))); ok && cut.Whose == whose {
			b.WriteString(cut.Text + "\n")
		}
	}
	return b.String()
}
