package record

import "strings"

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
