package record

import (
	"slices"
	"strings"
)

// nodeSpec reads the spec and dot reporters of node --test. By its source
// (lib/internal/test_runner/reporter/spec.js): a tree with marks, in older
// versions with each error below its test; totals as "ℹ pass 12"; then
// "✖ failing tests:" with every failure in full, and where the test stands.
type nodeSpec struct {
	jsRun
	column int // where the mark of a fault in the tree stands; -1 in the list
	inTree []*jsFault
	held   int  // lines of those
	list   bool // the list of failures has begun
	told   set
}

func (p *nodeSpec) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	switch {
	case t == "✖ failing tests:", t == "Failed tests:":
		p.endFault(emit)
		p.dropTree(Good, emit)
		p.list = true
		emit.line(Good, l)
		return
	case p.list && strings.HasPrefix(l.Text, "test at "):
		p.endFault(emit)
		p.fault, p.column = &jsFault{head: []Line{l}, file: strings.TrimPrefix(l.Text, "test at ")}, -1
		return
	case p.list && strings.HasPrefix(l.Text, "✖ "):
		if p.fault == nil || len(p.fault.body) > 0 || len(p.fault.head) > 1 {
			p.endFault(emit)
			p.fault, p.column = &jsFault{}, -1
		}
		p.fault.head = append(p.fault.head, l)
		return
	case p.fault != nil && !p.fault.full() && p.continues(l.Text, t):
		p.fault.add(l)
		return
	}
	p.endFault(emit)
	if p.around(l, emit) || p.total(l, t, emit) || p.row(l, t, emit) {
		return
	}
	p.other(l, emit)
}

// continues reports whether a line belongs to the open fault: in the list all
// do, below a test of the tree those that stand further in.
func (p *nodeSpec) continues(s, t string) bool {
	if p.column < 0 {
		_, ok := (&scriptLines{}).class(s)
		return !ok
	}
	return t == "" || leading(s) > p.column && !nodeRow(t)
}

func nodeRow(t string) bool {
	mark, _, _ := strings.Cut(t, " ")
	return oneOf(mark, "✔", "✖", "▶", "﹣", "⚠")
}

func (p *nodeSpec) row(l Line, t string, emit Emit) bool {
	switch {
	case strings.HasPrefix(t, "✖ "):
		p.fault, p.column = &jsFault{head: []Line{l}}, leading(l.Text)
	case nodeRow(t):
		emit.count("passed", l)
	case len(t) > 3 && strings.Trim(t, ".X") == "":
		emit.line(Good, l)
	default:
		return false
	}
	return true
}

// total takes the lines that sum up a run.
func (p *nodeSpec) total(l Line, t string, emit Emit) bool {
	rest, ok := strings.CutPrefix(t, "ℹ ")
	if !ok {
		return false
	}
	class, ok := nodeTotal(rest)
	if ok {
		emit.line(class, l)
	}
	return ok
}

// nodeTotal is what node's line of totals is worth, in either reporter.
func nodeTotal(s string) (Class, bool) {
	name, n, ok := strings.Cut(s, " ")
	if !ok || strings.Trim(n, "0123456789. ") != "" {
		return Body, false
	}
	n = strings.TrimSpace(n)
	switch name {
	case "tests", "suites", "pass", "fail", "ok":
		return Keep, true
	case "cancelled", "skipped", "skip", "todo":
		return Keep.unless(n == "0", Folded), true
	case "duration_ms":
		return Folded, true
	}
	return Body, false
}

// endFault gives a fault of the list out, and keeps one of the tree back: the
// list tells it again. A mark without an error is a suite whose tests failed.
func (p *nodeSpec) endFault(emit Emit) {
	switch f := take(&p.fault); {
	case f == nil:
	case f.excused():
		emitGood(f, emit)
	case p.column < 0:
		if p.told[f.head[len(f.head)-1].Text] {
			emitGood(f, emit)
			return
		}
		p.faults.emit(f, &p.lead, emit)
	default:
		p.inTree = append(p.inTree, f)
		if p.held += 1 + len(f.body); p.held > jsBody {
			p.dropTree(Failure, emit)
		}
	}
}

// excused reports whether a fault is no failure of its own: a test marked as
// to do, or a suite whose tests failed.
func (f *jsFault) excused() bool {
	todo := func(l Line) bool {
		return strings.HasPrefix(l.Text, "✖ ") && strings.Contains(l.Text, " # TODO") || strings.Contains(l.Text, "ms) # TODO")
	}
	says := func(l jsLine) bool { return l.part == partMessage && !strings.HasSuffix(l.Text, " failed'") }
	return slices.ContainsFunc(f.head, todo) ||
		len(f.body) > 0 && strings.Contains(f.body[0].Text, " subtest") && !slices.ContainsFunc(f.body, says)
}

// dropTree empties what was kept back: Good when the list has come.
func (p *nodeSpec) dropTree(class Class, emit Emit) {
	for _, f := range p.inTree {
		if class == Good {
			emitGood(f, emit)
			continue
		}
		p.told.add(strings.TrimSpace(f.head[0].Text), jsKeys)
		p.faults.emit(f, &p.lead, emit)
	}
	p.inTree, p.held = nil, 0
}

func emitGood(f *jsFault, emit Emit) {
	emit(Record{Class: Good, Lines: f.lines(), Count: f.count})
}

func (p *nodeSpec) Close(emit Emit) {
	p.endFault(emit)
	p.dropTree(Failure, emit)
	p.close(emit)
}

// mocha reads the spec, list, dot and min reporters of mocha. By its source
// (reporters/base.js): a tree or dots while it runs, then the totals, then
// every failure as "N) suite … title:", message, diff and stack. Of the
// message only the first line is indented, so that a failure goes on up to
// the next number.
type mocha struct {
	jsRun
	listing bool  // the list of failures has begun
	first   *Line // it may have, with this line: the totals above it were cut off
	suites  []Line
}

func (p *mocha) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	class, total := mochaTotal(l.Text, t)
	if first := take(&p.first); first != nil {
		if title := strings.TrimSpace(first.Text); leading(l.Text) > 4 && !enumerated(t) && mochaMark(t) == "" {
			p.listing = true
			p.begin(&jsFault{head: []Line{*first}, titled: strings.HasSuffix(title, ":")}, emit)
		} else {
			p.row(*first, title, emit)
		}
	}
	switch {
	case !p.listing && leading(l.Text) == 2 && enumerated(t):
		p.endFault(emit)
		p.first = &l
		return
	case total:
		p.endFault(emit)
		p.endSuites(false, emit)
		p.listing = p.listing || strings.HasSuffix(t, " failing")
		emit.line(class, l)
		return
	case p.listing && leading(l.Text) == 2 && enumerated(t):
		p.begin(&jsFault{head: []Line{l}, titled: strings.HasSuffix(t, ":")}, emit)
		return
	case p.fault != nil && !p.fault.full() && !p.ends(l.Text):
		p.inFault(l, t)
		return
	case strings.HasPrefix(t, "Exception during run: "):
		p.begin(faultOf(l), emit)
		p.fault.titled = true
		return
	}
	p.endFault(emit)
	if p.around(l, emit) || p.row(l, t, emit) {
		return
	}
	p.endSuites(false, emit)
	p.other(l, emit)
}

// ends reports whether s is the first line behind the list of failures.
func (p *mocha) ends(s string) bool {
	if strings.HasPrefix(s, "-----") && strings.Contains(s, "|") {
		return true // a coverage table
	}
	_, ok := (&scriptLines{}).class(s)
	return ok
}

func (p *mocha) inFault(l Line, t string) {
	f := p.fault
	if !f.titled && t != "" && leading(l.Text) > 4 && len(f.head) < 12 {
		f.head, f.titled = append(f.head, l), strings.HasSuffix(t, ":")
		return
	}
	f.titled = f.titled || t != ""
	f.add(l)
}

// mochaTotal takes "  12 passing (3s)", "  1 pending" and "  2 failing".
func mochaTotal(s, t string) (Class, bool) {
	n, rest, ok := strings.Cut(t, " ")
	if !ok || leading(s) != 2 || strings.Trim(n, "0123456789") != "" {
		return Body, false
	}
	word, took, _ := strings.Cut(rest, " ")
	if took != "" && !strings.HasPrefix(took, "(") {
		return Body, false
	}
	return Keep, oneOf(word, "passing", "pending", "failing")
}

// enumerated reports whether t begins as a failure does: "12) ".
func enumerated(t string) bool { return numberBefore(t, ") ") }

// numberBefore reports whether t is a number up to what ends it.
func numberBefore(t, end string) bool {
	n, _, ok := strings.Cut(t, end)
	return ok && digitsOnly(n)
}

// row takes a line of the tree, or of dots. A suite's title cannot be told
// from what the tested code prints until a row stands below and further in.
func (p *mocha) row(l Line, t string, emit Emit) bool {
	if t == "" {
		emit.line(Good, l)
		return true
	}
	mark := mochaMark(t)
	switch {
	case leading(l.Text) < 2:
		return false
	case mark != "" && mark != "-" || mark == "-" && leading(l.Text) >= 4:
		p.endSuites(p.under(l), emit)
		emit.count("passed", l)
	case enumerated(t):
		p.endSuites(p.under(l), emit)
		p.holdRow(l, emit)
	case strings.Trim(t, ".!,․") == "":
		emit.line(Good, l)
	default:
		if !p.under(l) || len(p.suites) > 20 {
			p.endSuites(false, emit)
		}
		p.suites = append(p.suites, l)
	}
	return true
}

// mochaMark is what stands before a test that did not fail, or "".
func mochaMark(t string) string {
	if mark, _, _ := strings.Cut(t, " "); oneOf(mark, "✔", "✓", "√", "-") {
		return mark
	}
	return ""
}

// under reports whether l stands further in than the suite above it.
func (p *mocha) under(l Line) bool {
	n := len(p.suites)
	return n == 0 || leading(l.Text) == leading(p.suites[n-1].Text)+2
}

func (p *mocha) endSuites(are bool, emit Emit) {
	for _, l := range take(&p.suites) {
		if are {
			emit.line(Good, l)
		} else {
			p.other(l, emit)
		}
	}
}

func (p *mocha) Close(emit Emit) {
	p.endFault(emit)
	if first := take(&p.first); first != nil {
		p.row(*first, strings.TrimSpace(first.Text), emit)
	}
	p.endSuites(false, emit)
	p.close(emit)
}
