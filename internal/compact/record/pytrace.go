package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// pyFrames is how many own frames are kept at either end of a Python
// traceback: the caller's side and the side where it broke.
const pyFrames = 4

// thinTrace splits lines with Python tracebacks in them into those to keep
// and the frames to leave out: of each traceback the first and last own
// frames stay, and the frame that raised, whoever it belongs to.
func thinTrace(ls []Line) (keep, drop []Line) {
	for i := 0; i < len(ls); {
		if !pyFrame(ls[i].Text) {
			keep = append(keep, ls[i])
			i++
			continue
		}
		var frames []traceEntry
		for i < len(ls) && pyFrame(ls[i].Text) {
			_, own := lines.Frame(ls[i].Text)
			f := traceEntry{own: own, lines: ls[i : i+1]}
			depth := leading(ls[i].Text)
			for i++; i < len(ls) && !lines.Blank(ls[i].Text) && leading(ls[i].Text) > depth; i++ {
				f.lines = append(f.lines[:len(f.lines):len(f.lines)], ls[i])
			}
			if len(frames) > 0 && strings.Contains(f.lines[0].Text, `/unittest/case.py"`) {
				drop = append(drop, f.lines...) // how an assertion raises
				continue
			}
			frames = append(frames, f)
		}
		k, d := thinEntries(frames, pyFrames)
		keep, drop = append(keep, k...), append(drop, d...)
	}
	return keep, drop
}

// boundTrace keeps a traceback that is still being read from growing without
// end, as a deep recursion's does.
func boundTrace(ls []Line, emit Emit) []Line {
	if len(ls) < pyTraceMax {
		return ls
	}
	keep, drop := thinTrace(ls)
	emit.each(Good, drop)
	if half := pyTraceMax / 4; len(keep) > 2*half {
		emit(Record{Class: Noise, Lines: append([]Line(nil), keep[half:len(keep)-half]...)})
		keep = append(keep[:half], keep[len(keep)-half:]...)
	}
	return keep
}

// A traceEntry is one level of a traceback.
type traceEntry struct {
	lines []Line
	own   bool
}

// imports reports whether an entry only tells that one module imports the
// next one.
func (e traceEntry) imports() bool {
	last := len(e.lines) - 1
	if last != 1 || !strings.HasSuffix(strings.TrimSuffix(e.lines[0].Text, ":"), "in <module>") {
		return false
	}
	code := strings.TrimLeft(e.lines[last].Text, " ")
	return hasPrefix(code, "from ", "import ")
}

// thinEntries keeps the first and last own entries, at most most of each, and
// the last one of all. Of a chain of imports both ends stay.
func thinEntries(entries []traceEntry, most int) (keep, drop []Line) {
	total := 0
	for _, e := range entries {
		if e.own {
			total++
		}
	}
	seen := 0
	for i, e := range entries {
		last := i == len(entries)-1
		if e.own {
			seen++
		}
		if !last && (!e.own || seen > most && seen <= total-most || seen > 1 && seen < total && e.imports()) {
			drop = append(drop, e.lines...)
			continue
		}
		for _, l := range e.lines {
			if pyCaret(l.Text) {
				drop = append(drop, l)
			} else {
				keep = append(keep, l)
			}
		}
	}
	return keep, drop
}

// pyFrame reports whether t is the first line of a frame of a traceback. A
// SyntaxError's location has no function and is not one.
func pyFrame(t string) bool {
	t = strings.TrimLeft(t, " ")
	return strings.HasPrefix(t, `File "`) && strings.Contains(t, `", line `) && strings.Contains(t, ", in ")
}

// pyCaret reports whether t only underlines the line before it.
func pyCaret(t string) bool {
	return !lines.Blank(t) && strings.Trim(t, " ^~") == ""
}

// pyTraceHead is how a traceback begins.
const pyTraceHead = "Traceback (most recent call last):"

// pyChained reports whether t joins two tracebacks.
func pyChained(t string) bool {
	return hasPrefix(t, "During handling of the above exception", "The above exception was the direct cause")
}

// pyKey is what a failure says: its message and the last place in the project.
func pyKey(ls []Line) string {
	var b strings.Builder
	place := ""
	for _, l := range ls {
		if frame, own := lines.Frame(l.Text); frame {
			if own {
				place = lines.Location(l.Text)
			}
		} else if !indented(l.Text) && !strings.HasPrefix(l.Text, "ImportError: Failed to import test module: ") { // which names the module
			b.WriteString(l.Text + "\n")
		}
	}
	return b.String() + place
}

// python is the parser for the output of Python programs: tracebacks are
// records, the rest is read like any text.
type python struct {
	text    plainText
	trace   []Line
	ended   bool // the exception's message was there
	reasons reasons
}

const pyTraceMax = 400 // lines of one traceback held

func (p *python) Line(l Line, emit Emit) {
	t := l.Text
	if p.trace != nil {
		p.trace = boundTrace(p.trace, emit)
		switch {
		case !p.ended:
			p.trace = append(p.trace, l)
			p.ended = !lines.Blank(t) && !indented(t) && !strings.HasPrefix(t, pyTraceHead)
			return
		case lines.Blank(t):
			p.trace = append(p.trace, l)
			return
		case pyChained(t), strings.HasPrefix(t, pyTraceHead):
			p.trace, p.ended = append(p.trace, l), pyChained(t)
			return
		case indented(t) && !lines.Blank(p.trace[len(p.trace)-1].Text):
			p.trace = append(p.trace, l) // a message of several lines
			return
		}
		p.flush(emit)
	}
	if strings.HasPrefix(t, pyTraceHead) {
		p.text.Close(emit)
		p.trace = []Line{l}
		return
	}
	p.text.Line(l, emit)
}

func (p *python) flush(emit Emit) {
	keep, drop := thinTrace(p.trace)
	emit(Record{Class: Failure, Key: p.reasons.key(pyKey(keep)), Lines: keep})
	emit.each(Good, drop)
	p.trace, p.ended = nil, false
}

func (p *python) Close(emit Emit) {
	if p.trace != nil {
		p.flush(emit)
	}
	p.text.Close(emit)
}
