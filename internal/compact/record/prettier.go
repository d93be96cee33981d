package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// prettier reads prettier --check, --list-different and --write: the files
// that differ, or that were written, as one list; syntax errors with the line
// they are in; the result.
type prettier struct {
	jsRun
}

func (p *prettier) Line(l Line, emit Emit) {
	label, rest, labelled := prettierLabel(l.Text)
	if labelled && label == "error" {
		p.fails(l, rest)
		return
	}
	p.endFault(emit)
	if class, ok := p.scripts.class(l.Text); ok {
		emit.line(class, l)
		return
	}
	file, took, _ := strings.Cut(l.Text, " ")
	switch {
	case lines.Blank(l.Text):
		emit.line(Folded, l)
	case l.Text == "Checking formatting...":
		emit.line(Good, l)
	case strings.Contains(l.Text, "Code style issues "), hasPrefix(l.Text, "All matched files use ", "Error occurred when checking "):
		emit.line(Keep, l)
	case labelled && !strings.Contains(rest, " ") && strings.Contains(rest, "."):
		emit(Record{Class: Keep, Key: "differs", Site: rest, Lines: []Line{l}})
	case hasSuffix(took, "ms (unchanged)", "ms (unchanged) (cached)"):
		emit.count("unchanged", l)
	case digitsOnly(strings.TrimSuffix(took, "ms")) && strings.Contains(file, "."):
		emit(Record{Class: Keep, Key: "written", Site: file, Lines: []Line{l}})
	case took == "" && strings.ContainsAny(file, "/.") && !strings.HasSuffix(file, ":"):
		emit(Record{Class: Keep, Key: "differs", Site: file, Lines: []Line{l}})
	default:
		emit(plain(l))
	}
}

// prettierLabel splits off "[warn] " or "[error] ".
func prettierLabel(s string) (label, rest string, ok bool) {
	if rest, ok = strings.CutPrefix(s, "[warn] "); ok {
		return "warn", rest, true
	}
	rest, ok = strings.CutPrefix(s, "[error] ")
	return "error", rest, ok
}

// fails takes a line of an error: its text, then the source around it.
func (p *prettier) fails(l Line, rest string) {
	if p.fault == nil || p.fault.full() {
		p.fault = &jsFault{}
	}
	n := len(p.fault.body)
	switch code, pointer := jsCode(rest); {
	case pointer && n > 0 && p.fault.body[n-1].part == partCode:
		p.fault.body[n-1].part = partMarked
		p.fault.addAs(l, partSkip)
	case code && !pointer && strings.HasPrefix(rest, ">"):
		p.fault.addAs(l, partMarked)
	case code:
		p.fault.addAs(l, partCode)
	default:
		p.fault.add(l)
	}
}
