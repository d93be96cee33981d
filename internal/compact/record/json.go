package record

import (
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/text"
)

// jsonText is the parser for JSON: a document over many lines, one on a
// single line, or one a line (NDJSON). Of a list or a map the first entries
// stay whole; of each further one a row of what identifies it is kept, the
// rows of alike entries under one header of their keys.
type jsonText struct {
	stack  []*jsonNode // the open containers; empty before the first
	roots  jsonNode    // documents one after another count as a list
	last   Record      // the last kept line, which may still get a note
	single int         // documents on a line of their own
	deep   int         // containers open beyond jsonDepth
}

// A jsonNode is an open container.
type jsonNode struct {
	list    bool
	objects int // entries that are containers
	scalars int
	left    int      // entries left out and not shown as a row
	item    *jsonRow // set where the entries of a skipped entry are collected
}

const (
	jsonItems   = 2   // entries of a list that stay whole when they are containers
	jsonSection = 8   // the same of an object: its sections
	jsonValues  = 10  // scalars of a list
	jsonKeys    = 40  // scalars of an object
	jsonDepth   = 500 // containers within one another
	jsonLines   = 3   // NDJSON documents that stay whatever they say
)

func (*jsonText) wide() {}

func (p *jsonText) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	switch {
	case len(p.stack) > 0:
		p.inside(l, t, emit)
	case t == "":
		emit.line(Folded, l)
	case t == "{" || t == "[":
		p.roots.list = true
		p.entry(l, t, &p.roots, emit)
	case (t[0] == '{' || t[0] == '[') && !jsonOpens(t):
		p.document(l, t, emit)
	case toolSays(t):
		emit.line(Keep, l)
	case p.single > 0:
		l.Text = width(l.Text) // a piece of a document
		emit.line(Body, l)
	default:
		l.Text = lines.Clip(l.Text)
		emit.line(Body, l)
	}
}

// document takes JSON that stands on one line.
func (p *jsonText) document(l Line, t string, emit Emit) {
	cut := l.Text
	if len(t) > cutSmall {
		cut = cutJSON(t)
	}
	class, key := Body, ""
	if p.single++; p.single <= jsonLines {
		class = Keep
	}
	l.Text, t = cut, l.Text
	if faulty(t) {
		class, key = Keep, lines.Template(cut)
		l.Text = lines.Clip(t) // with its stack
	}
	emit(Record{Class: class, Key: key, Lines: []Line{l}})
}

// faulty reports whether a log line in JSON is of level error or worse.
func faulty(t string) bool {
	for _, key := range [...]string{`"level":`, `"severity":`, `"lvl":`} {
		_, value, _ := strings.Cut(t, key)
		if hasPrefix(strings.ToLower(strings.TrimLeft(value, " ")), `"err`, `"fatal`, `"crit`, `"panic`, "50", "60") {
			return true
		}
	}
	return false
}

// inside takes a line of a document over many lines.
func (p *jsonText) inside(l Line, t string, emit Emit) {
	top := p.stack[len(p.stack)-1]
	switch {
	case t == "":
		emit.line(Folded, l)
	case p.deep > 0 || len(p.stack) > jsonDepth && jsonOpens(t):
		if jsonOpens(t) {
			p.deep++
		} else if t[0] == '}' || t[0] == ']' {
			p.deep--
		}
		emit.line(Good, l)
	case t[0] == '}' || t[0] == ']':
		p.shut(l, top, emit)
		if len(t) > 1 && jsonOpens(t) { // "}, {"
			p.push(t, top.item)
		}
	default:
		p.entry(l, t, top, emit)
	}
}

// entry takes the line that begins an entry of node.
func (p *jsonText) entry(l Line, t string, node *jsonNode, emit Emit) {
	key, value := jsonKey(t)
	opened := jsonOpens(t)
	switch {
	case node.item != nil:
		if !opened {
			node.item.scalar(key, value)
		}
		emit.line(Folded, l)
		if opened {
			p.push(t, node.item.under(key, strings.HasSuffix(t, "[")))
		}
	case node.full(opened):
		row := &jsonRow{line: l}
		if key != "" {
			row.add("key", key)
		}
		if !opened {
			node.left++
			emit.line(Folded, l)
			return
		}
		row.owner = node
		p.push(t, row)
	default:
		l.Text = width(l.Text)
		p.keep(l, emit)
		if opened {
			p.push(t, nil)
		}
	}
}

// full counts an entry and reports whether it is one too many.
func (n *jsonNode) full(container bool) bool {
	if container {
		n.objects++
		return n.objects > jsonSection || n.list && n.objects > jsonItems
	}
	n.scalars++
	return n.scalars > jsonKeys || n.list && n.scalars > jsonValues
}

func (p *jsonText) push(t string, item *jsonRow) {
	p.stack = append(p.stack, &jsonNode{list: strings.HasSuffix(t, "["), item: item})
}

// shut takes the line that closes top.
func (p *jsonText) shut(l Line, top *jsonNode, emit Emit) {
	p.stack = p.stack[:len(p.stack)-1]
	if top.item == nil {
		if top.left > 0 {
			p.last.Note = "[… " + text.Thousands(top.left) + " more …]"
		}
		p.keep(l, emit)
		return
	}
	emit.line(Folded, l)
	if top.item.owner != nil && (len(p.stack) == 0 || p.stack[len(p.stack)-1].item == nil) {
		top.item.emit(emit)
	}
}

// keep emits the line before l; l itself may still get a note.
func (p *jsonText) keep(l Line, emit Emit) {
	if p.last.Lines != nil {
		emit(p.last)
	}
	p.last = Record{Class: Keep, Lines: []Line{l}}
}

func (p *jsonText) Close(emit Emit) {
	for i := len(p.stack) - 1; i >= 0; i-- {
		n := p.stack[i]
		if n.item != nil && n.item.owner != nil && (i == 0 || p.stack[i-1].item == nil) {
			n.item.emit(emit)
		} else if n.left > 0 && p.last.Lines != nil {
			p.last.Note = "[… " + text.Thousands(n.left) + " more …]"
		}
	}
	if p.last.Lines != nil {
		emit(p.last)
	}
	p.stack, p.last = nil, Record{}
}

// jsonOpens reports whether a container begins at the end of t.
func jsonOpens(t string) bool { return t[len(t)-1] == '{' || t[len(t)-1] == '[' }

// jsonKey cuts `"key": value,`; the key is "" for an entry of a list.
func jsonKey(t string) (key, value string) {
	value = strings.TrimSuffix(t, ",")
	if t[0] != '"' {
		return "", value
	}
	end := stringEnd(t)
	if end < len(t) && strings.HasPrefix(strings.TrimLeft(t[end:], " "), ":") {
		value = strings.TrimSpace(strings.TrimLeft(t[end:], " ")[1:])
		return strings.Trim(t[:end], `"`), strings.TrimSuffix(value, ",")
	}
	return "", value
}

// stringEnd returns where the string ends that s begins with.
func stringEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}
