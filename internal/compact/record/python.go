package record

import (
	"slices"
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
			rest := e.lines
			if len(entries)-total == 1 && pytestPlace(rest[0].Text) != "" { // the only one that is not: its place says through what
				keep, rest = append(keep, rest[0]), rest[1:]
			}
			drop = append(drop, rest...)
			continue
		}
		k, d := split(e.lines, func(_ int, l Line) bool { return !pyCaret(l.Text) })
		keep, drop = append(keep, k...), append(drop, d...)
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

// pyChained begins a line that joins two tracebacks.
var pyChained = words{"During handling of the above exception", "The above exception was the direct cause"}

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
	text    guess
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
		case lines.Blank(t), indented(t) && !lines.Blank(p.trace[len(p.trace)-1].Text): // a message of several lines
			p.trace = append(p.trace, l)
			return
		case hasPrefix(t, pyChained...), strings.HasPrefix(t, pyTraceHead):
			p.trace, p.ended = append(p.trace, l), hasPrefix(t, pyChained...)
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

// unittest is the parser for Python's unittest and the runners that print
// like it (Django's, nose2's).
type unittest struct {
	failure []Line // from "FAIL: …" on
	name    string
	border  bool // the last line was a row of "="
	python  python
	reasons reasons
}

func (p *unittest) Line(l Line, emit Emit) {
	t := l.Text
	switch {
	case pyRow(t, '='):
		p.Close(emit)
		p.border = true
		emit.line(Folded, l)
	case pyRow(t, '-'):
		if len(p.failure) != 1 && len(p.failure) != 2 { // else it is below the test's name
			p.Close(emit)
		}
		emit.line(Folded, l)
	case p.border && hasPrefix(t, "FAIL: ", "ERROR: ", "UNEXPECTED SUCCESS: "):
		_, p.name, _ = strings.Cut(t, ": ")
		p.failure, p.border = []Line{l}, false
	case p.failure != nil:
		p.failure = append(boundTrace(p.failure, emit), l)
	default:
		p.border = false
		m, known := unittestForms.mark(t)
		if !known {
			p.python.Line(l, emit)
			return
		}
		emit(m.record(l))
	}
}

// unittestForms are the lines outside of failures.
var unittestForms = forms{
	{class: Good, only: ".FEsxu"},
	{class: Good, start: words{"test"}, end: words{")", " ... "}},
	{class: Good, start: words{"Creating test database ", "Destroying test database ", "System check identified no issues"}},
	{class: Good, start: words{"Found "}, end: words{"test(s)."}},
	{class: Good, count: "passed", is: words{"ok"}},
	{class: Good, count: "passed", end: words{" ... ok"}},
	{class: Good, count: "skipped", has: words{" ... skipped "}},
	{class: Good, count: "skipped", end: words{" ... expected failure"}},
	{class: Good, end: words{" ... FAIL", " ... ERROR"}}, // the failure itself follows at the end
	{class: Keep, start: words{"Ran "}, has: words{" test"}},
	{class: Keep, is: words{"OK"}},
	{class: Keep, start: words{"OK (", "NO TESTS RAN"}},
	{class: Failure, start: words{"FAILED ("}},
}

func (p *unittest) Close(emit Emit) {
	p.python.Close(emit)
	if p.failure == nil {
		return
	}
	keep, drop := thinTrace(thinUnequal(p.failure, emit))
	if len(keep) > 1 && keep[1].Text == pyTraceHead { // below the test's name
		emit.line(Folded, keep[1])
		keep = append(keep[:1], keep[2:]...)
	}
	key, place := p.reasons.key(pyKey(keep[1:])), ""
	for _, l := range keep {
		if at := lines.Location(l.Text); at != "" {
			place = at
		}
	}
	emit(Record{Class: Failure, Key: key, Site: p.reasons.where(key, pyName(p.name), place), Lines: keep})
	emit.each(Good, drop)
	p.failure = nil
}

// thinUnequal leaves out of a failure the pointers into a diff, and a diff of two
// values that the message has: "AssertionError: [1] != [2]".
func thinUnequal(ls []Line, emit Emit) []Line {
	message := slices.IndexFunc(ls, func(l Line) bool {
		return strings.HasPrefix(l.Text, "AssertionError: ") && strings.Contains(l.Text, " != ")
	})
	if message < 0 {
		return ls
	}
	var minus, plus []string
	for _, l := range ls[message:] {
		if side, ok := strings.CutPrefix(l.Text, "- "); ok {
			minus = append(minus, side)
		} else if side, ok := strings.CutPrefix(l.Text, "+ "); ok {
			plus = append(plus, side)
		}
	}
	same := len(minus) == 1 && len(plus) == 1 && strings.Contains(ls[message].Text, minus[0]+" != "+plus[0])
	keep, drop := split(ls, func(i int, l Line) bool {
		return i < message || !(strings.HasPrefix(l.Text, "? ") && strings.Trim(l.Text, "?+-^ ") == "" || same && hasPrefix(l.Text, "- ", "+ "))
	})
	emit.each(Folded, drop)
	return keep
}

// pyName is the shortest form of a test's name that says it all: since Python
// 3.11 "test_a (m.T.test_a)" has it twice.
func pyName(name string) string {
	test, full, ok := strings.Cut(name, " (")
	full = strings.TrimSuffix(full, ")")
	if ok && strings.HasSuffix(full, "."+test) {
		return full
	}
	return name
}

// pyRow reports whether t is a rule of 70 times c, as unittest draws them.
func pyRow(t string, c byte) bool {
	return len(t) == 70 && t[0] == c && strings.Trim(t, string(c)) == "" && !lines.Blank(t)
}
