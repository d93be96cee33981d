package term

import "io"

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
