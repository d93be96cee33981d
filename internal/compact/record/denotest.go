package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

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
