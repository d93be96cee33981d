package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// ctest is the parser for CMake's test runner. A test that passed is Good
// with all it printed; of one that failed the line that says so and its
// output are kept, without the single checks in it that passed.
type ctest struct {
	run    map[string][]Line // what tests printed so far under -V, by number: the result comes last
	held   int               // lines in run
	failed bool              // a failed test's output follows: --output-on-failure
	list   bool              // in the list of failed tests at the end
}

const ctestLines = 400 // lines held

func (p *ctest) Line(l Line, emit Emit) {
	s := strings.TrimLeft(l.Text, " ")
	switch {
	case ctestStarts(s):
		p.failed = false
		emit.line(Good, l)
	case ctestResult(s) != "":
		p.result(l, ctestResult(s), emit)
	case strings.HasPrefix(s, "Total Test time "), p.list && strings.HasPrefix(s, "Errors while running CTest"):
		p.failed = false
		emit.line(Folded, l) // the results are there
	case strings.Contains(s, "% tests passed"), hasPrefix(s, "The following tests ", "Errors while running CTest", "No tests were found", "Label Time Summary"):
		p.failed = false
		p.list = strings.HasPrefix(s, "The following tests ")
		emit.line(Keep, l)
	case p.list && indented(l.Text):
		emit.line(Keep, l)
	case p.failed:
		p.output(l, emit)
	case ctestSetup(s), lines.Blank(s), progress(s) != "":
		emit.line(Good, l)
	default:
		p.hold(l, emit)
	}
}

// hold keeps a line until the result of its test is known.
func (p *ctest) hold(l Line, emit Emit) {
	number, ok := ctestNumber(l.Text)
	if !ok {
		emit.line(Body, l)
		return
	}
	if p.held >= ctestLines {
		p.letGo(Noise, emit)
	}
	if p.run == nil {
		p.run = map[string][]Line{}
	}
	p.run[number] = append(p.run[number], l)
	p.held++
}

// ctestNumber returns the number of the test that printed a line under -V.
func ctestNumber(s string) (string, bool) {
	n, _, ok := strings.Cut(s, ":")
	return n, ok && digitsOnly(n)
}

// result takes the line that says how a test ended.
func (p *ctest) result(l Line, result string, emit Emit) {
	_, number, _ := strings.Cut(l.Text, "#")
	number, _, _ = strings.Cut(number, ":")
	run := p.run[number]
	p.held -= len(run)
	delete(p.run, number)
	skipped := hasPrefix(result, "***Not Run (Disabled)", "***Skipped")
	p.failed = !skipped && !strings.HasPrefix(result, "Passed")
	switch {
	case p.failed:
		for _, r := range run {
			p.output(r, emit)
		}
		emit.line(Failure, l)
	case skipped:
		emit.each(Good, run)
		emit.line(Keep, l)
	default:
		emit.each(Good, run)
		emit.count("passed", l)
	}
}

// output takes a line that a failed test printed.
func (p *ctest) output(l Line, emit Emit) {
	s := l.Text
	if n, ok := ctestNumber(s); ok {
		s = strings.TrimPrefix(s[len(n)+1:], " ")
	}
	switch {
	case strings.HasSuffix(s, ":PASS"), hasPrefix(s, "Working Directory: ", "Test timeout computed", "[       OK ]", "[ RUN      ]", "[----------]", "ok "), s == "OK", s == "FAIL", strings.Trim(s, "-= ") == "":
		emit.line(Folded, l) // what failed stays
	case lines.Classify(s) == lines.Failure, strings.Contains(s, ":FAIL"), hasPrefix(s, "[  FAILED  ]", "not ok "):
		emit(Record{Class: Keep, Key: lines.Template(s), Site: lines.Location(s), Lines: []Line{l}})
	default:
		emit.line(Body, l)
	}
}

func (p *ctest) Close(emit Emit) {
	p.letGo(Body, emit)
}

// letGo gives what tests printed that did not end.
func (p *ctest) letGo(c Class, emit Emit) {
	for _, run := range p.run {
		emit.each(c, run)
	}
	p.run, p.held = nil, 0
}

// ctestStarts reports whether s announces a test: "Start  3: parse".
func ctestStarts(s string) bool {
	rest, ok := strings.CutPrefix(s, "Start ")
	if !ok {
		return false
	}
	rest = strings.TrimLeft(rest, " ")
	return rest != "" && isDigit(rest[0]) && strings.Contains(rest, ": ")
}

// ctestResult returns how a test ended, or "": of
// " 3/19 Test  #3: parse ....***Failed    0.00 sec" that is "***Failed".
func ctestResult(s string) string {
	i := strings.Index(s, " Test ")
	if i < 0 || !strings.Contains(s[:i], "/") || strings.Trim(s[:i], "0123456789/ ") != "" || !strings.Contains(s, " sec") {
		return ""
	}
	j := strings.Index(s, " ...")
	if j < 0 {
		j = strings.Index(s, "***")
	}
	if j < 0 {
		return ""
	}
	return strings.TrimSpace(strings.TrimLeft(strings.TrimSuffix(s[j:], " sec"), " ."))
}

// ctestSetup reports whether s is printed before and between tests.
func ctestSetup(s string) bool {
	return hasPrefix(s, "UpdateCTestConfiguration ", "Test project ", "Constructing a list of tests", "Done constructing ", "Updating test list ", "Added ", "Checking test dependency graph", "Internal ctest changing ", "test ")
}
