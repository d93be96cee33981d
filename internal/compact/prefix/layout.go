// Package prefix learns what is repeated in front of each line of an output: a
// time, the name of a service or a task, a level, a number. It knows forms and
// no programs; whether what it learnt is put there by a runner around the tool
// is for the one who asks to judge.
//
// Only the packages of internal/compact may import it; it imports none of ours.
package prefix

import (
	"slices"
	"strings"
)

// A role says what a field tells.
type role uint8

const (
	when  role = iota // when the line was written
	whose             // whose line it is
	other             // a level, a process, a counter
)

// A field is one part of a prefix.
type field struct {
	kind   kind
	role   role
	values map[string]bool // of a name; nil for the rest
	level  bool            // its values say how grave a line is
	pad    int             // spaces that belong to it, at most
	width  int             // of value and padding, where the rest is aligned; or 0
}

// A Layout is a prefix that was learnt.
type Layout struct {
	fields []field
	share  float64 // of the lines that were looked at, those that have it
	logged bool    // it has a level, or is a time in front of one
}

// A Line is one line without its prefix.
type Line struct {
	Whose string // the names in it: "unit\tTest", "web-1"
	When  string
	Text  string
}

const (
	minLines  = 8   // that an output must have for anything to be learnt
	lookLines = 400 // that are looked at
	maxDepth  = 6   // fields of one prefix
	maxNames  = 40  // different names in the lines that are looked at
)

// Learn returns the prefixes that most of the lines may have, the shortest
// first. Each next one takes a field more.
func Learn(ls []string) []*Layout {
	var rows []string
	for _, l := range ls {
		if strings.TrimSpace(l) != "" {
			rows = append(rows, l)
		}
		if len(rows) == lookLines {
			break
		}
	}
	if len(rows) < minLines {
		return nil
	}
	all := len(rows)
	var fields []field
	var out []*Layout
	for len(fields) < maxDepth {
		f, rest := next(rows, len(fields) > 0)
		if f == nil || len(fields) == 0 && float64(len(rest)) < leastShare*float64(all) {
			break
		}
		if f.role == when && slices.ContainsFunc(fields, func(f field) bool { return f.role == when }) {
			break // a second time is the tool's own
		}
		fields = append(fields, *f)
		l := &Layout{fields: slices.Clone(fields), share: float64(len(rest)) / float64(all)}
		if l.logged = l.Leveled(); l.logged {
			for _, before := range out {
				before.logged = before.logged || len(before.fields) == len(fields)-1 && before.fields[len(fields)-2].role == when
			}
		}
		out = append(out, l)
		if f.pad > 1 { // of the spaces behind it all but one may be the tool's
			narrow := &Layout{fields: slices.Clone(fields), share: l.share, logged: l.logged}
			narrow.fields[len(fields)-1].pad = 1
			out = append(out[:len(out)-1], narrow, l)
		}
		rows = rest
	}
	return out
}

const (
	leastShare = 0.5 // of the lines have the first field
	nextShare  = 0.9 // and of these, each next one
	wordShare  = 0.97
)

// next finds the field that the rows begin with, and what is behind it. within
// says that another field stands in front.
func next(rows []string, within bool) (*field, []string) {
	var best *field
	var behind []string
	for _, k := range [...]kind{stamp, number, bracket, piped, tabbed, colon, word} {
		if k == word && (!within || best != nil) {
			break
		}
		if f, rest := read(k, rows, within); f != nil && len(rest)*20 > len(behind)*21 {
			best, behind = f, rest
		}
	}
	return best, behind
}

// read tries one kind of field on all rows.
func read(k kind, rows []string, within bool) (*field, []string) {
	least := leastShare
	if within {
		least = nextShare
	}
	if k == word {
		least = wordShare
	}
	values := map[string]int{}
	var rest, found []string // found is "" where the row is blank
	n, missed := 0, 0
	for _, row := range rows {
		if within && strings.TrimSpace(row) == "" {
			rest, found = append(rest, ""), append(found, "")
			continue
		}
		value, end, ok := scan(k, row)
		if !ok {
			if missed++; float64(missed) > (1-least)*float64(len(rows)) {
				return nil, nil
			}
			continue
		}
		n++
		values[value]++
		rest, found = append(rest, row[end:]), append(found, value)
	}
	if n < minLines {
		return nil, nil
	}
	f := &field{kind: k}
	if !f.fits(values, found, n) {
		return nil, nil
	}
	f.align(found, rest)
	for i := range rest {
		rest[i] = f.unpad(found[i], rest[i])
	}
	return f, rest
}

// fits decides whether the values are those of a field, and what it tells.
func (f *field) fits(values map[string]int, found []string, n int) bool {
	switch f.kind {
	case stamp:
		f.role = when
		return true
	case number:
		f.role = when
		return rises(found)
	}
	levels := true
	for v := range values {
		levels = levels && level(v)
	}
	if f.level = levels; levels {
		f.role = other
		return len(values) > 1 || f.kind != colon
	}
	if len(values) > maxNames || n < 4*len(values) && len(values) > 1 {
		return f.counts(values)
	}
	once := 0
	for _, n := range values {
		if n == 1 {
			once++
		}
	}
	if once*10 > n {
		return false
	}
	if f.role = whose; f.kind == word {
		if len(values) > 6 || len(values) > 1 && n < 6*len(values) {
			return false
		}
		for v := range values {
			if len(values) > 1 || strings.IndexFunc(v, isName) < 0 {
				f.role = other
				return true
			}
		}
	}
	f.values = map[string]bool{}
	for v, n := range values {
		if n > 1 || f.kind != colon && f.kind != word { // once, a tool may say so: "error: "
			f.values[v] = true
		}
	}
	return true
}

func isName(r rune) bool { return r >= 0x80 || r < 0x80 && (letter(byte(r)) || digit(byte(r))) }

// counts reports whether values in brackets are numbers: of processes, of steps.
func (f *field) counts(values map[string]int) bool {
	if f.kind != bracket {
		return false
	}
	bare := map[string]bool{}
	for v := range values {
		bare[strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return -1
			}
			return r
		}, v)] = true
	}
	f.role = other
	for v := range bare {
		if strings.IndexFunc(v, isName) >= 0 {
			return false // a name with a number is a name
		}
	}
	return len(bare) <= 3
}

// rises reports whether numbers are times since something: with a fraction, and
// none is followed by a smaller one, but for a few; or with one of so many digits
// that they are times between two lines.
func rises(found []string) bool {
	falls, same, prev, exact := 0, 0, "", -1
	for i, v := range found {
		if v == "" {
			continue
		}
		v = strings.Trim(v, "[](){}<>: +smhuµ,")
		dot := strings.IndexAny(v, ".,")
		if dot < 0 {
			return false
		}
		if i > 0 {
			if less(v, prev) {
				falls++
			}
			if v == prev {
				same++
			}
		}
		if n := len(v) - dot - 1; exact == -1 {
			exact = n
		} else if n != exact {
			exact = 0
		}
		prev = v
	}
	return same < len(found)-1 && (falls*20 <= len(found) || exact >= clockDigits)
}

// clockDigits are those behind the point of a number that a clock gave.
const clockDigits = 6

// less compares two numbers by their text.
func less(a, b string) bool {
	ia, ib := strings.IndexAny(a+".", ".,"), strings.IndexAny(b+".", ".,")
	if ia != ib {
		return ia < ib
	}
	return a < b
}

// align finds how many of the spaces behind the values are padding.
func (f *field) align(found, rest []string) {
	shortest := map[string]int{}
	f.pad = maxPad
	for i, r := range rest {
		v := found[i]
		if strings.TrimSpace(r) == "" {
			continue
		}
		n := spaces(r)
		if f.kind == tabbed {
			n = 0
		}
		f.pad = min(f.pad, n)
		if least, ok := shortest[v]; !ok || n < least {
			shortest[v] = n
		}
	}
	if len(shortest) < 2 || f.kind == stamp || f.kind == number {
		return
	}
	width, differ, first := 0, false, -1
	for v, n := range shortest {
		if w := len(v) + n; width == 0 {
			width, first = w, len(v)
		} else if w != width {
			return
		}
		differ = differ || len(v) != first
	}
	if differ {
		f.width = width
	}
}

// unpad takes the padding away from what is behind a value.
func (f *field) unpad(value, s string) string {
	n := f.pad
	if f.width > 0 && value != "" {
		n = f.width - len(value)
	}
	if n == 0 && len(s) > 0 && s[0] == '\t' {
		return s[1:]
	}
	return s[min(max(n, 0), spaces(s)):]
}

// level reports whether v is a word for how grave a line is.
func level(v string) bool {
	switch strings.ToUpper(strings.Trim(v, "[](){}<>: ")) {
	case "TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "ERR", "FATAL", "CRITICAL", "CRIT", "SEVERE", "PANIC", "D", "I", "W", "E":
		return true
	}
	return false
}

// Cut takes the prefix away from a line; ok is false for a line without it.
func (l *Layout) Cut(s string) (out Line, ok bool) {
	rest := s
	for i := range l.fields {
		f := &l.fields[i]
		value, end, found := scan(f.kind, rest)
		if found && f.values != nil && !f.values[value] {
			found = f.takes(value)
		}
		if !found {
			if i > 0 && strings.TrimSpace(rest) == "" {
				rest = ""
			}
			out.Text = rest
			return out, i > 0
		}
		switch f.role {
		case when:
			if out.When == "" {
				out.When = value
			}
		case whose:
			if out.Whose == "" {
				out.Whose = value
			} else {
				out.Whose += "\t" + value
			}
		}
		rest = f.unpad(value, rest[end:])
	}
	out.Text = rest
	return out, true
}

// takes reports whether a value that was not seen when the prefix was learnt may
// be one more name: it looks like those. Behind a colon anything may stand that a
// tool says, so there it must look so with more than letters.
func (f *field) takes(value string) bool {
	if f.kind != colon && f.kind != word && f.kind != bracket {
		return true
	}
	form := skeleton(value)
	if form == "a" || level(value) {
		return false
	}
	for v := range f.values {
		if skeleton(v) == form {
			return true
		}
	}
	return false
}

// skeleton is what is left of a name when each run of letters, digits and
// hyphens is one letter.
func skeleton(s string) string {
	var b strings.Builder
	run := false
	for i := 0; i < len(s); i++ {
		in := letter(s[i]) || digit(s[i]) || s[i] == '-' || s[i] == '_' || s[i] >= 0x80
		switch {
		case in && !run:
			b.WriteByte('a')
		case !in:
			b.WriteByte(s[i])
		}
		run = in
	}
	return b.String()
}

// Named reports whether the prefix begins with whose line it is.
func (l *Layout) Named() bool {
	return len(l.fields) > 0 && l.fields[0].role == whose
}

// Plain reports whether the prefix begins with a time, or is one name that could
// not be a word of a sentence, on nearly all lines.
func (l *Layout) Plain() bool {
	first := &l.fields[0]
	if l.share < nextShare || first.kind == stamp || len(first.values) != 1 {
		return l.share >= nextShare && first.kind == stamp
	}
	for name := range first.values {
		return first.kind != colon || strings.Trim(skeleton(name), "a ") != ""
	}
	return false
}

// Timed reports whether the prefix has a time.
func (l *Layout) Timed() bool {
	return slices.ContainsFunc(l.fields, func(f field) bool { return f.role == when })
}

// Leveled reports whether the prefix says how grave a line is, as a program does
// of what it logs.
func (l *Layout) Leveled() bool {
	return slices.ContainsFunc(l.fields, func(f field) bool { return f.level })
}

// Logged reports whether the prefix ends with what a program puts before each
// line that it logs: a level, or the time in front of one.
func (l *Layout) Logged() bool { return l.logged }

// Journal reports whether a prefix is that of a system's log: behind a time, a
// program with the number of its process.
func Journal(layouts []*Layout) bool {
	if len(layouts) == 0 {
		return false
	}
	timed := false
	for _, f := range layouts[len(layouts)-1].fields {
		timed = timed || f.kind == stamp
		for name := range f.values {
			if i := strings.IndexByte(name, '['); timed && f.kind == colon && i > 0 && digits(name[i+1:])+i+2 == len(name) {
				return true
			}
		}
	}
	return false
}
