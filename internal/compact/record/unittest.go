package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

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
	one := func(c Class, count string) { emit(Record{Class: c, Count: count, Lines: []Line{l}}) }
	switch {
	case pyRow(t, '='):
		p.flush(emit)
		p.border = true
		emit.line(Folded, l)
	case pyRow(t, '-'):
		if len(p.failure) != 1 && len(p.failure) != 2 { // else it is below the test's name
			p.flush(emit)
		}
		emit.line(Folded, l)
	case p.border && hasPrefix(t, "FAIL: ", "ERROR: ", "UNEXPECTED SUCCESS: "):
		_, p.name, _ = strings.Cut(t, ": ")
		p.failure, p.border = []Line{l}, false
	case p.failure != nil:
		p.failure = append(boundTrace(p.failure, emit), l)
	default:
		p.border = false
		p.progress(l, one, emit)
	}
}

// progress takes the lines outside of failures.
func (p *unittest) progress(l Line, one func(Class, string), emit Emit) {
	t := l.Text
	switch {
	case t != "" && strings.Trim(t, ".FEsxu") == "", strings.HasPrefix(t, "test") && strings.HasSuffix(t, ")"),
		hasPrefix(t, "Creating test database ", "Destroying test database "), strings.HasPrefix(t, "Found ") && strings.HasSuffix(t, "test(s)."),
		strings.HasPrefix(t, "System check identified no issues"):
		one(Good, "")
	case t == "ok", strings.HasSuffix(t, " ... ok"):
		one(Good, "passed")
	case strings.Contains(t, " ... skipped "), strings.HasSuffix(t, " ... expected failure"):
		one(Good, "skipped")
	case hasSuffix(t, " ... FAIL", " ... ERROR"), strings.HasPrefix(t, "test") && strings.HasSuffix(t, " ... "):
		one(Good, "") // the failure itself follows at the end
	case strings.HasPrefix(t, "Ran ") && strings.Contains(t, " test"), t == "OK", hasPrefix(t, "OK (", "NO TESTS RAN"):
		one(Keep, "")
	case strings.HasPrefix(t, "FAILED ("):
		one(Failure, "")
	default:
		p.python.Line(l, emit)
	}
}

func (p *unittest) flush(emit Emit) {
	p.python.Close(emit)
	if p.failure == nil {
		return
	}
	keep, drop := thinTrace(p.failure)
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

func (p *unittest) Close(emit Emit) { p.flush(emit) }

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
