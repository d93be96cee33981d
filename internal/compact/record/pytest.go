package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// pytest is the parser for pytest: progress in dots or a line a test, with or
// without xdist, then titled sections for failures, warnings and summaries.
type pytest struct {
	section  string
	failure  *pytestFailure
	held     []Line // a verbose run's failed tests, if no summary names them again
	running  []Line // a test's line that has no result yet, and what it prints
	warning  []Line // the open entry of the warnings
	internal []Line // "INTERNALERROR>" lines
	failed   int    // lines of the summary that name a failed test
	told     set    // what failures that are shown say, and files that could not be collected
	keys     set    // of failures that are shown
	whole    int    // of them, those of which all lines are
	foreign  set    // places outside of the project that are shown
	python   python
	reasons  reasons
}

// the sections of the output, by their titles
const (
	pytestProgress = ""
	pytestFailures = "failures"
	pytestWarnings = "warnings"
	pytestSummary  = "summary"
	pytestCoverage = "coverage"
	pytestPasses   = "passes"
	pytestOther    = "other"
)

var pytestTitles = forms{
	{class: Folded, key: pytestFailures, is: words{"FAILURES", "ERRORS"}},
	{class: Good, key: pytestWarnings, start: words{"warnings summary"}},
	{class: Good, key: pytestPasses, is: words{"PASSES"}},
	{class: Folded, key: pytestSummary, is: words{"short test summary info"}},
	{class: Good, key: pytestProgress, is: words{"test session starts"}},
	{class: Good, key: pytestCoverage, start: words{"tests coverage"}},
	{class: Keep, key: pytestOther, test: pytestTotals},
	{class: Body, key: pytestOther, start: words{"slowest "}},
	{class: Good, key: pytestOther},
}

const (
	pytestHeld  = 200 // failed tests held
	pytestLive  = 100 // lines held of a test that prints (-s, live logs)
	pytestNamed = 50  // failed tests named on lines of their own whatever they say
	pytestWhole = 30  // failures of which all lines are shown
)

func (p *pytest) Line(l Line, emit Emit) {
	t := strings.TrimRight(l.Text, " ")
	if title, ok := pytestTitle(t, '='); ok {
		p.end(emit)
		m, _ := pytestTitles.mark(title)
		p.section = m.key
		emit.line(m.class, l)
		return
	}
	switch total := pytestTotals(t); {
	case strings.HasPrefix(t, "INTERNALERROR>"):
		p.internalError(l, emit)
		return
	case total, strings.HasPrefix(t, "!!!"):
		p.end(emit)
		if total {
			p.section = pytestOther
		}
		emit.line(Keep, l)
		return
	}
	if strings.Contains(t, " coverage: platform ") && strings.Trim(t[:3], "-_") == "" {
		p.end(emit)
		p.section = pytestCoverage
	}
	if p.section != pytestSummary && hasPrefix(t, "FAILED ", "ERROR ") && strings.Contains(t, ".py::") { // its heading is elsewhere
		p.end(emit)
		p.section = pytestSummary
	}
	switch p.section {
	case pytestFailures:
		if title, ok := pytestTitle(t, '_'); ok {
			p.endFailure(emit)
			p.failure = &pytestFailure{doctest: strings.HasPrefix(title, "[doctest]"), lines: []Line{l}}
			return
		}
		p.failing(l, emit)
	case pytestWarnings:
		p.warn(l, emit)
	case pytestSummary:
		p.summary(l, t, emit)
	case pytestCoverage:
		class, _ := pytestRows.class(t)
		emit.line(class, l)
	case pytestPasses:
		emit.line(Good, l)
	default:
		if !p.live(l, t, emit) {
			p.progress(l, t, emit)
		}
	}
}

// live takes the line of a test that has no result on it, what the test
// prints, and the result on a line of its own. Of a test that failed the last
// lines are kept.
func (p *pytest) live(l Line, t string, emit Emit) bool {
	status, _, _ := strings.Cut(t, " ")
	switch {
	case p.running != nil && oneOf(status, pytestWord...):
		rec := Record{Class: Good.unless(status == "FAILED" || status == "ERROR", Failure), Lines: append(p.running, l)}
		if p.running = nil; status == "PASSED" {
			rec.Count = "passed"
		}
		emit(rec)
	case pytestStatus(t) != "" || pytestDots(t):
		emit.block(Good, &p.running)
		return false
	case strings.Contains(status, ".py::"): // a test's id
		emit.block(Good, &p.running)
		p.running = []Line{l}
	case p.running != nil:
		if len(p.running) >= pytestLive {
			emit(Record{Class: Noise, Lines: p.running[1:2:2]})
			p.running = append(p.running[:1:1], p.running[2:]...)
		}
		p.running = append(p.running, l)
	default:
		return false
	}
	return true
}

// progress takes the lines of a run before its first section, and those of
// sections that have no form of their own.
func (p *pytest) progress(l Line, t string, emit Emit) {
	rec := Record{Class: Good, Lines: []Line{l}}
	switch status := pytestStatus(t); {
	case status == "PASSED", status == "SUBPASS":
		rec.Count = "passed"
	case oneOf(status, "FAILED", "ERROR", "SUBFAIL"):
		if len(p.held) < pytestHeld {
			p.held = append(p.held, l)
			return
		}
		rec.Class = Noise
	case status != "":
	case strings.HasPrefix(t, "ImportError while loading conftest"):
		p.end(emit)
		p.section = pytestFailures
		p.failure = &pytestFailure{lines: []Line{l}}
		return
	default:
		pytestForms.or(&p.python, l, t, emit)
		return
	}
	p.python.Close(emit)
	emit(rec)
}

var pytestForms = forms{
	{class: Good, test: pytestDots},
	{class: Good, start: words{"platform ", "cachedir: ", "rootdir: ", "plugins: ", "configfile: ", "testpaths: ", "hypothesis profile ", "asyncio: ", "anyio: ",
		"Using --randomly-seed", "benchmark: ", "django: ", "metadata: ", "created: ", "scheduling tests via ", "-- Docs: ",
		"Coverage XML written", "Coverage HTML written", "Coverage JSON written", "Coverage LCOV written", "Required test coverage of ", "gw0 "}},
	{class: Good, has: words{" workers ["}, end: words{"]"}},
	{class: Good, start: words{"collected ", "collecting "}},
	{class: Failure, start: words{"ERROR: ", "FAIL Required test coverage"}},
}

// summary takes a line of the short test summary.
func (p *pytest) summary(l Line, t string, emit Emit) {
	rec := Record{Class: Body.unless(strings.HasPrefix(t, "PASSED "), Good), Lines: []Line{l}}
	if hasPrefix(t, "FAILED ", "ERROR ", "SUBFAIL") {
		emit.all(Good, &p.held)
		rec.Class = Keep.unless(p.told[t], Folded)
		if id, reason, ok := strings.Cut(t, " - "); ok && p.says(reason) {
			rec.Lines[0].Text = id
		}
		if p.failed++; p.failed > pytestNamed {
			id, reason, _ := strings.Cut(t, " - ")
			_, rec.Site, _ = strings.Cut(id, " ")
			rec.Key = "summary " + p.reasons.key(reason)
		}
	}
	emit(rec)
}

// says reports whether a failure that is shown says this reason, of which the
// summary may have no more than the beginning.
func (p *pytest) says(reason string) bool {
	if p.told[reason] {
		return true
	}
	begin, ok := strings.CutSuffix(reason, "...")
	if begin = strings.TrimRight(begin, "."); !ok || begin == "" {
		return false
	}
	for said := range p.told {
		if strings.HasPrefix(said, begin) {
			return true
		}
	}
	return false
}

// pytestRows are the lines of the table of coverage: files that are fully
// covered say nothing.
var pytestRows = forms{
	{class: Keep, start: words{"TOTAL "}},
	{class: Failure, start: words{"FAIL "}},
	{class: Good, has: words{" 100%", " coverage: platform "}},
	{class: Good, only: "-"},
	{class: Good, is: words{""}},
	{class: Keep, start: words{"Name "}},
}

// warn takes a line of the warnings: which tests, then indented the place,
// the warning and the source.
func (p *pytest) warn(l Line, emit Emit) {
	switch {
	case lines.Blank(l.Text):
		p.endWarning(emit)
		emit.line(Good, l)
	case strings.HasPrefix(l.Text, "  ") && len(p.warning) < 3:
		p.warning = append(p.warning, l)
	default:
		emit.line(Good, l)
	}
}

func (p *pytest) endWarning(emit Emit) {
	if ls := take(&p.warning); ls != nil {
		emit(Record{Class: Warn, Key: lines.Template(ls[0].Text), Lines: ls})
	}
}

// internalError keeps both ends of what pytest prints when it breaks itself.
func (p *pytest) internalError(l Line, emit Emit) {
	if len(p.internal) >= 12 {
		emit(Record{Class: Noise, Lines: p.internal[4:5:5]})
		p.internal = append(p.internal[:4:4], p.internal[5:]...)
	}
	p.internal = append(p.internal, l)
}

// end ends whatever is open.
func (p *pytest) end(emit Emit) {
	emit.block(Good, &p.running)
	p.python.Close(emit)
	p.endFailure(emit)
	p.endWarning(emit)
	emit.block(Failure, &p.internal)
}

func (p *pytest) Close(emit Emit) {
	emit.block(Body, &p.running) // the run was cut off in it
	p.end(emit)
	emit.each(Failure, p.held)
	*p = pytest{}
}

// The forms of pytest's lines.

// pytestTitle reads a heading: "==== FAILURES ====" with c '='.
func pytestTitle(t string, c byte) (title string, ok bool) {
	if len(t) < 8 || t[0] != c || t[len(t)-1] != c {
		return "", false
	}
	title = strings.Trim(t, string(c))
	if len(title) < 3 || title[0] != ' ' || title[len(title)-1] != ' ' || c == '_' && strings.HasPrefix(title, " _") {
		return "", false
	}
	return strings.TrimSpace(title), true
}

// pytestTotals reports whether t is the last line's text: "7 failed, 140
// passed in 0.27s".
func pytestTotals(t string) bool {
	if strings.HasPrefix(t, "no tests ran in ") {
		return true
	}
	if t == "" || t[0] < '0' || t[0] > '9' || !strings.Contains(t, " in ") {
		return false
	}
	f := strings.Fields(t)
	return oneOf(strings.TrimSuffix(f[1%len(f)], ","), "passed", "failed", "error", "errors", "skipped", "deselected", "xfailed", "xpassed", "warning", "warnings", "rerun")
}

// pytestStatus returns how a test ended from its verbose line: "a.py::b
// PASSED [ 3%]" or, with xdist, "[gw0] [ 3%] PASSED a.py::b".
func pytestStatus(t string) string {
	if !strings.Contains(t, "::") && !strings.HasPrefix(t, "[gw") {
		return ""
	}
	if strings.HasPrefix(t, "[gw") {
		for _, f := range strings.Fields(t) {
			if oneOf(f, pytestWord...) {
				return f
			}
		}
		return ""
	}
	if strings.HasSuffix(t, "]") { // the percentage
		if i := strings.LastIndexByte(t, '['); i > 0 && strings.Contains(t[i:], "%") {
			t = strings.TrimRight(t[:i], " ")
		}
	}
	for _, w := range [...]string{" SKIPPED (", " XFAIL (", " XPASS ("} { // a reason: "SKIPPED (no driver)"
		if strings.HasSuffix(t, ")") && strings.Index(t, w) > 0 {
			return strings.Trim(w, " (")
		}
	}
	if i := strings.LastIndexByte(t, ' '); i > 0 && oneOf(t[i+1:], pytestWord...) {
		return t[i+1:]
	}
	return ""
}

var pytestWord = words{"PASSED", "FAILED", "ERROR", "SKIPPED", "XFAIL", "XPASS", "RERUN", "SUBPASS", "SUBFAIL", "SUBSKIP"}

// pytestDots reports whether t is progress: "tests/a.py ..F.s [ 18%]".
func pytestDots(t string) bool {
	rest := t
	if i := strings.LastIndexByte(t, '['); i >= 0 && strings.HasSuffix(t, "%]") {
		rest = strings.TrimRight(t[:i], " ")
	}
	if i := strings.LastIndexByte(rest, ' '); i > 0 {
		if !strings.Contains(rest[:i], ".") || strings.Contains(rest[:i], " ") {
			return false
		}
		rest = rest[i+1:]
	}
	return rest != "" && strings.Trim(rest, ".FEsxXR✓✗") == "" || strings.HasSuffix(t, "%]") && rest == ""
}
