package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// A section is what a runner of tests says of one failure: below its title what
// differs, the place and the first frames of the project's own.
type section struct {
	block []Line
	own   int // frames
}

const (
	sectionLines = 40
	sectionOwn   = 2
)

func (p *section) begin(l Line, emit Emit) {
	p.end(emit)
	p.block = []Line{l}
}

// add takes a line below the title.
func (p *section) add(l Line, emit Emit) {
	frame, own := jsFrame(l.Text)
	if frame && own {
		p.own++
	}
	switch {
	case lines.Blank(l.Text), frame && (!own || p.own > sectionOwn):
		emit.line(Folded, l)
	case len(p.block) >= sectionLines:
		emit.line(Noise, l)
	default:
		p.block = append(p.block, l)
	}
}

func (p *section) end(emit Emit) {
	if p.block != nil {
		emit(Record{Class: Failure, Brief: 1, Lines: p.block})
	}
	*p = section{}
}

// ava reads what ava prints by default: a line for each test, and between two rules
// a section for each failure. Format: ava 6, lib/reporters/default.js.
type ava struct {
	jsRun
	section
	failures bool // between the rules
	blanks   int
}

const avaRule = "─"

func (p *ava) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	if t == "" {
		p.blanks++
		emit.line(Folded, l)
		return
	}
	apart := take(&p.blanks) > 1
	switch number := digits(t); {
	case t == avaRule:
		p.end(emit)
		p.failures = !p.failures
		emit.line(Folded, l)
	case p.failures && number > 0 && strings.HasPrefix(t[number:], ": ") && p.block != nil:
		emit.line(Folded, l) // source: its place is below
	case p.failures && (p.block == nil || apart):
		p.section.begin(l, emit)
	case p.failures:
		p.add(l, emit)
	case strings.HasPrefix(t, "✔ "):
		emit.count("passed", l)
	case hasPrefix(t, "- [skip] ", "- [todo] "):
		emit.count("skipped", l)
	case strings.HasPrefix(t, "✘ "):
		emit.line(Failure, l)
	case number > 0 && hasPrefix(strings.TrimLeft(t[number:], " "), "test", "known failure", "uncaught ", "unhandled "):
		emit.line(Keep, l)
	default:
		p.jsRun.other(l, emit)
	}
}

func (p *ava) Close(emit Emit) {
	p.end(emit)
	p.rest.Close(emit)
}

// uvu reads uvu: for each file a row of marks, behind it a section for each failure.
// Format: uvu 0.5, src/index.js.
type uvu struct {
	jsRun
	section
	file *Line // until its marks are known
}

func (p *uvu) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	name, passed, all, marks := uvuMarks(t)
	switch key, _, _ := strings.Cut(t, ":"); {
	case marks && passed == all:
		p.end(emit)
		emit.held(Good, &p.file)
		emit.line(Good, l)
	case marks:
		p.end(emit)
		emit.held(Keep, &p.file)
		l.Text = strings.TrimLeft(name+" ("+passed+" / "+all+")", " ")
		emit.line(Keep, l)
	case strings.HasPrefix(t, "FAIL ") && strings.HasSuffix(t, `"`):
		l.Text = " " + t
		p.section.begin(l, emit)
	case oneOf(key, "Total", "Passed", "Skipped", "Duration") && leading(l.Text) == 2:
		p.end(emit)
		emit.held(Keep, &p.file)
		emit.line(Keep.unless(key == "Duration", Folded), l)
	case p.block != nil && (t == "" || leading(l.Text) > 0):
		p.add(l, emit)
	case t == "":
		emit.line(Folded, l)
	case leading(l.Text) == 0 && strings.Contains(t, ".") && !strings.Contains(t, " "):
		p.end(emit)
		emit.held(Keep, &p.file)
		p.file = &l
	default:
		p.end(emit)
		emit.held(Keep, &p.file)
		p.jsRun.other(l, emit)
	}
}

func (p *uvu) Close(emit Emit) {
	p.end(emit)
	emit.held(Keep, &p.file)
	p.rest.Close(emit)
}

// uvuMarks parts "oven  • • ✘   (2 / 3)" into its parts.
func uvuMarks(t string) (name, passed, all string, ok bool) {
	row, count, ok := strings.Cut(strings.TrimSuffix(t, ")"), "  (")
	passed, all, found := strings.Cut(count, " / ")
	i := strings.IndexAny(row, "•✘")
	if !ok || !found || i < 0 || strings.Trim(row[i:], "•✘ ") != "" || !digitsOnly(passed) || !digitsOnly(all) {
		return "", "", "", false
	}
	return strings.TrimSpace(row[:i]), passed, all, true
}
