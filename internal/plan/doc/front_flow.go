package doc

import "strings"

// flowReader reads one flow collection, `[a, "b"]` or `{a: b}`, which may
// take several lines.
type flowReader struct {
	*frontReader
	pos
	parent int // column of the key it belongs to
	depth  int
}

// flow reads the flow collection at a position.
func (p *frontReader) flow(at pos, parent int) (*Node, bool) {
	f := &flowReader{frontReader: p, pos: at, parent: parent}
	n, ok := f.collection()
	if ok {
		n.inFlow = false
	}
	return n, ok
}

// peek skips blanks, comments and line ends, and returns the byte there, 0 at
// the end. A line that looks like the next key means that a bracket was not
// closed.
func (f *flowReader) peek() byte {
	for {
		line := f.lines[f.line]
		c := skipBlank(line, f.col)
		if c < len(line) && (line[c] != '#' || c > 0 && !isBlank(line[c-1])) {
			f.col = c
			return line[c]
		}
		i := f.next(f.line + 1)
		if i == len(f.lines) {
			return 0
		}
		ind := f.indent(i)
		if ind <= f.parent {
			if _, _, isKey := splitKey(f.lines[i][ind:]); isKey {
				return 0
			}
		}
		f.pos = pos{i, ind}
	}
}

// collection reads from the opening bracket to the closing one.
func (f *flowReader) collection() (*Node, bool) {
	if f.depth++; f.depth > maxDepth {
		return nil, false
	}
	defer func() { f.depth-- }()
	n := &Node{Kind: List, style: styleFlow, inFlow: true, at: f.pos}
	closing := byte(']')
	if f.lines[f.line][f.col] == '{' {
		n.Kind, closing = Map, '}'
	}
	f.col++
	for {
		switch f.peek() {
		case 0:
			return nil, false
		case closing:
			f.col++
			n.end = f.pos
			return n, true
		case ',':
			f.col++
			continue
		}
		e, isPair, ok := f.entry()
		if !ok {
			return nil, false
		}
		switch {
		case n.Kind == Map:
			if !isPair { // a key alone
				e.Node = &Node{inFlow: true, key: e.Node.key, mark: e.Node.end, at: e.Node.end, end: e.Node.end}
			}
			n.Entries = append(n.Entries, e)
		case isPair:
			n.Items = append(n.Items, &Node{Kind: Map, style: styleFlow, inFlow: true, key: e.Node.key, at: e.Node.key, end: e.Node.end, Entries: []Entry{e}})
		default:
			n.Items = append(n.Items, e.Node)
		}
		if ch := f.peek(); ch != ',' && ch != closing {
			return nil, false
		}
	}
}

// entry reads `value` or `key: value`. Without a colon the node is the value
// itself.
func (f *flowReader) entry() (e Entry, isPair, ok bool) {
	first, ok := f.value()
	if !ok {
		return e, false, false
	}
	first.key = first.at
	e = Entry{first.Value, first}
	after := f.pos
	if f.peek() != ':' || first.Kind != Scalar || !f.colon(first.Quoted) {
		f.pos = after
		return e, false, true
	}
	f.col++
	mark := f.pos
	if ch := f.peek(); ch == ',' || ch == ']' || ch == '}' || ch == 0 {
		e.Node = &Node{inFlow: true, at: mark, end: mark}
		f.pos = mark
	} else if e.Node, ok = f.value(); !ok {
		return e, false, false
	}
	e.Node.key, e.Node.mark = first.at, mark
	return e, true, true
}

// colon reports whether the colon here ends a key: after a quoted one always,
// else before a blank, a bracket, a comma or the end of the line.
func (f *flowReader) colon(quoted bool) bool {
	line := f.lines[f.line]
	return quoted || f.col+1 == len(line) || strings.IndexByte(" \t,[]{}", line[f.col+1]) >= 0
}

func (f *flowReader) value() (*Node, bool) {
	switch ch := f.peek(); ch {
	case '[', '{':
		return f.collection()
	case '"', '\'':
		at := f.pos
		value, end, ok := f.quoted(at, -1)
		f.pos = end
		st := styleDouble
		if ch == '\'' {
			st = styleSingle
		}
		return &Node{Value: value, Quoted: true, style: st, inFlow: true, at: at, end: end}, ok
	}
	return f.plain()
}

// plain reads text up to a comma, a bracket or a colon. Brackets inside of it
// that are closed again are text, as in src/[id]/page.tsx and *.{ts,tsx}.
func (f *flowReader) plain() (*Node, bool) {
	n := &Node{style: stylePlain, inFlow: true, at: f.pos}
	var parts []string // one per line
	done := func(ok bool) (*Node, bool) {
		n.Value = strings.Join(parts, " ")
		return n, ok && len(parts) > 0
	}
	for {
		line := f.lines[f.line]
		c, depth := f.col, 0
	scan:
		for ; c < len(line); c++ {
			switch ch := line[c]; {
			case ch == '[' || ch == '{':
				depth++
			case (ch == ']' || ch == '}') && depth > 0:
				depth--
			case depth > 0:
			case ch == ',' || ch == ']' || ch == '}':
				break scan
			case ch == '#' && c > 0 && isBlank(line[c-1]):
				break scan
			case ch == ':' && (c+1 == len(line) || strings.IndexByte(" \t,[]{}", line[c+1]) >= 0):
				break scan
			}
		}
		text := strings.TrimRight(line[f.col:c], " \t")
		if text == "" || depth > 0 {
			return done(depth == 0)
		}
		parts = append(parts, text)
		n.end = pos{f.line, f.col + len(text)}
		f.pos = n.end
		if f.peek(); f.line == n.end.line {
			f.pos = n.end
			return done(true)
		}
		if strings.IndexByte(",]}:", f.lines[f.line][f.col]) >= 0 {
			f.pos = n.end
			return done(true)
		}
	}
}
