package reader

import (
	"cmp"
	"strings"

	"cairn/internal/team/live"
	"cairn/internal/team/result"
)

// goPackage is one run of a package's tests.
type goPackage struct {
	path        string
	tests       map[string]*goTest // the latest of each name
	order       []*goTest
	tries       map[string]int // how often a name began
	output      strings.Builder
	ended       bool
	failed      bool
	failedBuild string
	elapsed     float64
}

// goTest is one run of a test or subtest.
type goTest struct {
	name     string
	try      int
	parent   *goTest
	children bool
	bad      bool   // a test under it failed or did not end
	action   string // how it ended; "" it did not
	elapsed  float64
	output   strings.Builder
	timedOut bool
	figures  figures
}

func (p *goPackage) event(e *goEvent) {
	switch e.Action {
	case "output":
		keep(&p.output, e.Output)
	case "pass", "fail", "skip":
		p.ended, p.failed, p.failedBuild, p.elapsed = true, e.Action == "fail", e.FailedBuild, e.Elapsed
	}
}

// test returns the test that an event is about. A test that begins again is
// another one: -count repeats names.
func (p *goPackage) test(e *goEvent) *goTest {
	t := p.tests[e.Test]
	if t != nil && !(e.Action == "run" && t.action != "") {
		return t
	}
	p.tries[e.Test]++
	t = &goTest{name: e.Test, try: p.tries[e.Test]}
	// A subtest's own name may hold slashes: its parent is the nearest that ran.
	for i := strings.LastIndexByte(e.Test, '/'); i >= 0 && t.parent == nil; i = strings.LastIndexByte(e.Test[:i], '/') {
		t.parent = p.tests[e.Test[:i]]
	}
	if t.parent != nil {
		t.parent.children = true
	}
	p.tests[e.Test] = t
	p.order = append(p.order, t)
	return t
}

func (t *goTest) event(e *goEvent) {
	switch e.Action {
	case "output":
		t.line(e.Output)
	case "attr":
		t.figures.set(e.Key, e.Value)
	case "pass", "fail", "skip":
		t.action, t.elapsed = e.Action, e.Elapsed
	}
}

// line keeps what a test printed, without what testing prints around it. Before
// Go 1.25 had t.Attr, a test could only log: t.Log("eval.score=0.85").
func (t *goTest) line(out string) {
	bare := strings.TrimLeft(out, " ")
	if strings.HasPrefix(bare, "=== ") || strings.HasPrefix(bare, "--- ") {
		return
	}
	if strings.HasPrefix(out, "panic: test timed out after") {
		t.timedOut = true
	}
	figures := false
	if strings.Contains(bare, "eval.") {
		for _, word := range strings.Fields(bare) {
			pair, ok := strings.CutPrefix(word, "eval.")
			if key, value, isPair := strings.Cut(pair, "="); ok && isPair && known(key) {
				t.figures.set(key, value)
				figures = true
			}
		}
	}
	if !figures {
		keep(&t.output, out)
	}
}

// status settles how a test ended. One that did not end was not judged; nor was
// one that only the clock stopped.
func (t *goTest) status() result.Status {
	switch {
	case t.action == "pass":
		return result.Pass
	case t.action == "skip":
		return result.Skip
	case t.action == "fail" && !t.timedOut:
		return result.Fail
	}
	return result.Error
}

// results lists a package's cases. A test with subtests is none of its own,
// its subtests are, unless it failed although all of them are fine.
func (p *goPackage) results(s *goStream, c *collector) (list []result.Result) {
	for _, t := range p.order {
		if status := t.status(); status == result.Fail || status == result.Error {
			for up := t.parent; up != nil; up = up.parent {
				up.bad = true
			}
		}
	}
	bad := false
	for _, t := range p.order {
		status := t.status()
		wrong := status == result.Fail || status == result.Error
		bad = bad || wrong
		if t.children && (!wrong || t.bad) {
			continue
		}
		r := result.Result{Suite: p.path, Name: t.name, DurationMS: max(0, t.elapsed*1000), Attempt: attempt(t.try)}
		r.Set(status)
		if status == result.Skip {
			t.figures.say("skip_reason", t.output.String())
		}
		t.figures.apply(&r, c)
		switch status {
		case result.Fail:
			r.Failures = []result.Failure{{Message: t.why()}}
		case result.Error:
			r.Error = t.why()
		}
		list = append(list, r)
	}
	switch {
	case !p.ended:
		c.warn("the stream ends before package %s did", oneLine(p.path, 80))
		if !bad {
			list = append(list, p.broken("the stream ends before the package did"))
		}
	case p.failed && p.failedBuild != "":
		list = append(list, p.broken(live.DoesNotBuild(s.compiler(p.failedBuild), p.failedBuild)))
	case p.failed && !bad:
		why := p.output.String()
		if b := s.builds[p.path]; b != nil {
			why = live.DoesNotBuild(b.String(), p.path)
		}
		list = append(list, p.broken(why))
	}
	return list
}

func (s *goStream) compiler(path string) string {
	if b := s.builds[path]; b != nil {
		return b.String()
	}
	return ""
}

// broken is the result of a package that as a whole could not be tested.
func (p *goPackage) broken(why string) result.Result {
	p.tries[""]++
	r := result.Result{Suite: p.path, Name: cmp.Or(p.path, "(package)"), DurationMS: max(0, p.elapsed*1000), Attempt: attempt(p.tries[""])}
	broke(&r, message(why))
	return r
}

// attempt is the number of a repeat; the first try needs none.
func attempt(try int) int {
	if try > 1 {
		return try
	}
	return 0
}

// why is what a test printed. A panic in a subtest is printed under its parent.
func (t *goTest) why() string {
	own := message(t.output.String())
	for up := t.parent; up != nil && t.action == "fail" && !strings.Contains(own, "panic: "); up = up.parent {
		printed := up.output.String()
		if i := strings.Index(printed, "panic: "); i >= 0 && (i == 0 || printed[i-1] == '\n') {
			return message(own + "\n" + printed[i:])
		}
	}
	switch {
	case t.action == "" && own == "":
		return "did not end"
	case t.action == "":
		return message("did not end: " + own)
	case own == "":
		return "failed without a message"
	}
	return own
}
