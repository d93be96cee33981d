package term

import (
	"io"
	"strings"
)

// A Paint colors text, or leaves it as it is. Color never says anything alone:
// a word or a sign beside it says the same.
type Paint bool

// NewPaint colors what goes to a terminal, unless NO_COLOR is set.
func NewPaint(w io.Writer, getenv func(string) string) Paint {
	return Paint(IsTerminal(w) && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb")
}

func (p Paint) Good(text string) string { return p.in("32", text) }
func (p Paint) Bad(text string) string  { return p.in("31", text) }
func (p Paint) Warn(text string) string { return p.in("33", text) }
func (p Paint) Dim(text string) string  { return p.in("2", text) }
func (p Paint) Bold(text string) string { return p.in("1", text) }

func (p Paint) in(code, text string) string {
	if !p || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// plain is text without escape sequences: those of a Paint, and what else a
// stranger may have put there.
func plain(text string) string {
	var out strings.Builder
	for text != "" {
		at := strings.IndexAny(text, "\x1b\u009b")
		if at < 0 {
			break
		}
		out.WriteString(text[:at])
		text = text[at:]
		switch {
		case strings.HasPrefix(text, "\u009b"), strings.HasPrefix(text, "\x1b["): // two bytes each
			end := strings.IndexFunc(text[2:], func(r rune) bool { return r < ' ' || r >= '@' })
			if end < 0 {
				return out.String()
			}
			text = text[2+end:]
			if text[0] >= '@' && text[0] <= '~' { // the last of the sequence; else it was broken off
				text = text[1:]
			}
		case len(text) > 1 && strings.IndexByte("]PX^_", text[1]) >= 0: // a string, to BEL or ESC \
			end := strings.IndexAny(text[2:], "\a\x1b")
			if end < 0 {
				return out.String()
			}
			text = strings.TrimPrefix(text[2+end+1:], "\\")
		default:
			text = text[1:]
		}
	}
	return out.String() + text
}
