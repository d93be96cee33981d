package record

import "strings"

// bunTest reads bun test. It prints a fault first, a code frame, the message
// and the stack, and then the row of the test it belongs to; in the end the
// rows of the failed tests once more, and the totals.
type bunTest struct {
	jsRun
	titled bool // the row of the open fault was seen
	listed bool // in the list that ends the run
	apart  bool // between the rules around an error outside of any test
}

func (p *bunTest) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	if p.titled && !strings.HasPrefix(t, "^ ") { // "^ this test timed out after 200ms."
		p.endFault(emit)
	}
	mark, _, _ := strings.Cut(t, " ")
	switch class, told := bunLine(t); {
	case told:
		p.endFault(emit)
		p.listed = p.listed || strings.HasSuffix(t, " failed:")
		emit.line(class, l)
	case mark == "(pass)" || mark == "✓" || mark == "(skip)" || mark == "»" || mark == "(todo)" || mark == "✎":
		p.endFault(emit)
		emit.count("passed", l)
	case mark == "(fail)" || mark == "✗":
		if p.listed {
			p.rows.hold(l, emit)
			return
		}
		if p.fault == nil {
			p.fault = &jsFault{}
		}
		if len(p.fault.body) == 0 {
			p.fault.head = []Line{l}
		} else {
			p.fault.addAs(l, partDetail)
		}
		p.titled = true
	case strings.HasPrefix(t, "# Unhandled error"):
		p.endFault(emit)
		p.fault, p.apart = &jsFault{head: []Line{l}}, true
	case p.listed && strings.HasPrefix(t, "^ "):
		p.rows.hold(l, emit)
	case p.fault != nil && !p.fault.full() && !(p.apart && t == "" && len(p.fault.body) > 0):
		p.inFault(l, t, emit)
	case t == "":
		p.endFault(emit)
		emit.line(Folded, l)
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

// bunLine knows the lines that open and close a run.
func bunLine(t string) (Class, bool) {
	switch {
	case strings.HasPrefix(t, "bun test v"), strings.HasSuffix(t, " expect() calls"),
		counted(t, "tests failed:", "tests skipped:", "tests todo:", "test failed:", "test skipped:", "test todo:"):
		return Good, true
	case strings.HasPrefix(t, "Ran ") && strings.Contains(t, " across "), strings.HasPrefix(t, "Bailed out after "):
		return Keep, true
	}
	n, what, ok := strings.Cut(t, " ")
	if ok && digitsOnly(n) {
		switch what {
		case "pass", "fail", "skip", "todo", "error", "errors", "filtered out", "snapshots, 1 failed":
			return Keep, true
		}
	}
	return Body, false
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

func (p *bunTest) endFault(emit Emit) {
	p.titled, p.apart = false, false
	p.jsRun.endFault(emit)
}

func (p *bunTest) Close(emit Emit) {
	p.endFault(emit)
	p.close(emit)
}
