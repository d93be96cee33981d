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
	jsRun         // its lead is tape's name of the test, until a failure takes it
	column int    // where the open point stands
	block  string // the YAML key whose lines follow
	inset  int    // where that key stands
	diff   bool   // the message shows what differs
	quote  bool   // in a string of several lines
	above  []Line // comments since the last point
	nested bool   // subtests have titles of their own
	suites []tapSuite
}

// A tapSuite is one that is open, as vitest writes them: its tests stand in braces.
type tapSuite struct {
	column int
	title  string
}

// in names the open suites, of which the first is a file.
func (p *tap) in() string {
	var titles []string
	for _, s := range p.suites {
		titles = append(titles, s.title)
	}
	return strings.Join(titles, " > ")
}

const tapAbove = 40 // comments held

func (p *tap) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	switch {
	case tapPoint(t):
		p.endFault(emit)
		p.point(l, t, emit)
	case strings.HasPrefix(t, "Bail out!"):
		p.endFault(emit)
		emit.line(Failure, l)
	case p.fault != nil && !p.fault.full() && (t == "" || p.quote || leading(l.Text) > p.column) && !strings.HasPrefix(t, "# Subtest"):
		p.inFault(l, t)
	case strings.HasPrefix(t, "#"):
		p.comment(l, t, emit)
	default:
		p.endFault(emit)
		p.endAbove(emit)
		if tapQuiet(t) {
			emit.line(Good, l)
			return
		}
		p.other(l, emit)
	}
}

// point takes "ok 1 - title" and "not ok 2 - title # directive".
func (p *tap) point(l Line, t string, emit Emit) {
	title, directive, _ := strings.Cut(t, " # ")
	directive = strings.ToUpper(directive)
	suite := strings.HasSuffix(t, " {") // vitest; its tests follow
	failed := strings.HasPrefix(title, "not ok") && !suite && !strings.HasPrefix(directive, "TODO") && !strings.HasPrefix(directive, "SKIP")
	p.column, p.block, p.diff, p.quote = leading(l.Text), "", false, false
	for n := len(p.suites); n > 0 && p.suites[n-1].column >= p.column; n-- {
		p.suites = p.suites[:n-1]
	}
	if suite {
		_, name, _ := strings.Cut(strings.TrimSuffix(title, " {"), " - ")
		p.suites = append(p.suites, tapSuite{p.column, name})
	}
	if n := len(p.above); n > 0 && !p.nested {
		emit.block(Good, &p.lead)
		if n == 1 || !failed { // tape names a test in the comment above its points
			p.lead, p.above = []Line{p.above[n-1]}, p.above[:n-1]
		}
	}
	p.fault = &jsFault{}
	if failed {
		p.fault.in = p.in()
	}
	if !failed || len(p.above) == 0 {
		p.endAbove(emit)
		p.fault.head = []Line{l}
		if !failed {
			p.fault.class = Good
			if title != "ok" && !suite && !p.nested && p.column == 0 { // some nested points are suites, prove's bare ok is a file
				m, _ := tapCounts.mark(directive)
				p.fault.count = m.count
			}
		}
		return
	}
	for _, c := range p.above { // what a test file printed before it failed
		p.fault.add(c)
		if strings.HasPrefix(strings.TrimLeft(c.Text, "# "), "at ") {
			p.fault.body[len(p.fault.body)-1].part = tapFrame(strings.TrimLeft(c.Text, "# "))
		}
	}
	p.above = nil
	p.fault.addAs(l, partDetail)
}

// tapCounts name the counter of a point that did not fail, by its directive.
var tapCounts = forms{
	{count: "skipped", start: words{"SKIP"}},
	{count: "to do", start: words{"TODO"}},
	{count: "passed"},
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
	if p.quote {
		p.quote = !strings.HasSuffix(t, `"`)
		p.fault.addAs(l, partMessage)
		return
	}
	if _, v, ok := strings.Cut(t, ": "); ok && strings.HasPrefix(v, `"`) {
		p.quote = v == `"` || !strings.HasSuffix(v, `"`)
	}
	if p.block != "" && (t == "" || leading(l.Text) > p.inset) {
		switch {
		case oneOf(t, tapKnown...):
			p.fault.addAs(l, partSkip)
		case p.block == "stack":
			p.fault.addAs(l, tapFrame(t))
		case oneOf(p.block, tapShown...) && p.diff:
			p.fault.addAs(l, partSkip)
		case oneOf(p.block, tapShown...):
			p.fault.addAs(l, partMessage)
		default:
			p.diff = p.diff || hasPrefix(t, "+ actual - expected", "+ expected - actual")
			p.fault.add(l)
		}
		return
	}
	p.block = ""
	key, value, ok := strings.Cut(t, ":")
	switch {
	case t == "---", t == "...":
		p.fault.addAs(l, partSkip)
		return
	case !ok, strings.ContainsAny(key, " ("):
		p.fault.add(l)
		return
	}
	value = strings.TrimSpace(value)
	if value == "" || value[0] == '|' || value[0] == '>' {
		p.block, p.inset = key, leading(l.Text)
	}
	p.fault.addAs(l, p.yaml(key, value))
}

// yaml tells what a key of a failure's YAML block is worth.
func (p *tap) yaml(key, value string) jsPart {
	switch key {
	case "duration_ms", "type", "operator", "stack", "diff", "generatedMessage":
		return partSkip
	case "failureType":
		if value == "'subtestsFailed'" {
			p.fault.class = Noise
		}
		return partDetail.unless(value == "'testCodeFailure'", partSkip)
	case "location", "at":
		p.fault.file = strings.Trim(value, `'"`)
		return partDetail
	case "error":
		if strings.Trim(value, "|>-") == "" {
			return partSkip // it follows
		}
	}
	below := strings.Trim(value, "|>-") == "" || p.quote // the value follows
	if oneOf(key+": "+value, tapKnown...) || oneOf(key, tapShown...) && (below && p.diff || !below && p.fault.repeats(key+": "+value, false)) {
		return partSkip
	}
	return partMessage
}

// tapKnown are pairs that say nothing new.
var tapKnown = words{"signal: ~", "code: 'ERR_ASSERTION'", "code: 'ERR_TEST_FAILURE'", "name: 'AssertionError'", `name: "AssertionError"`}

// tapShown are the keys of what a diff in the message shows.
var tapShown = words{"expected", "actual", "wanted", "found"}

// comment takes a line that begins with "#".
func (p *tap) comment(l Line, t string, emit Emit) {
	text := strings.TrimSpace(strings.TrimLeft(t, "#"))
	class, ok := nodeTotal(text)
	if !ok {
		class, ok = p.cover.class(l.Text)
	}
	if ok {
		p.endFault(emit)
		p.endAbove(emit)
		emit.line(class, l)
		return
	}
	// Comments behind a failed point are Perl's and bats's way to explain it;
	// node and tape put them in front, under a title.
	subtest := strings.HasPrefix(text, "Subtest")
	if f := p.fault; f != nil && f.class != Good && !subtest && !f.full() && !f.yamlSeen() {
		f.add(l)
		return
	}
	p.endFault(emit)
	if subtest {
		p.nested = true
		emit.line(Good, l)
		return
	}
	if strings.HasPrefix(text, "Failed test") { // prove shows no point, and the next such line names another test
		p.endAbove(emit)
		emit.line(Failure, l)
		return
	}
	if len(p.above) >= tapAbove {
		p.other(p.above[0], emit)
		p.above = p.above[1:]
	}
	p.above = append(p.above, l)
}

// yamlSeen reports whether the point's YAML block has ended.
func (f *jsFault) yamlSeen() bool {
	return len(f.body) > 0 && strings.TrimSpace(f.body[len(f.body)-1].Text) == "..."
}

// endAbove gives out comments that no failure claimed.
func (p *tap) endAbove(emit Emit) {
	replay(&p.rest, &p.above, emit)
}

func (p *tap) endFault(emit Emit) {
	p.block = ""
	switch f := take(&p.fault); {
	case f == nil:
	case f.class == Good || f.class == Noise && p.faults.n > 0:
		emitGood(f, emit)
	default:
		f.class = Failure
		p.faults.emit(f, &p.lead, emit)
	}
}

func (p *tap) Close(emit Emit) {
	p.endFault(emit)
	p.endAbove(emit)
	emit.block(Good, &p.lead)
	p.rest.Close(emit)
}

// tapPoint reports whether t is a test point.
func tapPoint(t string) bool {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(t, "not "), "ok")
	if !ok {
		return false
	}
	rest = strings.TrimPrefix(rest, " ")
	return rest == "" || isDigit(rest[0]) || strings.HasPrefix(rest, "- ")
}

// tapNumber cuts a point that failed, "not ok 12 - title", into its number and its
// title. Of any other text the number is "".
func tapNumber(t string) (number, title string) {
	rest, ok := strings.CutPrefix(t, "not ok ")
	n := digits(rest)
	if !ok || n == 0 || len(rest) == n {
		return "", t
	}
	return rest[:n], strings.TrimPrefix(strings.TrimLeft(rest[n:], " "), "- ")
}

// tapFirst reports whether s is the first point of a run.
func tapFirst(s string) bool {
	s = strings.TrimPrefix(s, "not ")
	return s == "ok 1" || strings.HasPrefix(s, "ok 1 ")
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
