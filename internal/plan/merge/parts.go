package merge

import (
	"slices"
	"strconv"
	"strings"

	"cairn/internal/plan/doc"
)

// A part is one thing that a document says: a field, a list with its items, a
// table with its rows, or the text between those. The parts of a document
// together are its lines, each once.
type part struct {
	key   string // what it is called in all three versions
	kind  kind
	lines []string // without their ends; of a list those before its items
	parts []part   // the items of a list, the rows of a table, the entries of a section
	apart bool     // of a section: a blank line stands before it
	row   tableRow // of a row: where it stands in its document
}

type kind int

const (
	text kind = iota
	field
	list
	item
	table
	row
	section
	front // the frontmatter; its parts are entries
	entry
)

// tableRow is a row as package doc edits it.
type tableRow struct {
	head  []string // the table's first two lines
	cols  []string // what they are called
	cells []string
}

// all returns the lines of a part with those of its own parts.
func (p *part) all() []string {
	out := append([]string(nil), p.lines...)
	for i := range p.parts {
		sub := p.parts[i].all()
		if p.parts[i].kind == section && p.parts[i].apart && len(out) > 0 && strings.TrimSpace(out[len(out)-1]) != "" {
			out = append(out, "")
		}
		out = append(out, sub...)
	}
	return out
}

func (p *part) same(q *part) bool { return strings.Join(p.all(), "\n") == strings.Join(q.all(), "\n") }

// alike is same, whatever blank lines there are.
func (p *part) alike(q *part) bool {
	isBlank := func(line string) bool { return strings.TrimSpace(line) == "" }
	return slices.Equal(slices.DeleteFunc(p.all(), isBlank), slices.DeleteFunc(q.all(), isBlank))
}

// isBlank: text that only keeps others apart.
func (p *part) isBlank() bool {
	return p.kind == text && strings.TrimSpace(strings.Join(p.lines, "")) == ""
}

// reader takes a document apart.
type reader struct {
	*doc.Text
	names  names
	tables map[int]doc.Table
	used   map[string]int
}

// names says what a document's parts are called, where their words do not.
type names struct {
	heading func(doc.Heading) string
	item    func(doc.Item) string
	row     func(doc.Table, int) string
}

// read takes a document apart: its frontmatter, then a section for each heading.
func read(t *doc.Text, n names) part {
	r := &reader{Text: t, names: n, tables: map[int]doc.Table{}, used: map[string]int{}}
	whole := part{}
	body := t.Body()
	if body > 0 {
		whole.parts = append(whole.parts, r.front(body))
	}
	heads := t.Headings()
	end := func(i int) int {
		if i < len(heads) {
			return heads[i].Line
		}
		return t.Len()
	}
	first := part{kind: section, key: "before"}
	first.parts = r.body(body, end(0), first.key)
	whole.parts = append(whole.parts, first)
	var above []doc.Heading
	for i, h := range heads {
		for len(above) > 0 && above[len(above)-1].Level >= h.Level {
			above = above[:len(above)-1]
		}
		above = append(above, h)
		key := ""
		if n.heading != nil {
			key = n.heading(h)
		}
		if key == "" {
			for _, a := range above {
				key += "/" + a.Text
			}
		}
		s := part{kind: section, key: r.once("section " + key), lines: t.Lines(h.Line, h.Line+1)}
		s.apart = h.Line > 0 && strings.TrimSpace(t.Line(h.Line-1)) == ""
		s.parts = r.body(h.Line+1, end(i+1), s.key)
		whole.parts = append(whole.parts, s)
	}
	return whole
}

// once makes a key that no other part has.
func (r *reader) once(key string) string {
	r.used[key]++
	if n := r.used[key]; n > 1 {
		return key + " #" + strconv.Itoa(n)
	}
	return key
}

// front reads an entry for each key at the outermost level.
func (r *reader) front(body int) part {
	f := part{kind: front, key: "front", lines: r.Lines(0, 1)}
	for i := 1; i < body-1; i++ {
		line := r.Line(i)
		if name, _, ok := strings.Cut(line, ":"); ok && strings.IndexByte(" \t-#", line[0]) < 0 {
			f.parts = append(f.parts, part{kind: entry, key: r.once("key " + name)})
		} else if len(f.parts) == 0 {
			f.parts = append(f.parts, part{kind: text, key: "front text"})
		}
		last := &f.parts[len(f.parts)-1]
		last.lines = append(last.lines, line)
	}
	f.parts = append(f.parts, part{kind: text, key: "front end", lines: r.Lines(body-1, body)})
	return f
}

// body takes the lines [from, to) apart, none of which is a heading.
func (r *reader) body(from, to int, in string) (out []part) {
	for _, tb := range r.Tables(from, to) {
		r.tables[tb.Line] = tb
	}
	label := in // the last thing that is no item, row or blank line
	for i := from; i < to; {
		p := r.next(i, to)
		switch p.kind {
		case text:
			if last := len(out) - 1; last >= 0 && out[last].kind == text {
				out[last].lines = append(out[last].lines, p.lines...)
			} else {
				after := label
				if len(out) > 0 {
					after = out[len(out)-1].key
				}
				p.key = r.once("after " + after)
				out = append(out, p)
			}
			if !p.isBlank() {
				label = in + " " + p.lines[len(p.lines)-1]
			}
		case field:
			f, _ := r.Field(i, i+1, fieldName(p.lines[0]))
			p.key = r.once(in + " field " + strings.ToLower(f.Name))
			label = p.key
			out = append(out, p)
		default:
			p.key = r.once(label + " " + strconv.Itoa(int(p.kind)))
			for k := range p.parts {
				p.parts[k].key = r.once(p.key + " " + p.parts[k].key)
			}
			out = append(out, p)
		}
		i += len(p.all())
	}
	return out
}

func fieldName(line string) string {
	fields := doc.New(line).Fields(0, 1)
	if len(fields) == 0 {
		return ""
	}
	return fields[0].Name
}

// next reads the part that begins at line i.
func (r *reader) next(i, to int) part {
	if tb, ok := r.tables[i]; ok {
		p := part{kind: table, lines: r.Lines(i, i+2)}
		for n := range tb.Rows {
			at := tb.Line + 2 + n
			p.parts = append(p.parts, part{kind: row, key: r.rowKey(tb, n), lines: r.Lines(at, at+1), row: tableRow{p.lines, tb.Head, tb.Rows[n]}})
		}
		return p
	}
	if r.Code(i) {
		return part{kind: text, lines: r.Lines(i, i+1)}
	}
	if first, ok := r.itemAt(i); ok {
		p := part{kind: list}
		for i < to {
			it, ok := r.itemAt(i)
			if !ok || it.Indent < first.Indent {
				break
			}
			end := r.itemEnd(it, to)
			p.parts = append(p.parts, part{kind: item, key: r.itemKey(it), lines: r.Lines(i, end)})
			i = end
		}
		return p
	}
	if doc.IsNone(r.Line(i)) { // a list that is empty yet
		return part{kind: list, lines: r.Lines(i, i+1)}
	}
	if len(r.Fields(i, i+1)) > 0 {
		return part{kind: field, lines: r.Lines(i, i+1)}
	}
	return part{kind: text, lines: r.Lines(i, i+1)}
}

func (r *reader) itemAt(i int) (doc.Item, bool) {
	items := r.Items(i, i+1)
	if len(items) == 0 || doc.IsNone(items[0].Text) && !items[0].Box {
		return doc.Item{}, false
	}
	return items[0], true
}

// itemEnd returns the line after an item and what is indented below it.
func (r *reader) itemEnd(it doc.Item, to int) int {
	i := it.Line + 1
	for i < to && !r.isCodeEdge(i) {
		line := r.Line(i)
		if indent := len(line) - len(strings.TrimLeft(line, " \t")); indent == len(line) || indent <= it.Indent {
			break
		}
		i++
	}
	return i
}

func (r *reader) isCodeEdge(i int) bool { return r.Code(i) && !r.Code(i-1) }

func (r *reader) itemKey(it doc.Item) string {
	if r.names.item != nil {
		if key := r.names.item(it); key != "" {
			return key
		}
	}
	return it.Text
}

func (r *reader) rowKey(tb doc.Table, n int) string {
	if r.names.row != nil {
		if key := r.names.row(tb, n); key != "" {
			return key
		}
	}
	return strings.Join(tb.Rows[n], "|")
}
