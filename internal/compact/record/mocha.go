package record

import "strings"

// mocha reads the spec, list, dot and min reporters of mocha. By its source
// (reporters/base.js): a tree or dots while it runs, then the totals, then
// every failure as "N) suite … title:", message, diff and stack. Of the
// message only the first line is indented, so that a failure goes on up to
// the next number.
type mocha struct {
	jsRun
	listing bool // the list of failures has begun
	suites  []Line
}

func (p *mocha) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	class, total := mochaTotal(l.Text, t)
	switch {
	case total:
		p.endFault(emit)
		p.endSuites(false, emit)
		p.listing = p.listing || strings.HasSuffix(t, " failing")
		emit.line(class, l)
		return
	case p.listing && leading(l.Text) == 2 && enumerated(t):
		p.begin(&jsFault{head: []Line{l}, titled: strings.HasSuffix(t, ":")}, emit)
		return
	case p.fault != nil && !p.fault.full() && !p.ends(l.Text):
		p.inFault(l, t)
		return
	case strings.HasPrefix(t, "Exception during run: "):
		p.begin(faultOf(l), emit)
		p.fault.titled = true
		return
	}
	p.endFault(emit)
	if p.around(l, emit) || p.row(l, t, emit) {
		return
	}
	p.endSuites(false, emit)
	p.other(l, emit)
}

// ends reports whether s is the first line behind the list of failures.
func (p *mocha) ends(s string) bool {
	if strings.HasPrefix(s, "-----") && strings.Contains(s, "|") {
		return true // a coverage table
	}
	_, ok := (&scriptLines{}).class(s)
	return ok
}

func (p *mocha) inFault(l Line, t string) {
	f := p.fault
	if !f.titled && t != "" && leading(l.Text) > 4 && len(f.head) < 12 {
		f.head, f.titled = append(f.head, l), strings.HasSuffix(t, ":")
		return
	}
	f.titled = f.titled || t != ""
	f.add(l)
}

// mochaTotal takes "  12 passing (3s)", "  1 pending" and "  2 failing".
func mochaTotal(s, t string) (Class, bool) {
	n, rest, ok := strings.Cut(t, " ")
	if !ok || leading(s) != 2 || strings.Trim(n, "0123456789") != "" {
		return Body, false
	}
	word, took, _ := strings.Cut(rest, " ")
	if took != "" && !strings.HasPrefix(took, "(") {
		return Body, false
	}
	return Keep, oneOf(word, "passing", "pending", "failing")
}

// enumerated reports whether t begins as a failure does: "12) ".
func enumerated(t string) bool {
	n, _, ok := strings.Cut(t, ") ")
	return ok && digitsOnly(n)
}

// row takes a line of the tree, or of dots. A suite's title cannot be told
// from what the tested code prints until a row stands below and further in.
func (p *mocha) row(l Line, t string, emit Emit) bool {
	if t == "" {
		emit.line(Good, l)
		return true
	}
	mark, _, _ := strings.Cut(t, " ")
	switch {
	case leading(l.Text) < 2:
		return false
	case oneOf(mark, "✔", "✓", "√") || mark == "-" && leading(l.Text) >= 4:
		p.endSuites(p.under(l), emit)
		emit.count("passed", l)
	case enumerated(t):
		p.endSuites(p.under(l), emit)
		p.holdRow(l, emit)
	case strings.Trim(t, ".!,․") == "":
		emit.line(Good, l)
	default:
		if !p.under(l) || len(p.suites) > 20 {
			p.endSuites(false, emit)
		}
		p.suites = append(p.suites, l)
	}
	return true
}

// under reports whether l stands further in than the suite above it.
func (p *mocha) under(l Line) bool {
	n := len(p.suites)
	return n == 0 || leading(l.Text) == leading(p.suites[n-1].Text)+2
}

func (p *mocha) endSuites(are bool, emit Emit) {
	for _, l := range p.suites {
		if are {
			emit.line(Good, l)
		} else {
			p.other(l, emit)
		}
	}
	p.suites = nil
}

func (p *mocha) Close(emit Emit) {
	p.endFault(emit)
	p.endSuites(false, emit)
	p.close(emit)
}
