package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// tap reads the Test Anything Protocol, versions 12 to 14
// (https://testanything.org): node --test, tape, node-tap, ava, bats, prove,
// and the tap reporters of mocha and vitest. A point that failed takes along
// what stands further in, its YAML block, and the comments around it.
type tap struct {
	faults jsFaults
	rest   text
	fault  *jsFault
	column int    // where the open point stands
	block  string // the YAML key whose lines follow
	inset  int    // where that key stands
	diff   bool   // the message shows what differs
	above  []Line // comments since the last point
	points int
	parent []Line // failed points that only say that a nested one failed
}

const tapAbove = 40 // comments held

func (p *tap) Line(l Line, emit func(Record)) {
	t := strings.TrimSpace(l.Text)
	switch {
	case tapPoint(t):
		p.endFault(emit)
		p.point(l, t, emit)
	case strings.HasPrefix(t, "Bail out!"):
		p.endFault(emit)
		emit(Record{Class: Failure, Lines: []Line{l}})
	case p.fault != nil && !p.fault.full() && (t == "" || jsIndent(l.Text) > p.column) && !strings.HasPrefix(t, "# Subtest"):
		p.inFault(l, t)
	case strings.HasPrefix(t, "#"):
		p.comment(l, t, emit)
	default:
		p.endFault(emit)
		p.endAbove(emit)
		if tapQuiet(t) {
			emit(Record{Class: Good, Lines: []Line{l}})
			return
		}
		p.rest.Line(l, emit)
	}
}

// point takes "ok 1 - title" and "not ok 2 - title # directive".
func (p *tap) point(l Line, t string, emit func(Record)) {
	p.points++
	title, directive, _ := strings.Cut(t, " # ")
	directive = strings.ToUpper(directive)
	failed := strings.HasPrefix(title, "not ok") && !strings.HasPrefix(directive, "TODO") && !strings.HasPrefix(directive, "SKIP")
	p.column, p.block, p.diff = jsIndent(l.Text), "", false
	f := &jsFault{head: []Line{l}}
	if !failed {
		p.endAbove(emit)
		f.class = Good
	} else {
		for _, c := range p.above {
			f.add(c)
			if part := &f.body[len(f.body)-1].part; jsTAPFrame(c.Text) {
				*part = tapFrame(strings.TrimPrefix(strings.TrimSpace(c.Text), "#"))
			} else if strings.HasPrefix(strings.TrimSpace(c.Text), "# Subtest: ") {
				*part = partSkip
			}
		}
		p.above = nil
	}
	p.fault = f
}

func jsTAPFrame(s string) bool {
	return strings.HasPrefix(strings.TrimLeft(s, "# "), "at ")
}

func tapFrame(s string) jsPart {
	s = strings.TrimSpace(s)
	if !strings.HasPrefix(s, "at ") {
		s = "at " + s
	}
	if frame, own := jsFrame(s); own {
		return partOwn
	} else if frame {
		return partForeign
	}
	return partMessage
}

// inFault takes a line below a point: YAML, or raw text.
func (p *tap) inFault(l Line, t string) {
	if p.block != "" && (t == "" || jsIndent(l.Text) > p.inset) {
		switch p.block {
		case "stack":
			p.fault.addAs(l, tapFrame(t))
		case "expected", "actual", "wanted", "found":
			if p.diff {
				p.fault.addAs(l, partSkip)
				return
			}
			p.fault.addAs(l, partMessage)
		default:
			if strings.HasPrefix(t, "+ actual - expected") || strings.HasPrefix(t, "+ expected - actual") {
				p.diff = true
			}
			p.fault.add(l)
		}
		return
	}
	p.block = ""
	key, value, ok := strings.Cut(t, ":")
	if !ok || strings.ContainsAny(key, " (") {
		if t == "---" || t == "..." {
			p.fault.addAs(l, partSkip)
			return
		}
		p.fault.add(l)
		return
	}
	value = strings.TrimSpace(value)
	if value == "" || value[0] == '|' || value[0] == '>' {
		p.block, p.inset = key, jsIndent(l.Text)
	}
	p.fault.addAs(l, p.yaml(key, value))
}

// yaml tells what a key of a failure's YAML block is worth.
func (p *tap) yaml(key, value string) jsPart {
	switch key {
	case "duration_ms", "type", "operator", "stack", "diff", "generatedMessage", "signal":
		if key == "signal" && value != "~" {
			return partMessage
		}
		return partSkip
	case "failureType":
		if value == "'subtestsFailed'" {
			p.fault.class = Noise
		}
		return partDetail
	case "code":
		if value == "'ERR_ASSERTION'" || value == "'ERR_TEST_FAILURE'" {
			return partSkip
		}
	case "name":
		if value == "'AssertionError'" || value == `"AssertionError"` {
			return partSkip
		}
	case "expected", "actual", "wanted", "found":
		if value == "" && p.diff {
			return partSkip
		}
	case "location", "at":
		p.fault.file = strings.Trim(value, `'"`)
		return partDetail
	}
	return partMessage
}

// comment takes a line that begins with "#".
func (p *tap) comment(l Line, t string, emit func(Record)) {
	text := strings.TrimSpace(strings.TrimLeft(t, "#"))
	if class, ok := nodeTotal(text); ok {
		p.endFault(emit)
		p.endAbove(emit)
		emit(Record{Class: class, Lines: []Line{l}})
		return
	}
	// Comments behind a failed point are Perl's and bats's way to explain it;
	// node and tape put them in front, under a title.
	title := strings.HasPrefix(text, "Subtest") || p.fault != nil && p.fault.yamlSeen()
	if p.fault != nil && p.fault.class != Good && !title && !p.fault.full() {
		p.fault.add(l)
		return
	}
	p.endFault(emit)
	if len(p.above) >= tapAbove {
		p.rest.Line(p.above[0], emit)
		p.above = p.above[1:]
	}
	p.above = append(p.above, l)
}

// yamlSeen reports whether the point's YAML block has ended.
func (f *jsFault) yamlSeen() bool {
	return len(f.body) > 0 && strings.TrimSpace(f.body[len(f.body)-1].Text) == "..."
}

// endAbove gives out comments that no failure claimed.
func (p *tap) endAbove(emit func(Record)) {
	for _, l := range p.above {
		if strings.HasPrefix(strings.TrimSpace(l.Text), "# Subtest: ") {
			emit(Record{Class: Good, Lines: []Line{l}})
		} else {
			p.rest.Line(l, emit)
		}
	}
	p.above = nil
}

func (p *tap) endFault(emit func(Record)) {
	f := p.fault
	p.fault, p.block = nil, ""
	switch {
	case f == nil:
	case f.class == Good || f.class == Noise && p.faults.n > 0:
		emitGood(f, emit)
	default:
		f.class = Failure
		p.faults.emit(f, nil, emit)
	}
}

func (p *tap) Close(emit func(Record)) {
	p.endFault(emit)
	p.endAbove(emit)
	p.rest.Close(emit)
}

// tapPoint reports whether t is a test point.
func tapPoint(t string) bool {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(t, "not "), "ok")
	if !ok {
		return false
	}
	rest = strings.TrimPrefix(rest, " ")
	return rest == "" || rest[0] >= '0' && rest[0] <= '9' || strings.HasPrefix(rest, "- ")
}

// tapPlan reports whether t is a plan: "1..12".
func tapPlan(t string) bool {
	n, ok := strings.CutPrefix(t, "1..")
	return ok && n != "" && strings.Trim(n, "0123456789") == ""
}

// tapQuiet reports whether t says nothing that the points and totals do not.
func tapQuiet(t string) bool {
	return t == "" || t == "}" || tapPlan(t) || strings.HasPrefix(t, "TAP version ") || lines.Blank(t)
}
