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
	if phpForeign(l.Text) || strings.HasSuffix(l.Text, " {main}") || p.frames >= phpFrames || len(p.open.Lines) >= phpLines {
		emit.line(Good, l)
		return
	}
	p.frames++
	p.open.Lines = append(p.open.Lines, l)
}

func (p *php) flush(emit Emit) {
	if p.open.Lines != nil {
		if p.open.Class != Good {
			p.open.Key = lines.Template(p.open.Lines[0].Text)
		}
		emit(p.open)
		p.open = Record{}
	}
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

// phpForeign reports whether a frame is in a library.
func phpForeign(s string) bool {
	return hasAny(s, "/vendor/", "phar://", "/usr/share/php/", "/usr/bin/", "[internal function]")
}
