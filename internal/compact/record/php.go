package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// php is the parser for what PHP itself prints: errors with their stack, of
// which the first own frames stay, and warnings. With both display_errors and
// a log PHP says everything twice: once stays.
type php struct {
	open   Record
	frames int // own frames kept of the stack
	told   string
	text   plainText
}

const (
	phpFrames = 3
	phpLines  = 60 // of one fault
)

func (p *php) Line(l Line, emit Emit) {
	s := l.Text
	if p.open.Lines != nil {
		switch {
		case lines.Blank(s): // a cause may follow
			emit.line(Folded, l)
			return
		case hasPrefix(s, "#") && len(s) > 1 && isDigit(s[1]):
			p.frame(l, emit)
			return
		case hasPrefix(s, "Stack trace:", "  thrown in ", "PHP Stack trace:", "Next "), len(p.open.Lines) == 1 && strings.HasSuffix(p.open.Lines[0].Text, ":") && !lines.Blank(s):
			if len(p.open.Lines) < phpLines {
				p.open.Lines = append(p.open.Lines, l)
				return
			}
		}
		p.flush(emit)
	}
	class, known := phpFault(s)
	if !known {
		p.text.Line(l, emit)
		return
	}
	p.text.Close(emit)
	said := strings.Join(strings.Fields(strings.TrimPrefix(s, "PHP ")), " ")
	p.open, p.frames = Record{Class: class.unless(said == p.told, Good), Lines: []Line{l}}, 0
	p.told = said
}

// frame takes a line of a stack trace: "#0 /app/src/a.php(12): f()".
func (p *php) frame(l Line, emit Emit) {
	if hasAny(l.Text, phpForeign...) || strings.HasSuffix(l.Text, " {main}") || p.frames >= phpFrames || len(p.open.Lines) >= phpLines {
		emit.line(Good, l)
		return
	}
	p.frames++
	p.open.Lines = append(p.open.Lines, l)
}

func (p *php) flush(emit Emit) {
	if p.open.Lines != nil && p.open.Class != Good {
		p.open.Key = lines.Template(p.open.Lines[0].Text)
	}
	emit.open(&p.open)
}

func (p *php) Close(emit Emit) {
	p.flush(emit)
	p.text.Close(emit)
}

// phpFault reports whether s begins what PHP complains of.
func phpFault(s string) (Class, bool) {
	s = strings.TrimPrefix(s, "PHP ")
	switch {
	case hasPrefix(s, "Fatal error: ", "Parse error: ", "Recoverable fatal error: ", "Error in bootstrap script: ", "Uncaught "):
		return Failure, true
	case hasPrefix(s, "Warning: ", "Notice: ", "Deprecated: ") && strings.Contains(s, " on line "):
		return Warn, true
	}
	return Body, false
}

// phpForeign is in a frame of a library.
var phpForeign = words{"/vendor/", "phar://", "/usr/share/php/", "/usr/bin/", "[internal function]"}

// phpunit is the parser for PHPUnit, and for Pest and Laravel's runner, which
// print the same failures with marks. An entry of one of the lists at the end,
// or what is drawn below a test that failed, is a record.
type phpunit struct {
	entry   []Line
	class   Class // of the list that is open
	own     int   // own frames in entry
	drawn   bool  // the entry is drawn below a test's name, up to a blank line
	other   php
	reasons reasons
}

const phpunitLines = 120 // of one failure

func (p *phpunit) Line(l Line, emit Emit) {
	s := strings.TrimRight(l.Text, " ")
	t := strings.TrimLeft(s, " ")
	class, known := phpunitForms.class(s)
	_, listed := phpunitNumber(s)
	switch {
	case phpunitList(s, &p.class):
		p.end(emit)
		emit.line(Good, l)
	case listed && p.class != Body:
		p.begin(l, false, emit)
	case hasPrefix(t, "✘ ", "FAILED  "):
		p.begin(l, true, emit)
		if strings.HasPrefix(t, "FAILED  ") { // of Pest, up to the next rule
			p.drawn, p.class = false, Failure
		}
	case p.entry != nil && !known && !(p.drawn && s == "" && len(p.entry) > 1):
		p.add(l, s, t, emit)
	default:
		p.end(emit)
		if !known {
			p.other.Line(l, emit)
			return
		}
		p.other.Close(emit)
		rec := Record{Class: class, Lines: []Line{l}}
		if hasPrefix(t, "✔ ", "✓ ") {
			rec.Count = "passed"
		}
		emit(rec)
	}
}

func (p *phpunit) begin(l Line, drawn bool, emit Emit) {
	p.end(emit)
	p.other.Close(emit)
	p.entry, p.own, p.drawn = []Line{l}, 0, drawn
}

// add takes a line of the open entry.
func (p *phpunit) add(l Line, s, t string, emit Emit) {
	bare := strings.TrimLeft(t, "│┐├┴╵╷ ")
	switch {
	case phpunitFrame(bare):
		if hasAny(bare, phpForeign...) || p.own >= phpFrames {
			emit.line(Good, l)
			return
		}
		p.own++
	case strings.Trim(bare, "─ ") == "" || s == "@@ @@" || bare == "@@ @@" || pestSource(t):
		emit.line(Folded, l)
		return
	case len(p.entry) >= phpunitLines:
		emit.line(Noise, l)
		return
	}
	p.entry = append(p.entry, l)
}

func (p *phpunit) end(emit Emit) {
	if p.entry == nil {
		return
	}
	class := p.class.unless(p.drawn, Failure)
	rec := Record{Class: class, Lines: p.entry}
	if class > Folded {
		var b strings.Builder
		for _, l := range p.entry[1:] {
			if !phpunitFrame(strings.TrimSpace(l.Text)) {
				b.WriteString(strings.TrimLeft(l.Text, " │├") + "\n")
			}
		}
		rec.Key, rec.Site = p.reasons.key(b.String()), phpunitName(p.entry[0].Text)
	}
	emit(rec)
	p.entry = nil
}

func (p *phpunit) Close(emit Emit) {
	p.end(emit)
	p.other.Close(emit)
}

// phpunitList reads the head of a list, "There were 6 failures:", and sets
// what its entries are worth.
func phpunitList(s string, class *Class) bool {
	if !strings.HasSuffix(s, ":") || !hasPrefix(s, "There was ", "There were ") && !strings.Contains(s, " triggered ") {
		return false
	}
	switch {
	case hasAny(s, " error:", " errors:", " failure:", " failures:"):
		*class = Failure
	case hasAny(s, "skipped", "incomplete"):
		*class = Good
	default:
		*class = Warn
	}
	return true
}

// phpunitNumber reads the number of an entry: "12) CartTest::testTotal".
func phpunitNumber(s string) (name string, ok bool) {
	n := digits(s)
	if n == 0 {
		return "", false
	}
	return strings.CutPrefix(s[n:], ") ")
}

func phpunitName(s string) string {
	if name, ok := phpunitNumber(s); ok {
		return name
	}
	return strings.TrimLeft(strings.TrimSpace(s), "✘⨯ ")
}

// phpunitForms stand between failures. A blank line or a rule ends nothing by
// itself.
var phpunitForms = forms{
	{class: Keep, start: words{"OK (", "OK, but ", "Tests: ", "No tests executed!", "  Tests:  "}},
	{class: Good, is: words{"--"}},
	{class: Good, start: words{"FAILURES!", "ERRORS!", "WARNINGS!", "PHPUnit ", "Runtime: ", "Configuration: ", "Random Seed: ", "Time: ", "Test '", "Summary of tests with ", "  Duration:  "}, lacks: words{" on line "}},
	{class: Good, inset: words{"✔ ", "✓ ", "∅ ", "↩ ", "⨯ ", "PASS  ", "FAIL  "}},
	{class: Good, test: phpunitDots},
	{class: Good, test: func(s string) bool { t := strings.TrimLeft(s, " "); return t != "" && strings.Trim(t, "─") == "" }},
}

// phpunitDots reports whether s is progress: "..F.E   63 / 151 ( 41%)".
func phpunitDots(s string) bool {
	dots, rest, _ := strings.Cut(s, " ")
	return dots != "" && strings.Trim(dots, ".FEWRSIDN") == "" && (rest == "" && len(dots) > 3 || strings.HasSuffix(rest, "%)"))
}

// phpunitFrame reports whether s is a place by itself, "/app/tests/A.php:12",
// or that of Pest, "at tests/A.php:12".
func phpunitFrame(s string) bool {
	s = strings.TrimPrefix(s, "at ")
	file := strings.TrimRight(s, "0123456789")
	return file != s && strings.HasSuffix(file, ".php:") && !strings.Contains(file, " ")
}

// pestSource reports whether t is a line of the source that Pest draws, other
// than the one that failed.
func pestSource(t string) bool {
	number, _, ok := strings.Cut(t, "▕")
	return ok && digitsOnly(strings.TrimSpace(number))
}
