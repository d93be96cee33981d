package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// bunTest reads bun test. It prints a fault first, a code frame, the message
// and the stack, and then the row of the test it belongs to; in the end the
// rows of the failed tests once more, and the totals.
type bunTest struct {
	jsRun
	listed bool // in the list that ends the run
}

func (p *bunTest) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	if p.fault != nil && p.fault.titled && !strings.HasPrefix(t, "^ ") { // "^ this test timed out after 200ms."
		p.endFault(emit)
	}
	mark, _, _ := strings.Cut(t, " ")
	switch class, told := bunForms.class(t); {
	case told:
		p.listed = p.listed || strings.HasSuffix(t, " failed:")
		p.tell(class, l, emit)
	case oneOf(mark, "(pass)", "✓", "(skip)", "»", "(todo)", "✎"):
		p.endFault(emit)
		emit.count("passed", l)
	case p.listed && (mark == "(fail)" || mark == "✗"), p.listed && strings.HasPrefix(t, "^ "):
		p.holdRow(l, emit)
	case mark == "(fail)" || mark == "✗":
		if p.fault == nil {
			p.fault = &jsFault{}
		}
		if len(p.fault.body) == 0 {
			p.fault.head = []Line{l}
		} else {
			p.fault.addAs(l, partDetail)
		}
		p.fault.titled = true
	case strings.HasPrefix(t, "# Unhandled error"):
		p.begin(&jsFault{head: []Line{l}, bare: true}, emit)
	case p.fault != nil && !p.fault.full() && !(p.fault.bare && t == "" && len(p.fault.body) > 0):
		p.inFault(l, t, emit)
	case t == "":
		p.tell(Folded, l, emit)
	case p.around(l, emit):
	case bunStarts(l.Text, t):
		p.fault = &jsFault{}
		p.inFault(l, t, emit)
	case strings.HasSuffix(t, ":") && strings.Contains(t, ".") && !strings.Contains(t, " "): // a file
		emit.line(Good, l)
	default:
		p.other(l, emit)
	}
}

// bunForms open and close a run.
var bunForms = forms{
	{class: Good, start: words{"bun test v"}},
	{class: Good, end: words{" expect() calls"}},
	{class: Good, counts: words{"tests failed:", "tests skipped:", "tests todo:", "test failed:", "test skipped:", "test todo:"}},
	{class: Keep, start: words{"Ran "}, has: words{" across "}},
	{class: Keep, start: words{"Bailed out after "}},
	{class: Keep, test: bunTotal},
}

// bunTotal reports whether t is one of the counts at the end.
func bunTotal(t string) bool {
	n, what, _ := strings.Cut(t, " ")
	return digitsOnly(n) && oneOf(what, "pass", "fail", "skip", "todo", "error", "errors", "filtered out", "snapshots, 1 failed")
}

// bunStarts reports whether a fault begins: with a code frame or a message.
func bunStarts(s, t string) bool {
	code, _ := jsCode(s)
	return code || strings.HasPrefix(t, "error: ") || thrown(t)
}

func (p *bunTest) inFault(l Line, t string, emit Emit) {
	if t == "" || strings.Trim(t, "-") == "" {
		emit.line(Folded, l)
		return
	}
	p.fault.add(l)
}

// denoTest reads deno test and deno check: each distinct failure in the
// section ERRORS, type errors, the totals. The section FAILURES lists the
// names once more.
type denoTest struct {
	jsRun
	section string // ERRORS, FAILURES or ""
}

func (p *denoTest) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	class, told := denoForms.class(t)
	switch {
	case t == "ERRORS" || t == "FAILURES":
		p.section = t
		p.tell(Good, l, emit)
	case told:
		p.section = ""
		p.tell(class, l, emit)
	case denoTypeError(t): // a blank line ends it
		p.begin(&jsFault{head: []Line{l}, bare: true}, emit)
	case p.section == "FAILURES" && denoTitle(t) != "":
		p.endFault(emit)
		p.holdRow(l, emit)
	case p.section != "" && denoTitle(t) != "":
		p.begin(&jsFault{head: []Line{l}, file: strings.TrimPrefix(denoTitle(t), "./")}, emit)
	case p.fault != nil && !p.fault.full() && !(p.fault.bare && t == ""):
		if t == "" {
			emit.line(Folded, l)
			return
		}
		p.fault.add(l)
	case t == "":
		p.tell(Folded, l, emit)
	case p.around(l, emit), p.row(l, t, emit):
	case strings.HasPrefix(t, "error: ") && !indented(l.Text):
		p.fault = faultOf(l)
	default:
		p.other(l, emit)
	}
}

// denoForms open and close a run.
var denoForms = forms{
	{class: Keep, start: words{"ok | ", "FAILED | "}, has: words{" passed"}},
	{class: Keep, test: func(t string) bool { return counted(strings.TrimPrefix(t, "Found "), "errors.", "error.") }},
	{class: Good, start: words{"Check ", "Download ", "Downloading ", "Initialize ", "running ", "info: The program failed type-checking", "hint: Re-run with --no-check"}},
	{class: Good, is: words{"error: Test failed", "error: Type checking failed.", "Stack backtrace:"}},
	{class: Good, end: words{": <unknown>"}},
	{class: Good, start: words{"---"}, end: words{"---"}, has: words{"output"}},
}

func denoTypeError(t string) bool {
	code, _, ok := strings.Cut(t, " [ERROR]: ")
	return ok && strings.HasPrefix(code, "TS") && digitsOnly(code[2:])
}

// denoTitle returns the place in "name => ./a_test.ts:9:6", or the file of
// "./a_test.ts (uncaught error)".
func denoTitle(t string) string {
	if file, ok := strings.CutSuffix(t, " (uncaught error)"); ok {
		return file
	}
	_, place, ok := strings.Cut(t, " => ")
	if !ok || strings.Contains(place, " ") || !lines.HasLocation(place) {
		return ""
	}
	return place
}

// row takes a test's line, or one of the dot reporter.
func (p *denoTest) row(l Line, t string, emit Emit) bool {
	_, result, ok := strings.Cut(t, " ... ")
	for ok && strings.Contains(result, " ... ") {
		_, result, ok = strings.Cut(result, " ... ")
	}
	what, _, _ := strings.Cut(result, " ")
	switch {
	case ok && (what == "ok" || what == "ignored"):
		emit.count("passed", l)
	case ok && what == "FAILED", strings.HasPrefix(t, "Uncaught error from ") && strings.HasSuffix(t, " FAILED"):
		p.holdRow(l, emit)
	case strings.HasSuffix(t, " ..."), strings.Trim(t, ".!,") == "":
		emit.line(Good, l)
	default:
		return false
	}
	return true
}
