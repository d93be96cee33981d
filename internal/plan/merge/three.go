package merge

import (
	"slices"
	"strings"
)

// Markers of a conflict, as git writes them.
const (
	oursMark   = "<<<<<<< ours"
	middleMark = "======="
	theirsMark = ">>>>>>> theirs"
)

// merger merges three versions of a document part by part.
type merger struct {
	lines     Lines
	settle    func(p place, base, ours, theirs string) (string, bool) // of a value that both changed; nil is never
	less      func(a, b string) (less, ok bool)                       // the order of two keys that have one
	conflicts int
}

// place says which value is asked for.
type place struct {
	kind kind
	name string // of a field or an entry; of a row the column
	key  string
}

// Lines merges lines that are text, as git does. A conflict has markers in what
// it returns.
type Lines func(base, ours, theirs []byte) (merged []byte, conflicts int, err error)

// sequence merges parts that have keys: what one version has more is kept, what
// one has removed goes unless the other has changed it.
func (m *merger) sequence(base, ours, theirs []part) []part {
	b, o, t := index(base), index(ours), index(theirs)
	var out []part
	for _, p := range ours {
		was, inBase := b[p.key]
		other, inTheirs := t[p.key]
		switch {
		case inTheirs:
			out = append(out, m.part(was, p, *other))
		case !inBase || !p.alike(was):
			out = append(out, p)
		}
	}
	for i, p := range theirs {
		if _, inOurs := o[p.key]; inOurs {
			continue
		}
		if was, inBase := b[p.key]; inBase && p.alike(was) {
			continue
		}
		at := m.position(out, theirs[:i], p, t)
		if p.isBlank() && (at > 0 && out[at-1].isBlank() || at < len(out) && out[at].isBlank()) {
			continue
		}
		out = slices.Insert(out, at, p)
	}
	return out
}

func index(parts []part) map[string]*part {
	by := make(map[string]*part, len(parts))
	for i := range parts {
		by[parts[i].key] = &parts[i]
	}
	return by
}

// position returns where a part of theirs goes: in the order of the keys where
// they have one, else behind the nearest part before it that both have, and
// behind what only ours has there.
func (m *merger) position(out, before []part, p part, theirs map[string]*part) int {
	if m.less != nil {
		last, first := -1, -1
		for i, q := range out {
			if less, ok := m.less(q.key, p.key); ok && less {
				last = i
			} else if ok && first < 0 {
				first = i
			}
		}
		switch {
		case last >= 0:
			for last+1 < len(out) && m.belongs(out[last+1], out[last]) {
				last++
			}
			return last + 1
		case first >= 0:
			return first
		}
	}
	at := 0
	for i := len(before) - 1; i >= 0; i-- {
		if k := slices.IndexFunc(out, func(q part) bool { return q.key == before[i].key }); k >= 0 {
			at = k + 1
			break
		}
	}
	for at < len(out) && theirs[out[at].key] == nil && out[at].kind != text {
		at++
	}
	return at
}

// belongs reports whether a section is below another one's heading.
func (m *merger) belongs(p, above part) bool {
	if p.kind != section || len(p.lines) == 0 || len(above.lines) == 0 {
		return false
	}
	_, ordered := m.less(p.key, above.key)
	return !ordered && level(p) > level(above)
}

// level is how deep a section's heading is.
func level(p part) int {
	if len(p.lines) == 0 {
		return 0
	}
	return len(p.lines[0]) - len(strings.TrimLeft(p.lines[0], "#"))
}

// part merges one part that ours and theirs both have; was is nil where both
// made it.
func (m *merger) part(was *part, ours, theirs part) part {
	switch {
	case ours.same(&theirs):
		return ours
	case was != nil && ours.same(was):
		return theirs
	case was != nil && theirs.same(was):
		return ours
	}
	if was == nil {
		was = &part{kind: ours.kind}
	}
	switch ours.kind {
	case text:
		return m.text(*was, ours, theirs)
	case item:
		return m.item(*was, ours, theirs)
	case row:
		return m.row(*was, ours, theirs)
	case field, entry:
		return m.value(*was, ours, theirs)
	}
	out := ours
	out.lines = m.head(*was, ours, theirs)
	if out.parts = m.sequence(was.parts, ours.parts, theirs.parts); ours.kind == list {
		if len(out.parts) == 0 && len(out.lines) == 0 {
			out.lines = theirs.lines
		}
		if len(out.parts) > 0 {
			out.lines = nil // what said that there is nothing
		}
	}
	return out
}

// head merges the lines before a part's own parts: a heading, or a table's head.
func (m *merger) head(was, ours, theirs part) []string {
	if ours.kind == list {
		return ours.lines
	}
	return m.either(place{ours.kind, "", ours.key}, was.lines, ours.lines, theirs.lines)
}

// either takes the version that changed; where both did the value is settled, or
// both stand between markers.
func (m *merger) either(p place, was, ours, theirs []string) []string {
	switch {
	case slices.Equal(ours, theirs) || slices.Equal(theirs, was):
		return ours
	case slices.Equal(ours, was):
		return theirs
	}
	if m.settle != nil {
		if s, ok := m.settle(p, strings.Join(was, "\n"), strings.Join(ours, "\n"), strings.Join(theirs, "\n")); ok {
			return strings.Split(s, "\n")
		}
	}
	m.conflicts++
	return slices.Concat([]string{oursMark}, ours, []string{middleMark}, theirs, []string{theirsMark})
}

// value merges a field, or an entry of the frontmatter.
func (m *merger) value(was, ours, theirs part) part {
	p := place{kind: ours.kind, key: ours.key}
	switch ours.kind {
	case field:
		p.name = fieldName(ours.lines[0])
	default:
		p.name, _, _ = strings.Cut(ours.lines[0], ":")
	}
	if len(was.lines) == 0 && ours.kind == field {
		was.lines = []string{""}
	}
	ours.lines = m.either(p, was.lines, ours.lines, theirs.lines)
	return ours
}

func (m *merger) text(was, ours, theirs part) part {
	if s, ok := newerDate(strings.Join(ours.lines, "\n"), strings.Join(theirs.lines, "\n")); ok {
		ours.lines = strings.Split(s, "\n")
		return ours
	}
	join := func(lines []string) []byte {
		if len(lines) == 0 {
			return nil
		}
		return []byte(strings.Join(lines, "\n") + "\n")
	}
	merged, conflicts, err := m.lines(join(was.lines), join(ours.lines), join(theirs.lines))
	if err != nil {
		ours.lines = m.either(place{kind: text}, was.lines, ours.lines, theirs.lines)
		return ours
	}
	m.conflicts += conflicts
	ours.lines = nil
	if s := strings.TrimSuffix(string(merged), "\n"); len(merged) > 0 {
		ours.lines = strings.Split(s, "\n")
	}
	return ours
}

// item merges a list item: its own line, then the lines below it. Two texts that
// are both new are two items' worth: see rules.
func (m *merger) item(was, ours, theirs part) part {
	rest := func(p part) part {
		q := part{kind: text}
		if len(p.lines) > 1 {
			q.lines = p.lines[1:]
		}
		return q
	}
	first := func(p part) []string { return p.lines[:min(1, len(p.lines))] }
	head := m.either(place{item, "", ours.key}, first(was), first(ours), first(theirs))
	w, o, t := rest(was), rest(ours), rest(theirs)
	out := ours
	switch {
	case o.same(&t) || t.same(&w):
		out.lines = slices.Concat(head, o.lines)
	case o.same(&w):
		out.lines = slices.Concat(head, t.lines)
	default:
		out.lines = slices.Concat(head, m.below(w, o, t))
	}
	return out
}

// below merges what is indented below an item.
func (m *merger) below(was, ours, theirs part) []string {
	nested := func(p part) part { return read(docOf(p.lines), names{}) }
	w, o, t := nested(was), nested(ours), nested(theirs)
	out := part{parts: m.sequence(w.parts, o.parts, t.parts)}
	return out.all()
}

// row merges a table's row cell by cell, in the form that ours has.
func (m *merger) row(was, ours, theirs part) part {
	cellsOf := func(p part) []string {
		if len(p.lines) == 0 {
			return nil
		}
		return p.row.cells
	}
	b, o, t := cellsOf(was), cellsOf(ours), cellsOf(theirs)
	if len(o) != len(t) || len(b) > 0 && len(b) != len(o) {
		ours.lines = m.either(place{row, "", ours.key}, was.lines, ours.lines, theirs.lines)
		return ours
	}
	cell := func(cells []string, i int) string {
		if i < len(cells) {
			return cells[i]
		}
		return ""
	}
	merged, rival := slices.Clone(o), slices.Clone(t)
	conflict := false
	for i := range o {
		switch {
		case o[i] == t[i] || len(b) > 0 && t[i] == cell(b, i):
		case len(b) > 0 && o[i] == cell(b, i):
			merged[i] = t[i]
		default:
			name := ""
			if i < len(ours.row.cols) {
				name = ours.row.cols[i]
			}
			if s, ok := m.settled(place{row, name, ours.key}, cell(b, i), o[i], t[i]); ok {
				merged[i] = s
				break
			}
			conflict = true
			continue
		}
		rival[i] = merged[i]
	}
	line := func(cells []string) string { return ours.row.with(ours.lines[0], cells) }
	if !conflict {
		ours.lines = []string{line(merged)}
		return ours
	}
	m.conflicts++
	ours.lines = []string{oursMark, line(merged), middleMark, line(rival), theirsMark}
	return ours
}

func (m *merger) settled(p place, was, ours, theirs string) (string, bool) {
	if s, ok := newerDate(ours, theirs); ok {
		return s, true
	}
	if m.settle == nil {
		return "", false
	}
	return m.settle(p, was, ours, theirs)
}
