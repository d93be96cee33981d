package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// shellcheck is the parser for its terminal format: "In FILE line N:", the
// source, and under it a mark with the code and the message for each fault.
// Messages are grouped by code.
type shellcheck struct {
	place  string // "file:line" of the heading above
	source []Line // the lines under it, which go with the next message
	about  bool   // in the links at the end
}

func (p *shellcheck) Line(l Line, emit Emit) {
	s := l.Text
	if place, ok := shellcheckPlace(s); ok {
		emit.all(Good, &p.source)
		p.place, p.about = place, false
		emit.line(Folded, l)
		return
	}
	code, message, class := shellcheckCode(s)
	switch {
	case lines.Blank(s):
		emit.line(Good, l)
	case strings.HasPrefix(s, "For more information:"), p.about && indented(s):
		emit.all(Good, &p.source)
		p.about = true
		emit.line(Good, l)
	case p.place == "" || p.about:
		emit(shellcheckLine(l))
	case code != "":
		emit(Record{Class: class, Group: code, Key: message, Site: p.place, Row: p.place + ": " + strings.TrimSpace(s), Lines: append(p.source, l)})
		p.source = nil
	default:
		if p.source = append(p.source, l); len(p.source) > shellcheckSource { // how to write it better
			emit.all(Good, &p.source)
		}
	}
}

const shellcheckSource = 50 // lines held for a message

func (p *shellcheck) Close(emit Emit) { emit.all(Good, &p.source) }

// shellcheckLine reads a message as -f gcc prints it, "bin/x:5:1: note: text
// [SC2086]", and any other line.
func shellcheckLine(l Line) Record {
	d, ok := parseDiagnostic(l.Text)
	code := lintCode(d.text)
	if !ok || !strings.HasPrefix(code, "SC") {
		return plain(l)
	}
	rec := Record{Class: Warn.unless(d.label == "error", Failure), Group: code, Key: d.text, Site: d.site, Row: l.Text, Lines: []Line{l}}
	return rec
}

// shellcheckPlace reads "In bin/x line 46:".
func shellcheckPlace(s string) (place string, ok bool) {
	rest, ok := strings.CutPrefix(s, "In ")
	i := strings.LastIndex(rest, " line ")
	if !ok || i < 1 || !strings.HasSuffix(rest, ":") {
		return "", false
	}
	n := rest[i+len(" line ") : len(rest)-1]
	return rest[:i] + ":" + n, digitsOnly(n)
}

// shellcheckCode reads "  ^-- SC2261 (error): text".
func shellcheckCode(s string) (code, message string, class Class) {
	t := strings.TrimLeft(s, " ")
	if !strings.HasPrefix(t, "^") {
		return "", "", Body
	}
	_, t, _ = strings.Cut(t, " ")
	code, message, ok := strings.Cut(t, "): ")
	if !ok || !strings.HasPrefix(code, "SC") {
		return "", "", Body
	}
	class = Warn.unless(strings.HasSuffix(code, "(error"), Failure)
	return code + ")", message, class
}
