package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// log is the parser for logs of servers and programs. A line is a record with
// what is told below it: a stack, or PostgreSQL's detail. Errors, warnings and
// distinct requests stay, equal ones are counted; the rest is left to dedupe
// and the window.
//
// Levels and times are read in logline.go, access logs in logaccess.go.
type log struct {
	open     Record // a fault that is not complete yet
	under    bool   // the last line was an ordinary one: lines below that have no time are its own
	below    int    // of those, how many came
	told     set    // faults by what they say
	requests set
	notable  int // ordinary lines kept for their words

	one [1]Line // the record of most lines, used again for each
}

const (
	logBlock    = 200 // lines of one fault held
	logLoose    = 15  // of them, that are not indented
	logRequests = 40  // distinct failed requests kept
	logServed   = 15  // and distinct others
	logNotable  = 40
	logBelow    = 2   // lines kept below an ordinary one
	logTold     = 400 // different faults remembered
)

func (p *log) Line(l Line, emit Emit) {
	l.Text = lines.Clip(l.Text)
	s := l.Text
	l.Text = journalFields(s)
	name, said := cutService(s)
	own := startsEntry(said)
	if p.open.Lines != nil {
		if before, _ := cutService(p.open.Lines[0].Text); before == name && p.continues(s, own) {
			p.open.Lines = append(p.open.Lines, l)
			return
		}
		p.closeFault(emit)
	}
	if !own && p.under && indented(s) {
		if p.below++; p.below > logBelow {
			emit.line(Noise, l)
			return
		}
		emit.line(Body, l)
		return
	}
	p.under, p.below = false, 0
	if r, ok := readRequest(s); ok {
		p.request(l, r, emit)
		return
	}
	switch class := logLevel(s); {
	case class == Failure, class == Warn, strings.HasPrefix(s, pyTraceHead):
		if class == Body {
			class = Failure
		}
		p.open = Record{Class: class, Lines: []Line{l}}
	case lines.Classify(s) >= lines.Trouble && p.notable < logNotable:
		p.notable++
		p.open = Record{Class: Keep, Lines: []Line{l}}
	default:
		p.under = true
		p.one[0] = l
		emit(Record{Lines: p.one[:]})
	}
}

// continues reports whether a line belongs to the open fault.
func (p *log) continues(s string, own bool) bool {
	n := len(p.open.Lines)
	if own || n >= logBlock {
		return elaborates(s) && n < logBlock
	}
	last := p.open.Lines[n-1].Text
	return indented(s) || lines.Blank(s) || pyChained(s) || hasPrefix(s, pyTraceHead, "Caused by: ") || indented(last) || n < logLoose
}

func (p *log) closeFault(emit Emit) {
	r := p.open
	p.open = Record{}
	if r.Lines == nil {
		return
	}
	var drop []Line
	r.Lines, drop = thinTrace(r.Lines)
	r.Lines, drop = thinStack(r.Lines, drop)
	r.Key = faultKey(r.Lines)
	if len(r.Lines) > 1 {
		r.Brief = 1
	}
	if p.told[r.Key] {
		if r.Lines = again(r.Lines, emit); len(r.Lines) > 1 {
			r.Brief = len(r.Lines)
		}
	} else {
		p.told.add(r.Key, logTold)
	}
	emit(r)
	emitDropped(drop, emit)
}

// again leaves of a fault that was told before what happened and what was
// raised; where is known.
func again(ls []Line, emit Emit) (keep []Line) {
	for i, l := range ls {
		if i == 0 || raised(l.Text) {
			keep = append(keep, l)
		} else {
			emit.line(Folded, l)
		}
	}
	return keep
}

// raised reports whether s, below an entry, is no frame of its stack.
func raised(s string) bool {
	return !indented(s) && !lines.Blank(s) && !startsEntry(s) && !pyChained(s) && !strings.HasPrefix(s, pyTraceHead)
}

// emitDropped lets go of lines of a stack; marks under a source line are as
// good as blank.
func emitDropped(drop []Line, emit Emit) {
	for _, l := range drop {
		emit.line(Good.unless(pyCaret(l.Text), Folded), l)
	}
}

func (p *log) Close(emit Emit) { p.closeFault(emit) }

// faultKey is what a fault says: its first line and the exceptions below.
func faultKey(ls []Line) string {
	key := lines.Template(ls[0].Text)
	for _, l := range ls[1:] {
		if raised(l.Text) {
			key += "\n" + lines.Template(l.Text)
		}
	}
	return key
}

// thinStack moves the frames beyond the first own ones, and all foreign ones
// but the first, from keep to drop.
func thinStack(ls, drop []Line) (keep, dropped []Line) {
	own, other := 0, 0
	for _, l := range ls {
		t := strings.TrimLeft(l.Text, " \t")
		frame, mine := lines.Frame(l.Text)
		gone := elided(t)
		switch {
		case gone:
		case !frame && strings.HasPrefix(t, "Caused by: "):
			own, other = 0, 0
		case !frame || !strings.HasPrefix(t, "at "):
		case mine:
			own++
			gone = own > stackFrames
		default:
			other++
			gone = other > 1 || own > 0
		}
		if gone {
			drop = append(drop, l)
			continue
		}
		keep = append(keep, l)
	}
	return keep, drop
}
