package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// A pytestFailure is a test's part of the FAILURES or ERRORS section: levels
// of a traceback in pytest's long, short, line or native style, then what the
// test printed.
type pytestFailure struct {
	doctest  bool
	lines    []Line       // to keep: the heading, joins of exceptions, output
	entries  []traceEntry // levels of the open traceback
	entry    pytestEntry
	output   []Line // the last lines of a captured stream
	captured bool
	syntax   bool // a SyntaxError, whose place no import leads to better than itself
	said     []string
}

// A pytestEntry is one level while it is read.
type pytestEntry struct {
	lines []Line
	args  int
	after bool // the line that failed was there
	short bool // the place stood first
	error bool
	place string
}

const (
	pytestArgs     = 4   // arguments kept of a level
	pytestArgLen   = 160 // bytes of one
	pytestDiff     = 24  // lines of a level above which equal lines of a comparison go
	pytestErrors   = 200 // "E" lines held of a level
	pytestEntries  = 100 // levels held: of more, those in the middle go
	pytestOwn      = 3   // own levels kept at either end
	pytestCaptured = 12  // last lines kept of a captured stream
	pytestTold     = 400 // lines remembered of what failures say
)

// failing takes a line of a failure.
func (p *pytest) failing(l Line, emit Emit) {
	f := p.failure
	t := l.Text
	if f == nil { // --tb=line, or the middle of an output
		switch {
		case strings.HasPrefix(t, "/") && lines.HasLocation(t), strings.HasPrefix(t, "E  "):
			emit(Record{Class: Failure, Key: p.reasons.key(t), Lines: []Line{l}})
		default:
			p.python.Line(l, emit)
		}
		return
	}
	if title, ok := pytestTitle(t, '-'); ok && strings.HasPrefix(title, "Captured ") {
		f.endEntry(emit)
		f.endOutput(emit)
		f.captured = true
		f.lines = append(f.lines, l)
		return
	}
	switch {
	case f.captured:
		if f.output = append(f.output, l); len(f.output) > pytestCaptured {
			emit(Record{Class: Noise, Lines: f.output[:1:1]})
			f.output = f.output[1:]
		}
	case lines.Blank(t):
		emit.line(Good, l)
	case f.doctest && len(f.lines) < 60:
		f.lines = append(f.lines, l)
	default:
		f.line(l, emit)
	}
}

// line takes a line of the traceback.
func (f *pytestFailure) line(l Line, emit Emit) {
	t := l.Text
	e := &f.entry
	switch {
	case pytestHint(t):
		emit.line(Folded, l)
	case f.grouped(l, emit):
	case strings.HasPrefix(t, "E ") || t == "E":
		if len(e.lines) >= pytestErrors {
			emit.line(Noise, l)
			return
		}
		e.error = true
		e.lines = append(e.lines, l)
		f.said = append(f.said, strings.TrimSpace(t[1:]))
	case hasPrefix(t, "_ _ _", "[gw"), t == "Traceback:", strings.HasPrefix(t, "Hint: make sure your test modules"), strings.HasPrefix(t, "ImportError while importing test module ") && strings.Contains(f.lines[0].Text, " ERROR collecting "):
		f.endEntry(emit)
		emit.line(Good, l)
	case strings.HasPrefix(t, ">"):
		e.after = true
		e.lines = append(e.lines, l)
	case pytestPlace(t) != "":
		if strings.Contains(t, ": in ") {
			f.endEntry(emit)
			f.entry = pytestEntry{short: true, place: t, lines: []Line{l}}
			return
		}
		e.place = t
		e.lines = append(e.lines, l)
		f.endEntry(emit)
	case strings.HasPrefix(t, pyTraceHead): // below the test's name, or what joins two
		f.endEntry(emit)
		f.endTrace(emit)
		emit.line(Folded, l)
	case pyFrame(t), hasPrefix(t, pyChained...), !indented(t) && !pytestArg(t):
		f.endEntry(emit)
		f.endTrace(emit)
		f.lines = append(boundTrace(f.lines, emit), l)
		if !hasPrefix(t, pyChained...) && !pyFrame(t) {
			f.said = append(f.said, t)
		}
	case e.short && len(e.lines) < 6, e.after && !e.error && len(e.lines) < 10, len(f.lines) > 1 && indented(t) && pyFrame(f.lines[len(f.lines)-1].Text) && len(e.lines) == 0:
		if len(e.lines) == 0 {
			f.lines = append(f.lines, l)
			return
		}
		e.lines = append(e.lines, l)
	case !indented(t) && e.args < pytestArgs && len(t) <= pytestArgLen && !strings.HasPrefix(t, "self = ") && !hasAny(t, " object at 0x", "/pytest-of-"):
		e.args++
		e.lines = append(e.lines, l)
	default:
		emit.line(Folded, l) // the source around the line that failed
	}
}

// grouped takes a line of a group of exceptions, whose trace stands behind bars: what each
// of them says, and where in the project it was raised.
func (f *pytestFailure) grouped(l Line, emit Emit) bool {
	bar := strings.TrimLeft(l.Text, " ")
	if !indented(l.Text) || !hasPrefix(bar, "| ", "+-", "+ Exception Group Traceback") {
		return false
	}
	f.endEntry(emit)
	in, _ := strings.CutPrefix(bar, "| ")
	_, own := lines.Frame(strings.TrimSpace(in))
	if says := in != bar && in != "" && in[0] != ' '; says || own {
		if f.lines = append(f.lines, l); says {
			f.said = append(f.said, in)
		}
		return true
	}
	emit.line(Folded, l)
	return true
}

// endEntry closes the level that is being read.
func (f *pytestFailure) endEntry(emit Emit) {
	e := take(&f.entry)
	if len(e.lines) == 0 {
		return
	}
	if n := pytestSyntax(e.lines); n > 0 { // the place is in the error, the frame only led there
		f.entries = append(f.entries, traceEntry{lines: e.lines[:n:n], own: !hasAny(e.place, pyForeign...)})
		e = pytestEntry{lines: e.lines[n:], place: e.place}
		f.syntax = true
	}
	f.entries = append(f.entries, traceEntry{lines: thinDiff(f.thinLevel(e, emit), emit), own: !hasAny(e.place, pyForeign...)})
	if len(f.entries) >= pytestEntries {
		own := 0
		thin, drop := split(f.entries, func(i int, e traceEntry) bool {
			if e.own {
				own++
			}
			return e.own && own <= pytestOwn || i >= len(f.entries)-pytestOwn
		})
		for _, e := range drop {
			emit.each(Good, e.lines)
		}
		f.entries = thin
	}
}

// pytestSyntax returns how many lines of a level stand above a SyntaxError that
// names its own place, or 0.
func pytestSyntax(ls []Line) int {
	for i, l := range ls {
		if t, ok := strings.CutPrefix(l.Text, "E "); ok {
			if strings.HasPrefix(strings.TrimLeft(t, " "), `File "`) {
				return i
			}
			return 0
		}
	}
	return 0
}

// thinDiff shortens a long comparison to what differs, with a line around it.
func thinDiff(ls []Line, emit Emit) []Line {
	if len(ls) <= pytestDiff {
		return ls
	}
	changed := func(i int) bool {
		if i < 0 || i >= len(ls) {
			return false
		}
		t := strings.TrimLeft(strings.TrimPrefix(ls[i].Text, "E"), " ")
		return t != "" && strings.IndexByte("+-?", t[0]) >= 0
	}
	keep, drop := split(ls, func(i int, l Line) bool {
		return !strings.HasPrefix(l.Text, "E ") || i < pytestDiff/3 || changed(i-1) || changed(i) || changed(i+1)
	})
	emit.each(Good, drop)
	return keep
}

// endTrace moves the levels worth keeping to the failure.
func (f *pytestFailure) endTrace(emit Emit) {
	if f.syntax {
		others, imports := split(f.entries, func(_ int, e traceEntry) bool { return !e.imports() })
		for _, e := range imports {
			emit(Record{Class: Good, Lines: e.lines})
		}
		f.entries = others
	}
	last := 0 // the last level in the project
	for i, e := range f.entries {
		if e.own {
			last = i
		}
	}
	for i := range f.entries[:last] { // of a call in --tb=short its place is enough
		if e := &f.entries[i]; len(e.lines) > 1 && strings.Contains(e.lines[0].Text, ": in ") && indented(e.lines[1].Text) {
			emit.each(Folded, e.lines[1:])
			e.lines = e.lines[:1]
		}
	}
	keep, drop := thinEntries(f.entries, pytestOwn)
	f.lines = append(f.lines, keep...)
	emit.each(Good, drop)
	f.entries = nil
}

func (f *pytestFailure) endOutput(emit Emit) {
	f.endTrace(emit)
	f.lines = append(f.lines, take(&f.output)...)
}

// endFailure emits the open failure.
func (p *pytest) endFailure(emit Emit) {
	f := take(&p.failure)
	if f == nil {
		return
	}
	f.endEntry(emit)
	place := ""
	for _, e := range f.entries {
		for _, l := range e.lines {
			if at := pytestPlace(l.Text); at != "" && e.own {
				place = at
			}
		}
	}
	if f.syntax { // whoever imports the module fails in the same way
		place = ""
	}
	f.endOutput(emit)
	keep, drop := thinTrace(f.lines)
	keep, known := split(keep, func(_ int, l Line) bool { return !p.foreign[l.Text] })
	emit.each(Folded, known)
	for _, l := range keep {
		if pytestPlace(l.Text) != "" && hasAny(l.Text, pyForeign...) {
			p.foreign.add(l.Text, pytestTold)
		}
	}
	rec := Record{Class: Failure, Lines: keep}
	if len(f.said) > 0 {
		said := strings.Join(f.said, "\n") + "\n" + place
		if rec.Key = p.reasons.key(said); rec.Key == said && p.whole < pytestWhole { // else another's text stands for it
			p.whole++
			for _, s := range f.said {
				p.told.add(s, pytestTold)
			}
		}
		rec.Site = p.reasons.where(rec.Key, "", place)
	}
	if title, _ := pytestTitle(keep[0].Text, '_'); !p.keys[rec.Key] && strings.HasPrefix(title, "ERROR collecting ") {
		p.told.add(strings.Replace(title, "collecting ", "", 1), pytestTold)
	}
	p.keys.add(rec.Key, pytestTold)
	emit(rec)
	emit.each(Good, drop)
}

// thinLevel leaves out of a level what its error says as well: the import that
// failed, and a comparison of two values that the assertion shows.
func (f *pytestFailure) thinLevel(e pytestEntry, emit Emit) []Line {
	var minus, plus, assertion string
	imports, pairs := false, 0
	full, cut := len(e.lines), -1 // where the whole diff begins, and where pytest cuts it
	for i, l := range e.lines {
		t, ok := strings.CutPrefix(l.Text, "E ")
		if !ok {
			continue
		}
		t = strings.TrimLeft(t, " ")
		imports = imports || hasPrefix(t, "ModuleNotFoundError: ", "ImportError: ")
		switch {
		case t == "Full diff:":
			full = i
		case strings.HasPrefix(t, "...Full output truncated ("):
			cut = i
		case strings.Contains(t, "assert ") && assertion == "":
			assertion = t
		case strings.HasPrefix(t, "- "):
			minus, pairs = strings.TrimSpace(t[2:]), pairs+1
		case strings.HasPrefix(t, "+ "):
			plus, pairs = strings.TrimSpace(t[2:]), pairs+1
		}
	}
	shown := func(v string) bool {
		return v != "" && hasAny(assertion+" ", "'"+v+"'", `"`+v+`"`, " "+v+" ")
	}
	same := pairs == 2 && shown(minus) && shown(plus)
	keep, drop := split(e.lines, func(i int, l Line) bool {
		t := strings.TrimLeft(strings.TrimPrefix(l.Text, "E "), " ")
		switch error := strings.HasPrefix(l.Text, "E "); {
		case full <= i && i <= cut, error && t == "Full diff:", error && t == "", error && t == "comparison failed", error && hasPrefix(t, "Obtained: ", "Expected: ") && shown(strings.TrimSpace(t[len("Obtained: "):])):
			return false
		case error && same && hasPrefix(t, "- ", "+ ") && !strings.HasPrefix(t, "+  "):
			return false
		case !error && imports && indented(l.Text) && hasPrefix(t, "from ", "import "):
			return false
		}
		return true
	})
	emit.each(Folded, drop)
	return keep
}

// pytestHint reports whether t is what pytest says of how a comparison is shown,
// or points into it, or says what object has a method that it named.
func pytestHint(t string) bool {
	t, ok := strings.CutPrefix(t, "E ")
	if !ok {
		return false
	}
	t = strings.TrimLeft(t, " ")
	switch {
	case strings.HasPrefix(t, "? "):
		return strings.Trim(t, "?+-^ ") == ""
	case hasPrefix(t, "Omitting ", "Skipping "):
		return strings.Contains(t, " identical ") && strings.Contains(t, ", use -v")
	case strings.HasPrefix(t, "+"):
		return strings.HasPrefix(strings.TrimLeft(t[1:], " "), "where <bound method ") && strings.Contains(t, " object at 0x")
	}
	return t == "Use -v to get more diff" || t == "Use -v to get the full diff"
}

// pytestPlace returns the place a line names as pytest does, at its start:
// "tests/a.py:51: Failed" gives "tests/a.py:51".
func pytestPlace(t string) string {
	if indented(t) || strings.HasPrefix(t, "E ") {
		return ""
	}
	for i := 0; i < len(t); i++ {
		if t[i] != ':' {
			continue
		}
		n := i + 1
		for n < len(t) && t[n] >= '0' && t[n] <= '9' {
			n++
		}
		if n > i+1 && n < len(t) && t[n] == ':' && (strings.HasSuffix(t[:i], ".py") || strings.HasPrefix(t, "<") || strings.Contains(t[:i], "/")) {
			return t[:n]
		}
	}
	return ""
}

// pytestArg reports whether t shows an argument's value: "value = 5, expect = 'x'".
func pytestArg(t string) bool {
	name, _, ok := strings.Cut(t, " = ")
	name = strings.TrimRight(name, " ") // locals are aligned
	return ok && name != "" && !strings.ContainsAny(name, " :/(")
}

// pyForeign is in a place outside of the project.
var pyForeign = words{"site-packages/", "dist-packages/", "/lib/python", "<frozen ", "<string>", "<attrs generated"}
