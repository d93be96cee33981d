package record

import "strings"

// playwright reads the list, line and dot reporters of Playwright's test
// runner: each distinct failure, errors outside of tests, the totals. By its
// source (reporters/base.ts): a failure is a numbered title, then a message,
// a code frame and a stack for each error and for each retry; in the end the
// failed tests are listed once more.
type playwright struct {
	jsRun
	context bool // an error's context was named: the others are beside it
	listed  bool // in the list that ends the run
}

func (p *playwright) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	class, told := playwrightLine(t)
	code, _ := jsCode(l.Text)
	switch {
	case p.mark(l, emit):
		return
	case enumerated(t) && strings.Contains(t, " › ") && leading(l.Text) <= 4:
		_, title, _ := strings.Cut(t, ") ")
		p.begin(&jsFault{head: []Line{l}, file: playwrightPlace(title)}, emit)
		return
	case strings.HasPrefix(t, "Retry #") && p.fault != nil:
		p.begin(&jsFault{head: []Line{l}, file: p.fault.file}, emit)
		return
	case numbered(t) || playwrightPlace(l.Text) != "" && strings.Contains(t, " › ") && !indented(l.Text):
		p.tell(Good, l, emit)
		return
	case told:
		p.listed = class == Keep
		p.tell(class, l, emit)
		return
	case p.fault != nil && !p.fault.full() && (!p.fault.bare || t == "" || code || indented(l.Text)):
		p.inFault(l, t, emit)
		return
	}
	p.endFault(emit)
	switch {
	case t == "":
		emit.line(Folded, l)
	case p.around(l, emit), p.row(l, t, emit):
	case thrown(t) && !indented(l.Text):
		p.fault = faultOf(l)
		p.fault.bare = true
	default:
		p.other(l, emit)
	}
}

// numbered reports whether t begins as progress does: "[3/46] ".
func numbered(t string) bool {
	n, ok := strings.CutPrefix(t, "[")
	n, _, end := strings.Cut(n, "] ")
	done, all, slash := strings.Cut(n, "/")
	return ok && end && slash && digitsOnly(done) && digitsOnly(all)
}

// playwrightPlace returns the place in "[chromium] › a.spec.js:5:3 › title".
func playwrightPlace(title string) string {
	for _, part := range strings.Split(title, " › ") {
		if file, at := splitColon(part); at != "" {
			return file + at
		}
	}
	return ""
}

// splitColon cuts "a.js:5:3" before ":5:3"; at is "" when there is no place.
func splitColon(s string) (file, at string) {
	if n := placeEnd(s + " "); n == len(s) {
		i := strings.IndexByte(s, ':')
		return s[:i], s[i:]
	}
	return s, ""
}

// playwrightLine knows the lines that open and close a run.
func playwrightLine(t string) (Class, bool) {
	if class, known := playwrightForms.class(t); known {
		return class, true
	}
	n, rest, ok := strings.Cut(t, " ")
	if !ok || !digitsOnly(n) {
		return Body, false
	}
	what, took, _ := strings.Cut(rest, " (")
	return Keep, (took == "" || strings.HasSuffix(took, ")")) && oneOf(what, "passed", "failed", "flaky", "skipped", "interrupted", "did not run",
		"error was not a part of any test, see above for details", "errors were not a part of any test, see above for details")
}

var playwrightForms = forms{
	{class: Good, start: words{"Running "}, test: func(t string) bool { return strings.Contains(t, " using ") && strings.Contains(t, " worker") }},
	{class: Good, start: words{"To open last HTML report run:", "npx playwright show-report", "Serving HTML report at ", "Slow test file: ", "Consider running tests from slow files", "Consider splitting slow test files", "::notice title="}},
	{class: Good, start: words{"|"}, has: words{"% of "}},                 // playwright install
	{class: Good, start: words{"Downloading "}, has: words{" from http"}}, // and this
}

func (p *playwright) inFault(l Line, t string, emit Emit) {
	switch {
	case t == "":
		emit.line(Folded, l)
	case strings.Trim(t, "─╔═╗╚╝║ ") == "":
		p.fault.apart = false
		emit.line(Folded, l)
	case strings.HasPrefix(t, "Error Context: "):
		p.fault.addOnce(l, &p.context)
	case strings.HasPrefix(t, "attachment #"), p.fault.apart, strings.HasPrefix(t, "Usage:"):
		p.fault.apart = true // in an attachment
		p.fault.addAs(l, partSkip)
	case strings.HasPrefix(t, "║ "):
		p.fault.addAs(l, partDetail)
	default:
		p.fault.add(l)
	}
}

// row takes a line of the list of tests, or the progress in its place.
func (p *playwright) row(l Line, t string, emit Emit) bool {
	mark, rest, _ := strings.Cut(t, " ")
	switch {
	case strings.Contains(rest, " › ") && oneOf(mark, "✓", "ok", "-"):
		emit.count("passed", l)
	case strings.Contains(rest, " › ") && (mark == "✘" || mark == "x"), p.listed && strings.Contains(t, " › ") && leading(l.Text) >= 4:
		p.holdRow(l, emit)
	case strings.Trim(t, "·F±×T°") == "":
		emit.line(Good, l)
	default:
		return false
	}
	return true
}
