package record

import (
	"encoding/json"
	"fmt"
	"strings"

	"cairn/internal/compact/lines"
)

// goTest is the parser for go test, plain or verbose; events of -json go
// through goEvents. A test's output comes before its result when verbose and
// below it when not, so it is held until the result is known.
type goTest struct {
	test     string     // whose output the next lines are, when verbose
	head     []Line     // the "=== RUN" line that said so
	held     pending    // output of tests without a result yet
	parents  []goResult // failed tests whose failed subtests may follow
	below    bool       // the next lines may be the last result's output
	good     bool       // and that result was not a failure
	ok       []Line     // packages that passed: of no interest once one failed
	failed   bool
	unbuilt  int    // packages that did not build
	faulty   set    // and those the compiler had messages for
	fuzz     *Line  // the last progress line of a fuzz test
	diag     []Line // a compiler's message, which indented lines may continue
	stack    goStack
	singles  singles
	reasons  reasons
	messages reasons // of the tests that failed, for themselves
	events   *goEvents
}

// A goResult is a "--- FAIL" line with the test's output.
type goResult struct {
	name   string
	indent int
	result Line
	lines  []Line
	parent bool // a subtest failed
	died   bool // a panic follows
}

const (
	goHoldTest = 200  // output lines held of one test: the last ones
	goHoldAll  = 4096 // and of all together
	goLongTest = 20   // lines of a failed test's output above which it is thinned
	goLongHead = 5    // to the first lines
	goLongTail = 10   // and the last
	goUnbuilt  = 3    // packages that did not build kept on lines of their own
	goOKMax    = 200  // passed packages that are named
)

func (p *goTest) Line(l Line, emit Emit) {
	if isGoEvent(l.Text) {
		if p.events == nil {
			p.events = newGoEvents()
		}
		p.events.line(l, emit)
		return
	}
	p.line(l, emit)
}

func (p *goTest) line(l Line, emit Emit) {
	if p.stack.line(l, emit) {
		if n := len(p.parents); n > 0 && p.below && !p.good {
			p.parents[n-1].died = true
		}
		p.below = false
		return
	}
	t := l.Text
	if p.diag != nil && strings.HasPrefix(t, "\t") {
		p.diag = append(p.diag, l)
		return
	}
	p.endDiag(emit)
	switch verb, name := goMark(t); verb {
	case "":
	case "===":
		p.below = false
		emit.block(Good, &p.head)
		if p.head, p.test = p.singles.of(l), name; strings.HasPrefix(t, "=== PAUSE") {
			p.test = "" // the next lines are not its output
		}
		return
	default:
		p.result(l, verb, name, emit)
		return
	}
	switch {
	case p.below && indented(t) && p.attach(l, emit):
	case hasPrefix(t, "ok  \t", "FAIL\t", "?   \t"), strings.HasPrefix(t, "\t") && strings.Contains(t, "\tcoverage: "):
		p.endPackage(l, emit)
	case p.below && !p.good && p.exampleFailed() && t != "FAIL" && t != "PASS":
		r := &p.parents[len(p.parents)-1] // "got:" and "want:" with the output below
		r.lines = append(r.lines, l)
	case p.banner(l, emit):
	case p.test != "":
		p.hold(l, emit)
	case goDiagnostic(t):
		p.diag, p.failed = []Line{l}, true
	default:
		p.below = false
		emit.line(Body, l)
	}
}

// banner takes the lines that are neither a test's nor a compiler's.
func (p *goTest) banner(l Line, emit Emit) bool {
	if strings.HasPrefix(l.Text, "fuzz: elapsed: ") {
		emit.held(Good, &p.fuzz)
		p.fuzz = &l
		return true
	}
	m, known := goBanners.mark(l.Text)
	if known {
		if m.class == Keep && strings.HasPrefix(l.Text, "Benchmark") {
			l.Text = strings.Join(strings.Fields(l.Text), " ") // the columns are padded
		}
		if f := strings.Fields(l.Text); strings.HasPrefix(l.Text, "# ") && len(f) > 1 {
			p.faulty.add(f[1], goOKMax)
		}
		p.below = false
		emit(m.record(l))
	}
	return known
}

var goBanners = forms{
	{class: Folded, is: words{"FAIL", raceBorder}}, // the lines of tests and packages say which
	{class: Good, is: words{"PASS", "=== Failed", "exit status 1"}},
	{class: Good, start: words{"✓  ", "∅  ", "PASS ", "coverage: ", "goos: ", "goarch: ", "pkg: ", "cpu: ", "go: downloading ", "go: finding ", "go: extracting "}},
	{class: Keep, start: words{"Benchmark"}, has: words{" ns/op"}},
	{class: Keep, start: words{"DONE ", "✖  "}}, // gotestsum
	{class: Keep, key: sameLine, start: words{"testing: warning: ", "# "}},
	{class: Failure, start: words{"exit status ", "signal: ", "*** Test killed"}},
}

// endDiag emits a compiler's message: the same one comes again for a package
// and for its test.
func (p *goTest) endDiag(emit Emit) {
	if diag := take(&p.diag); diag != nil {
		emit(Record{Class: Failure, Key: diag[0].Text, Lines: diag})
	}
}

// hold keeps a line of the running test's output.
func (p *goTest) hold(l Line, emit Emit) {
	if p.held.n >= goHoldAll {
		for _, name := range p.held.names() {
			p.release(name, Noise, emit)
		}
	}
	if head := take(&p.head); head != nil {
		p.held.add(p.test, head...)
	}
	if ls := p.held.of[p.test]; len(ls) >= goHoldTest {
		emit(Record{Class: Noise, Lines: ls[:1:1]})
		p.held.of[p.test] = ls[1:]
		p.held.n--
	}
	p.held.add(p.test, l)
}

// release emits what is held of a test.
func (p *goTest) release(name string, class Class, emit Emit) {
	if ls := p.held.take(name); ls != nil {
		emit(Record{Class: class, Lines: ls})
	}
}

// result takes the line that tells how a test ended.
func (p *goTest) result(l Line, verb, name string, emit Emit) {
	emit.block(Good, &p.head)
	if verb != "FAIL" {
		count := ""
		switch verb {
		case "PASS":
			count = "passed"
		case "SKIP":
			count = "skipped"
		}
		emit(Record{Class: Good, Count: count, Lines: p.singles.of(l)})
		p.release(name, Good, emit)
		p.below, p.good = true, true
		return
	}
	p.failed = true
	for n := len(p.parents); n > 0 && !strings.HasPrefix(name, p.parents[n-1].name+"/"); n-- {
		p.pop(emit)
	}
	for i := range p.parents {
		p.parents[i].parent = true
	}
	held := p.held.take(name)
	r := goResult{name: name, indent: leading(l.Text), result: l}
	for _, h := range held {
		if verb, _ := goMark(h.Text); verb == "" {
			r.lines = append(r.lines, h)
		} else {
			emit.line(Folded, h) // the result says whose output it is
		}
	}
	p.parents = append(p.parents, r)
	p.below, p.good = true, false
}

// attach adds a line below a result to it.
func (p *goTest) attach(l Line, emit Emit) bool {
	if p.good || len(p.parents) == 0 {
		if p.test != "" {
			return false // verbose: it is the running test's
		}
		emit.line(Good, l)
		return true
	}
	r := &p.parents[len(p.parents)-1]
	if leading(l.Text) < r.indent+4 && !strings.HasPrefix(l.Text, "\t") {
		return false
	}
	emit.hold(&r.lines, goHoldTest, Noise, l)
	return true
}

// exampleFailed reports whether the last result is an example's, which shows
// its output at the left edge.
func (p *goTest) exampleFailed() bool {
	n := len(p.parents)
	return n > 0 && strings.HasPrefix(p.parents[n-1].name, "Example") && len(p.parents[n-1].lines) < goHoldTest
}

// pop emits the last failed test. One that failed only because a subtest did
// is kept if it is the outermost.
func (p *goTest) pop(emit Emit) {
	n := len(p.parents) - 1
	r := p.parents[n]
	p.parents = p.parents[:n]
	switch {
	case len(r.lines) > 0:
		p.emitFailed(r, emit)
	case r.indent == 0, r.died:
		emit.line(Failure, r.result)
	case r.parent:
		emit.line(Good, r.result)
	default:
		emit(Record{Class: Failure, Key: "failed without a message", Site: r.name, Lines: []Line{r.result}})
	}
}

// thinOutput splits a failed test's output, if it is long, into its two ends
// and what the test said itself, each statement twice, and the rest.
func thinOutput(ls []Line) (keep, drop []Line) {
	if len(ls) <= goLongTest {
		return ls, nil
	}
	said := map[string]int{}
	message := -1 // indentation of the message that goes on
	return split(ls, func(i int, l Line) bool {
		depth := leading(l.Text)
		wanted := i < goLongHead || i >= len(ls)-goLongTail
		switch {
		case goMessageLine(l.Text):
			t := lines.Template(l.Text)
			said[t]++
			wanted = wanted || said[t] <= 2
			message = -1
			if wanted {
				message = depth
			}
		case message >= 0 && depth > message:
			wanted = true
		default:
			message = -1
		}
		return wanted
	})
}

// endTests emits what is still held of a binary's tests. A test that never
// came to a result was running when the binary died.
func (p *goTest) endTests(died bool, emit Emit) {
	p.stack.close(emit)
	p.endDiag(emit)
	emit.block(Good, &p.head)
	for len(p.parents) > 0 {
		p.pop(emit)
	}
	for _, name := range p.held.names() {
		class := Good.unless(died, Noise)
		p.release(name, class.unless(died && name == p.test, Failure), emit)
	}
	p.test, p.below = "", false
}

// endPackage takes the line that tells how a package ended.
func (p *goTest) endPackage(l Line, emit Emit) {
	bad := strings.HasPrefix(l.Text, "FAIL")
	p.endTests(bad, emit)
	switch {
	case bad:
		p.failed = true
		rec := Record{Class: Failure, Lines: []Line{l}}
		if f := strings.Fields(l.Text); strings.HasSuffix(l.Text, "[build failed]") && len(f) > 1 {
			if p.faulty[f[1]] {
				p.unbuilt++
			} else { // it only imports one that is
				p.unbuilt = max(p.unbuilt, 1)
			}
			rec.Site, rec.Key = f[1], fmt.Sprint("build failed ", min(p.unbuilt, goUnbuilt))
		}
		emit(rec)
	case strings.HasPrefix(l.Text, "ok") && len(p.ok) < goOKMax:
		p.ok = append(p.ok, l)
	default:
		emit.line(Good, l)
	}
}

func (p *goTest) Close(emit Emit) {
	if p.test != "" { // the output ends in this test: it hangs, or the rest was cut off
		emit.block(Keep, &p.head)
	}
	p.endTests(true, emit)
	emit.held(Keep, &p.fuzz)
	if p.events != nil {
		p.events.close(emit)
	}
	emit.each(Keep.unless(p.failed, Good), goPackages(p.ok, emit))
	*p = goTest{}
}

// The forms of go test's lines.

// goMark reads the lines testing marks: "=== RUN   Name" gives "===" and the
// name, "    --- FAIL: Name (0.00s)" gives "FAIL" and the name.
func goMark(t string) (verb, name string) {
	if strings.HasPrefix(t, "=== ") {
		if name, ok := strings.CutPrefix(t, "=== RUN   "); ok && name != "" && strings.IndexByte(name, ' ') < 0 && strings.IndexByte(name, '\t') < 0 {
			return "===", name // nearly all: without a list of words
		}
		f := strings.Fields(t)
		if len(f) >= 4 && (f[1] == "FAIL:" || f[1] == "SKIP:") {
			return f[1][:4], f[3] // gotestsum: "=== FAIL: package Name (0.00s)"
		}
		if len(f) == 3 && oneOf(f[1], "RUN", "CONT", "NAME", "PAUSE") {
			return "===", f[2]
		}
		return "", ""
	}
	rest, ok := strings.CutPrefix(strings.TrimLeft(t, " "), "--- ")
	if !ok {
		return "", ""
	}
	verb, name, ok = strings.Cut(rest, ": ")
	if !ok || !oneOf(verb, "PASS", "FAIL", "SKIP", "BENCH") {
		return "", ""
	}
	name, _, _ = strings.Cut(name, " (")
	return verb, name
}

// goDiagnostic reports whether t is a message of the compiler, vet or go
// itself.
func goDiagnostic(t string) bool {
	if hasPrefix(t, "go: ", "too many errors", "note: module requires Go") ||
		strings.HasPrefix(t, "package ") && strings.Contains(t, ": ") {
		return true
	}
	t = strings.TrimPrefix(t, "vet: ")
	i := strings.Index(t, ".go:")
	return i > 0 && !indented(t) && !strings.Contains(t[:i], " ") && i+4 < len(t) && t[i+4] >= '0' && t[i+4] <= '9'
}

// goMessageLine reports whether t is what a test said itself, by t.Log or
// t.Error: "    file_test.go:12: …".
func goMessageLine(t string) bool {
	s := strings.TrimLeft(t, " ")
	i := strings.Index(s, ".go:")
	return len(s) < len(t) && i > 0 && !strings.Contains(s[:i], " ") || lines.Classify(t) >= lines.Trouble
}

// goEvents reads go test -json. Each package gets a parser of its own, since
// their events are mixed; it sees the text that an event carries, and what it
// emits is the event.
type goEvents struct {
	packages map[string]*goTest
	names    []string
}

const goPackagesMax = 512

func newGoEvents() *goEvents {
	return &goEvents{packages: map[string]*goTest{}}
}

// isGoEvent reports whether t is an event as "go doc test2json" has them.
func isGoEvent(t string) bool {
	return strings.HasPrefix(t, `{"`) && strings.HasSuffix(t, "}") && strings.Contains(t, `"Action":"`)
}

func (e *goEvents) line(l Line, emit Emit) {
	var ev struct{ Action, Package, ImportPath, Test, Output string }
	if json.Unmarshal([]byte(l.Text), &ev) != nil {
		emit.line(Body, l)
		return
	}
	if ev.Action != "output" && ev.Action != "build-output" {
		emit.line(Good, l) // the output says it as well
		return
	}
	name := ev.Package + ev.ImportPath
	p := e.packages[name]
	if p == nil {
		if len(e.packages) >= goPackagesMax {
			emit.line(Body, l)
			return
		}
		p = &goTest{}
		e.packages[name] = p
		e.names = append(e.names, name)
	}
	if verb, _ := goMark(ev.Output); verb == "" && p.stack.state == goIdle {
		p.test = ev.Test
	}
	l.Text = strings.TrimSuffix(ev.Output, "\n") // what surrounds it says nothing that the text does not
	p.line(l, emit)
}

func (e *goEvents) close(emit Emit) {
	failed := false
	for _, p := range e.packages {
		failed = failed || p.failed
	}
	for _, name := range e.names {
		p := e.packages[name]
		p.failed = failed
		p.Close(emit)
	}
}
