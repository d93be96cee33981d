package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// nodeCrash reads how node ends on an exception that nobody caught: the place,
// the line of source with a pointer, the exception with its stack and its
// properties, and node's own version. The place stands for the source but for
// an error of syntax, which has no column; node's frames and version go.
type nodeCrash struct {
	held []Line // the place, the source, the pointer
	fail []Line // the exception and what is below it
	own  int    // frames of the project kept
}

const (
	crashLines = 60  // of one exception
	crashLong  = 160 // bytes of a line of source that is shown whole
	crashNear  = 60  // and of a longer one, around the pointer
)

// line takes a line that may be of a crash; what turns out not to be goes to rest.
func (p *nodeCrash) line(l Line, emit Emit, rest func(Line, Emit)) bool {
	s, t := l.Text, strings.TrimSpace(l.Text)
	switch n := len(p.held); {
	case p.fail != nil:
		return p.below(l, t, emit)
	case n == 0 && !crashPlace(s), n == 3 && len(t) > 400:
		if n > 0 {
			p.release(emit, rest)
		}
		return false
	case n < 2 && t != "" && len(s) < lines.ClipOver:
	case n == 2 && jsCaret(s):
	case n == 3 && t == "":
		emit.line(Folded, l)
		return true
	case n == 3:
		p.begin(l, emit)
		return true
	default:
		p.release(emit, rest)
		return false
	}
	p.held = append(p.held, l)
	return true
}

// release gives back what only looked like a crash.
func (p *nodeCrash) release(emit Emit, rest func(Line, Emit)) {
	for _, l := range take(&p.held) {
		rest(l, emit)
	}
}

// begin takes the exception's first line.
func (p *nodeCrash) begin(l Line, emit Emit) {
	held := take(&p.held)
	if place := held[0]; strings.HasPrefix(place.Text, "node:") {
		emit.line(Folded, place)
	} else {
		p.fail = append(p.fail, place)
	}
	if source := held[1]; len(p.fail) > 0 && strings.HasPrefix(l.Text, "SyntaxError") {
		source.Text = pointedAt(source.Text, held[2].Text)
		p.fail = append(p.fail, source)
	} else {
		emit.line(Folded, source)
	}
	emit.line(Folded, held[2])
	p.fail = append(p.fail, l)
}

// pointedAt is a line of source, and of a long one the part around the pointer.
func pointedAt(source, pointer string) string {
	if len(source) <= crashLong {
		return strings.TrimLeft(source, " \t")
	}
	at := min(leading(pointer), len(source))
	from, to := max(0, at-crashNear), min(len(source), at+crashNear/2)
	return strings.ToValidUTF8("…"+source[from:to]+"…", "")
}

// below takes a line after the exception's first.
func (p *nodeCrash) below(l Line, t string, emit Emit) bool {
	frame, own := jsFrame(l.Text)
	switch {
	case strings.HasPrefix(l.Text, "Node.js v"):
		p.end(emit)
		emit.line(Folded, l)
	case crashPlace(l.Text), len(p.fail) >= crashLines:
		p.end(emit)
		return false
	case frame && own && !strings.Contains(t, "[eval]") && p.own < textFrames:
		p.own++
		p.fail = append(p.fail, l)
	case frame, t == "", hasPrefix(t, "(Use `node --trace", "... "), jsProperty(t) && !strings.HasPrefix(t, "code:") && !strings.HasSuffix(t, "["):
		emit.line(Folded, l)
	default:
		p.fail = append(p.fail, l)
	}
	return true
}

func (p *nodeCrash) end(emit Emit) {
	if fail := take(&p.fail); fail != nil {
		key := fail[0].Text
		for _, l := range fail[1:] {
			if frame, _ := jsFrame(l.Text); !frame {
				key += "\n" + l.Text
			}
		}
		emit(Record{Class: Failure, Key: key, Lines: fail})
	}
	p.own = 0
}

// crashPlace reports whether s is a file and a line, alone: "/srv/a.js:12".
func crashPlace(s string) bool {
	n := len(s)
	if n < 4 || !isDigit(s[n-1]) || !hasPrefix(s, "/", "file://", "node:") && s[1:3] != `:\` {
		return false
	}
	file := strings.TrimRight(s, "0123456789")
	return strings.HasSuffix(file, ":") && !strings.ContainsAny(file[:len(file)-1], "\t,;=()") && !strings.Contains(file, ": ")
}
