package record

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// Emit takes the records that a parser gives.
type Emit func(Record)

// line gives a line on its own.
func (emit Emit) line(c Class, l Line) { emit(Record{Class: c, Lines: []Line{l}}) }

// count gives a line that is known to be fine and is counted.
func (emit Emit) count(what string, l Line) { emit(Record{Class: Good, Count: what, Lines: []Line{l}}) }

// each gives lines one by one.
func (emit Emit) each(c Class, ls []Line) {
	for _, l := range ls {
		emit.line(c, l)
	}
}

// all gives held lines one by one, and empties what held them.
func (emit Emit) all(c Class, held *[]Line) {
	emit.each(c, take(held))
}

// held gives a line that was held, if there is one.
func (emit Emit) held(c Class, l **Line) {
	if held := take(l); held != nil {
		emit.line(c, *held)
	}
}

// pass gives a line that was held to whoever reads it now, if there is one.
func (emit Emit) pass(l **Line, to func(Line, Emit)) {
	if held := take(l); held != nil {
		to(*held, emit)
	}
}

// singles makes slices of one line, many of them in one piece of memory: nearly all
// records of a long output are of one line.
type singles []Line

func (s *singles) of(l Line) []Line {
	if len(*s) == cap(*s) {
		*s = make(singles, 0, 64)
	}
	*s = append(*s, l)
	n := len(*s)
	return (*s)[n-1 : n : n]
}

// quiet lets go of what is known to be fine without a marker, unless it is
// counted: the header says that lines are missing.
func (emit Emit) quiet() Emit {
	return func(r Record) {
		if r.Class == Good && r.Count == "" {
			r.Class = Folded
		}
		emit(r)
	}
}

// block gives held lines as one record, if there are any.
func (emit Emit) block(c Class, held *[]Line) {
	if ls := take(held); ls != nil {
		emit(Record{Class: c, Lines: ls})
	}
}

// open gives a record that was held, if there is one.
func (emit Emit) open(r *Record) {
	if r.Lines != nil {
		emit(take(r))
	}
}

// take empties what holds something, and returns what it held.
func take[T any](held *T) T {
	t := *held
	*held = *new(T)
	return t
}

// instead gives text in place of lines, where the last of them stands.
func (emit Emit) instead(c Class, text string, ls ...Line) {
	for _, l := range ls {
		if !l.Keep {
			l.Text = ""
		}
		emit.line(Folded, l)
	}
	emit(Record{Class: c, Instead: true, Lines: []Line{{N: ls[len(ls)-1].N, Text: text}}})
}

// split parts what is wanted from the rest.
func split[T any](all []T, wanted func(i int, t T) bool) (keep, drop []T) {
	for i, t := range all {
		if wanted(i, t) {
			keep = append(keep, t)
		} else {
			drop = append(drop, t)
		}
	}
	return keep, drop
}

// hold adds a line to a block that holds so many; of those beyond, class says
// what becomes of them.
func (emit Emit) hold(held *[]Line, most int, beyond Class, l Line) {
	if len(*held) >= most {
		emit.line(beyond, l)
		return
	}
	*held = append(*held, l)
}

// oneOf reports whether s is one of the words.
func oneOf(s string, words ...string) bool { return slices.Contains(words, s) }

// cutAny cuts the first of the prefixes that s begins with off it.
func cutAny(s string, prefixes ...string) (prefix, rest string, ok bool) {
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(s, p); ok {
			return p, rest, true
		}
	}
	return "", s, false
}

// hasSuffix reports whether s ends with one of the suffixes.
func hasSuffix(s string, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(w string) bool { return strings.HasSuffix(s, w) })
}

// A set remembers so many words.
type set map[string]bool

const unlimited = math.MaxInt

func (s *set) add(word string, most int) {
	if *s == nil {
		*s = set{}
	}
	if len(*s) < most {
		(*s)[word] = true
	}
}

// A tally counts words.
type tally map[string]int

// next counts a word, and returns how often it has come.
func (t *tally) next(word string) int {
	if *t == nil {
		*t = tally{}
	}
	(*t)[word]++
	return (*t)[word]
}

// pending are lines that wait for the result of their test, by its name.
type pending struct {
	of map[string][]Line
	n  int // of all
}

func (p *pending) add(name string, ls ...Line) {
	if p.of == nil {
		p.of = map[string][]Line{}
	}
	p.of[name] = append(p.of[name], ls...)
	p.n += len(ls)
}

// names are those of the tests, by where their lines begin.
func (p *pending) names() []string {
	return slices.SortedFunc(maps.Keys(p.of), func(a, b string) int { return p.of[a][0].N - p.of[b][0].N })
}

// take returns the lines of a test, which do not wait any more.
func (p *pending) take(name string) []Line {
	ls := p.of[name]
	delete(p.of, name)
	p.n -= len(ls)
	return ls
}

// A form is a kind of line that a tool prints, and what it is worth. A line has
// the form if all holds that is given of it.
type form struct {
	class Class
	count string // as in a record
	opens bool   // as in a mark
	joins bool   // as in a mark
	key   string // as in a mark; or sameLine, sameInset

	start  words  // it begins with one of these
	inset  words  // it does so but for its indentation
	has    words  // one of these is in it
	lacks  words  // none of these is in it
	end    words  // it ends with one of these
	is     words  // it is one of these
	counts words  // it is a number and then one of these
	only   string // it has none but these characters
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
			m := mark{class: f.class, count: f.count, key: f.key, opens: f.opens, joins: f.joins}
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

// record is the record of a line by its form.
func (m mark) record(l Line) Record {
	return Record{Class: m.class, Count: m.count, Key: m.key, Site: m.site, Lines: []Line{l}}
}

// joined is lines as one text.
func joined(ls []Line) string {
	var b strings.Builder
	for _, l := range ls {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

// said joins what lines say but for those that skip is for.
func said(ls []Line, skip func(string) bool) string {
	var b strings.Builder
	for _, l := range ls {
		if t := strings.TrimSpace(l.Text); skip == nil || !skip(t) {
			b.WriteString(t + "\n")
		}
	}
	return b.String()
}

// or gives a line by its form s, and one that has none to another parser.
func (fs forms) or(rest Parser, l Line, s string, emit Emit) {
	m, ok := fs.mark(s)
	if !ok {
		rest.Line(l, emit)
		return
	}
	rest.Close(emit)
	emit(m.record(l))
}

func (f *form) fits(s string) bool {
	return (f.start == nil || hasPrefix(s, f.start...)) &&
		(f.inset == nil || hasPrefix(strings.TrimLeft(s, " "), f.inset...)) &&
		(f.has == nil || hasAny(s, f.has...)) &&
		(f.lacks == nil || !hasAny(s, f.lacks...)) &&
		(f.end == nil || hasSuffix(s, f.end...)) &&
		(f.is == nil || oneOf(s, f.is...)) &&
		(f.counts == nil || counted(s, f.counts...)) &&
		(f.only == "" || s != "" && strings.Trim(s, f.only) == "") &&
		(f.test == nil || f.test(s))
}
