package record

import "strings"

// A form is a kind of line that a tool prints, and what it is worth. A line has
// the form if all holds that is given of it.
type form struct {
	class Class
	opens bool   // as in a mark
	joins bool   // as in a mark
	key   string // as in a mark; or sameLine, sameInset

	start  words // it begins with one of these
	inset  words // it does so but for its indentation
	has    words // one of these is in it
	end    words // it ends with one of these
	is     words // it is one of these
	counts words // it is a number and then one of these
	test   func(string) bool
}

// keys that are the line itself
const (
	sameLine  = "\x00"
	sameInset = "\x00\x00" // without its indentation
)

type words []string

// forms are what a tool prints; the first that a line has is its own.
type forms []form

func (fs forms) mark(s string) (mark, bool) {
	for i := range fs {
		if f := &fs[i]; f.fits(s) {
			m := mark{class: f.class, key: f.key, opens: f.opens, joins: f.joins}
			switch m.key {
			case sameLine:
				m.key = s
			case sameInset:
				m.key = strings.TrimLeft(s, " ")
			}
			return m, true
		}
	}
	return mark{}, false
}

func (fs forms) class(s string) (Class, bool) {
	m, ok := fs.mark(s)
	return m.class, ok
}

func (f *form) fits(s string) bool {
	return (f.start == nil || hasPrefix(s, f.start...)) &&
		(f.inset == nil || hasPrefix(strings.TrimLeft(s, " "), f.inset...)) &&
		(f.has == nil || hasAny(s, f.has...)) &&
		(f.end == nil || hasSuffix(s, f.end...)) &&
		(f.is == nil || oneOf(s, f.is...)) &&
		(f.counts == nil || counted(s, f.counts...)) &&
		(f.test == nil || f.test(s))
}
