package record

import (
	"maps"
	"slices"
	"strings"

	"cairn/internal/compact/lines"
)

// cargoTest is the parser for cargo test, doc tests included, and cargo
// nextest. What stands outside of the tests is the compiler's.
type cargoTest struct {
	rustc   rustc
	failure []Line // a failed test's output
	name    string
	list    bool     // in the second "failures:", the list of names
	passed  bool     // in "successes:", the output of tests that passed (--show-output)
	targets bool     // below "error: 2 targets failed:"
	passes  []Record // since the last result, which counts them
	ok      []Line   // results of binaries that passed: of no interest once one failed
	failed  bool
	named   set             // failed tests named so far
	results map[string]Line // of failed tests whose output may follow
	told    set             // failed tests whose output names them
	places  set             // of panics so far
	reasons reasons
}

const (
	rustTestMax  = 400 // lines of one failed test's output held
	rustOKMax    = 200 // results of passed binaries that are named
	rustNamedMax = 1000
	rustOutput   = 20 // lines kept of what a test printed before its panic
)

func (p *cargoTest) Line(l Line, emit Emit) {
	s := strings.TrimSpace(l.Text)
	rec := Record{Class: Good, Lines: []Line{l}}
	if p.failure != nil && !p.ends(s) {
		emit.hold(&p.failure, rustTestMax, Noise, l)
		return
	}
	p.flush(emit)
	if p.list {
		if leading(l.Text) >= 4 && !strings.HasPrefix(s, "test result: ") {
			emit.line(Folded, l) // named at its result already
			return
		}
		p.list = lines.Blank(l.Text)
	}
	if p.targets = p.targets && strings.HasPrefix(s, "`"); p.targets {
		emit.line(Folded, l)
		return
	}
	status, name := rustResult(s)
	switch {
	case status == "passed", status == "ignored":
		rec.Count = status
		p.pass(rec, emit)
		return
	case status == "FAILED":
		p.failed = true
		if p.fails(&rec, name); rec.Class == Failure && strings.HasPrefix(s, "test ") && len(p.results) < rustTestMax {
			p.rustc.Close(emit)
			p.hold(name, l, emit)
			return
		}
	case status == "bench":
		rec.Class = Keep
	case strings.HasPrefix(s, "---- ") && strings.HasSuffix(s, " ----"), strings.HasPrefix(s, "--- STD") && strings.HasSuffix(s, " ---"):
		p.failure, p.name = []Line{l}, rustTestName(s)
		return
	case strings.HasPrefix(s, "thread '") && strings.Contains(s, " panicked at "):
		p.failure, p.name = []Line{l}, strings.SplitN(s, "'", 3)[1]
		return
	case s == "failures:", s == "successes:":
		rec.Class = Folded
		p.list, p.passed = true, s == "successes:"
	case rustDots(s) && p.rustc.block == nil: // within a diagnostic they stand for source that is not shown
	case strings.HasPrefix(s, "test result: "):
		p.endPasses(true, emit)
		p.endResults(emit)
		switch {
		case !strings.HasPrefix(s, "test result: ok"):
			p.passed, p.failed = false, true
			rec.Class = Failure.unless(indented(l.Text), Good) // nextest runs a binary for each test
		case len(p.ok) < rustOKMax:
			p.ok = append(p.ok, l)
			return
		}
	case strings.HasPrefix(s, "running ") && hasSuffix(s, " tests", " test"),
		strings.HasPrefix(s, "Running ") && strings.HasSuffix(s, ")"), strings.HasPrefix(s, "Doc-tests "):
		p.pass(rec, emit)
		return
	case strings.HasPrefix(s, "note: run with `RUST_BACKTRACE="):
		rec.Class = Folded
	case strings.HasSuffix(s, "has been running for over 60 seconds"),
		strings.HasPrefix(s, "Finished "), rustBorder(s), rustStep(s):
	case strings.HasPrefix(s, "warning: `") && strings.Contains(s, " generated "):
		rec.Class = Folded // the warnings are told
	case strings.HasPrefix(s, "Summary ["):
		p.endPasses(true, emit)
		rec.Class = Keep
	case strings.HasPrefix(s, "error: ") && strings.HasSuffix(s, " failed:"):
		p.targets, rec.Class = true, Failure.unless(p.failed, Folded)
	case strings.HasPrefix(s, "process didn't exit successfully"):
		rec.Class = Failure
	default:
		p.rustc.Line(l, emit)
		return
	}
	p.rustc.Close(emit)
	emit(rec)
}

// pass takes a passed test, or a line above the tests of a binary.
func (p *cargoTest) pass(rec Record, emit Emit) {
	p.rustc.Close(emit)
	if p.passes = append(p.passes, rec); len(p.passes) >= rustTestMax {
		p.endPasses(false, emit)
	}
}

// endPasses lets go of the passed tests: a result that counts them stands for
// them.
func (p *cargoTest) endPasses(counted bool, emit Emit) {
	for _, rec := range take(&p.passes) {
		if counted {
			rec.Class, rec.Count = Folded, ""
		}
		emit(rec)
	}
}

// hold keeps the result of a failed test until its output says the same.
func (p *cargoTest) hold(name string, l Line, emit Emit) {
	name = strings.TrimSuffix(name, " - should panic")
	if p.told[name] {
		emit.line(Folded, l)
		return
	}
	if p.results == nil {
		p.results = map[string]Line{}
	}
	p.results[name] = l
}

// tell notes that a kept record names a failed test.
func (p *cargoTest) tell(rec Record, emit Emit) {
	if !strings.Contains(joined(rec.Lines), rec.Site) {
		return
	}
	p.told.add(rec.Site, rustNamedMax)
	if l, ok := p.results[rec.Site]; ok {
		emit.line(Folded, l)
		delete(p.results, rec.Site)
	}
}

// endResults gives the results of tests that had no output.
func (p *cargoTest) endResults(emit Emit) {
	left := slices.Collect(maps.Values(take(&p.results)))
	slices.SortFunc(left, func(a, b Line) int { return a.N - b.N })
	emit.each(Failure, left)
}

// fails classifies the line that names a failed test: the first one for it
// stays.
func (p *cargoTest) fails(rec *Record, name string) {
	if p.named[name] || indented(rec.Lines[0].Text) && strings.HasPrefix(strings.TrimSpace(rec.Lines[0].Text), "test ") {
		return
	}
	p.named.add(name, rustNamedMax)
	rec.Class = Failure
}

// ends reports whether s cannot be part of a failed test's output.
func (p *cargoTest) ends(s string) bool {
	if status, _ := rustResult(s); status != "" {
		return true
	}
	return s == "failures:" || s == "successes:" || hasPrefix(s, "test result: ", "error: test failed", "error: doctest failed") || strings.HasPrefix(s, "---- ") && strings.HasSuffix(s, " ----") ||
		hasPrefix(s, "--- STD", "Summary [") || rustBorder(s) || rustStep(s) ||
		strings.HasPrefix(s, "thread '") && strings.Contains(s, " panicked at ") && p.panicked()
}

// panicked reports whether the open output has its panic already.
func (p *cargoTest) panicked() bool { return slices.ContainsFunc(p.failure, panics) }

func panics(l Line) bool { return strings.Contains(l.Text, " panicked at ") }

// flush emits a failed test's output: the last lines before the panic, its
// message, and the own frames of its backtrace.
func (p *cargoTest) flush(emit Emit) {
	f := take(&p.failure)
	if f == nil {
		return
	}
	if p.passed {
		emit(Record{Class: Good, Lines: f})
		return
	}
	panicAt := max(slices.IndexFunc(f, panics), 0)
	rec := Record{Class: Failure, Site: p.name}
	var said strings.Builder
	place := ""
	for i := 0; i < len(f); i++ {
		s := strings.TrimSpace(f[i].Text)
		switch {
		case i == 0 && panicAt > 0, s == "", hasPrefix(s, "note: run with `RUST_BACKTRACE=", "note: Some details are omitted"):
			emit.line(Folded, f[i])
		case panicAt > rustOutput && i < panicAt-rustOutput:
			emit.line(Noise, f[i])
		case s == "stack backtrace:":
			frames, n := rustFrames(f[i+1:])
			most := rustOwn
			if p.places[place] {
				most = 1 // another stack to the same place
			}
			keep, drop := thinEntries(frames, most)
			emit.line(Folded, f[i])
			for j, l := range keep {
				at, placed := strings.CutPrefix(strings.TrimLeft(l.Text, " "), "at ")
				switch {
				case placed && strings.HasSuffix("/"+place, "/"+strings.TrimPrefix(at, "./")+":"), !placed && j+1 < len(keep) && strings.HasPrefix(strings.TrimLeft(keep[j+1].Text, " "), "at "):
					emit.line(Folded, l) // the panic's place, or a function whose place is given
					continue
				case placed:
					l.Text = "  at " + at
				}
				rec.Lines = append(rec.Lines, l)
			}
			leaveFrames(drop, emit)
			i += n
		default:
			if i >= panicAt {
				_, at, cut := strings.Cut(s, " panicked at ")
				if !cut {
					at = s
				}
				if i == panicAt {
					place = at
				}
				said.WriteString(at + "\n")
			}
			rec.Lines = append(rec.Lines, f[i])
		}
	}
	if len(rec.Lines) > 0 {
		rec.Key = p.reasons.key(said.String())
		p.places.add(place, rustNamedMax)
		p.failed = true
		emit(rec)
		p.tell(rec, emit)
	}
}

func (p *cargoTest) Close(emit Emit) {
	p.flush(emit)
	p.rustc.Close(emit)
	p.endPasses(false, emit)
	p.endResults(emit)
	for _, l := range p.ok {
		emit(Record{Class: Keep.unless(p.failed, Good), Key: "test result: ok", Site: rustCounts(l.Text), Lines: []Line{l}})
	}
	*p = cargoTest{}
}

// rustCounts is what the result of a binary counts: "3 passed 1 ignored 0.35s" of
// "test result: ok. 3 passed; 0 failed; 1 ignored; finished in 0.35s".
func rustCounts(s string) string {
	_, s, _ = strings.Cut(s, ". ")
	var counts []string
	for i, count := range strings.Split(s, "; ") {
		if count = strings.TrimPrefix(count, "finished in "); i == 0 || !hasPrefix(count, "0 ", "0.00s") {
			counts = append(counts, count)
		}
	}
	return strings.Join(counts, " ")
}

// rustResult reads a test's result: "test a::b ... ok" of the built-in
// harness, "PASS [   0.003s] crate a::b" of nextest.
func rustResult(s string) (status, name string) {
	if rest, ok := strings.CutPrefix(s, "test "); ok {
		i := strings.LastIndex(rest, " ... ")
		if i < 0 {
			return "", ""
		}
		m, _ := rustResults.mark(rest[i+5:])
		return m.key, rest[:i]
	}
	if name, ok := strings.CutSuffix(s, " --- FAILED"); ok { // --quiet
		return "FAILED", name
	}
	verb, rest, ok := strings.Cut(s, " [")
	if !ok {
		return "", ""
	}
	if _, name, ok = strings.Cut(rest, "] "); !ok {
		return "", ""
	}
	if strings.HasPrefix(name, "(") {
		_, name, _ = strings.Cut(name, ") ")
	}
	if f := strings.Fields(verb); len(f) == 3 && f[0] == "TRY" {
		verb = f[2]
	}
	m, _ := nextestResults.mark(verb)
	return m.key, name
}

var rustResults = forms{
	{key: "passed", is: words{"ok"}},
	{key: "passed", start: words{"ok <"}},
	{key: "FAILED", start: words{"FAILED"}},
	{key: "ignored", start: words{"ignored"}},
	{key: "bench", start: words{"bench: "}},
}

var nextestResults = forms{
	{key: "passed", is: words{"PASS", "LEAK", "FLAKY"}},
	{key: "ignored", is: words{"SKIP"}},
	{key: "FAILED", is: words{"FAIL", "TIMEOUT", "ABORT", "SIGKILL", "SIGSEGV", "SIGABRT", "SIGTERM", "XFAIL", "LKFAIL"}},
}

// rustTestName returns the test whose output a heading begins: "---- a::b
// stdout ----", "--- STDERR:   crate a::b ---".
func rustTestName(s string) string {
	f := strings.Fields(strings.Trim(s, "- "))
	if len(f) == 0 {
		return ""
	}
	if strings.HasPrefix(f[0], "STD") {
		return strings.Join(f[1:], " ")
	}
	return strings.TrimSuffix(strings.Trim(s, "- "), " stdout")
}

// rustDots reports whether s is progress as --quiet shows it: "..i.. 87/120".
func rustDots(s string) bool {
	dots, count, _ := strings.Cut(s, " ")
	return dots != "" && strings.Trim(dots, ".iF") == "" && strings.Trim(count, "0123456789/ ") == ""
}

// rustBorder reports whether s is one of nextest's rules.
func rustBorder(s string) bool {
	return strings.HasPrefix(s, "────") || (strings.HasPrefix(s, "stdout ─") || strings.HasPrefix(s, "stderr ─") || strings.HasPrefix(s, "output ─"))
}

// rustStep reports whether s is a step of nextest.
func rustStep(s string) bool {
	return strings.HasPrefix(s, "Nextest run ID ") || strings.HasPrefix(s, "Starting ") && strings.Contains(s, " across ") ||
		hasPrefix(s, "SLOW [", "START ", "Cancelling due to ", "Canceling due to ")
}

// rustOwn is how many own frames are kept at either end of a backtrace.
const rustOwn = 3

// rustFrames reads a backtrace from its first frame, "   0: function" and
// perhaps "             at file:3:5", and returns how many lines it has.
func rustFrames(ls []Line) (frames []traceEntry, n int) {
	fn, inner := "", false
	for n < len(ls) {
		s := strings.TrimSpace(ls[n].Text)
		switch {
		case s != "" && isDigit(s[0]) && strings.Contains(s, ": "):
			caller := fn
			_, fn, _ = strings.Cut(s, ": ")
			inner = fn == caller+"::{{closure}}" // the harness calls a test so
			frames = append(frames, traceEntry{lines: ls[n : n+1 : n+1], own: !inner && !hasPrefix(fn, rustForeignFn...)})
		case strings.HasPrefix(s, "at ") && len(frames) > 0:
			f := &frames[len(frames)-1]
			f.lines = append(f.lines, ls[n])
			f.own = !inner && !hasAny(s, rustForeignFile...)
		default:
			return rustTrim(frames), n
		}
		n++
	}
	return rustTrim(frames), n
}

// leaveFrames lets go of frames: those of the runtime, and of the closure a
// test is called by, stand in every backtrace.
func leaveFrames(drop []Line, emit Emit) {
	class := Good
	for _, l := range drop {
		s := strings.TrimLeft(l.Text, " ")
		if _, fn, ok := strings.Cut(s, ": "); ok && isDigit(s[0]) {
			class = Good.unless(hasPrefix(fn, rustForeignFn...) || strings.HasSuffix(fn, "::{{closure}}"), Folded)
		}
		emit.line(class, l)
	}
}

// rustTrim makes the frame that is last one of the project's, since the first
// frames of a test's thread say nothing.
func rustTrim(frames []traceEntry) []traceEntry {
	last := -1
	for i, f := range frames {
		if f.own {
			last = i
		}
	}
	if last < 0 || last == len(frames)-1 {
		return frames
	}
	rest := traceEntry{}
	for _, f := range frames[last+1:] {
		rest.lines = append(rest.lines, f.lines...)
	}
	// What follows the last own frame goes before it: order is restored by
	// the lines' numbers, and only the last entry is kept unasked.
	return append(append(frames[:last:last], rest), frames[last])
}

var rustForeignFile = words{"/rustc/", "/.cargo/", "/.rustup/", "/library/std/", "/library/core/", "/library/alloc/", "/library/test/"}

var rustForeignFn = words{"std::", "core::", "alloc::", "test::", "__rust", "rust_", "_rust_", "<", "_start", "start_thread", "clone", "__libc", "main", "_main", "__GI"}
