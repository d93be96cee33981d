package doc

import (
	"slices"
	"strings"
)

// maxDepth is how deep a frontmatter may nest; what is deeper is text.
const maxDepth = 64

// frontReader reads the lines of a frontmatter. A line's number here is its
// number in the Text.
type frontReader struct {
	lines    []string
	depth    int
	problems []Problem
}

// readFront reads the lines from line `from` on.
func readFront(lines []string, from int) (*Node, []Problem) {
	p := &frontReader{lines: lines}
	root := &Node{Kind: Map, style: styleBlock, at: pos{from, 0}, end: pos{from - 1, 0}}
	i := p.next(from)
	if i < len(lines) && lines[i][p.indent(i)] == '{' {
		if n, ok := p.flow(pos{i, p.indent(i)}, -1); ok && p.next(n.end.line+1) == len(lines) {
			return n, p.problems
		}
	}
	for col := -1; i < len(lines); i = p.next(root.end.line + 1) {
		if ind := p.indent(i); col >= 0 && ind < col {
			p.problem(i, "indented less than the keys before it")
		}
		col = p.indent(i)
		n := p.mapping(i, col)
		if len(root.Entries) == 0 {
			root.at = n.at
		}
		root.Entries, root.end = append(root.Entries, n.Entries...), n.end
	}
	slices.SortStableFunc(p.problems, func(a, b Problem) int { return a.Line - b.Line })
	return root, p.problems
}

func (p *frontReader) problem(line int, what string) {
	p.problems = append(p.problems, Problem{line, what})
}

// next returns the first line from i on that is neither blank nor a comment.
func (p *frontReader) next(i int) int {
	for ; i < len(p.lines); i++ {
		if s := strings.TrimLeft(p.lines[i], " \t"); s != "" && s[0] != '#' {
			return i
		}
	}
	return len(p.lines)
}

// indent returns how many blanks stand before the text of line i. A tab
// counts as one.
func (p *frontReader) indent(i int) int { return skipBlank(p.lines[i], 0) }

// mapping reads the entries whose keys stand at column col, the first in
// line i. A key that is indented further is taken as one of them.
func (p *frontReader) mapping(i, col int) *Node {
	n := &Node{Kind: Map, style: styleBlock, at: pos{i, col}}
	for first := i; i < len(p.lines); i = p.next(n.end.line + 1) {
		ind := p.column(i, first, col)
		if ind < col {
			break
		}
		rest := p.lines[i][ind:]
		key, after, ok := splitKey(rest)
		if !ok || isItem(rest) {
			p.problem(i, "neither a key nor the value of one")
			n.end = pos{i, len(p.lines[i])}
			continue
		}
		if ind > col {
			p.problem(i, "indented further than the keys before it")
		}
		if n.find(key) >= 0 {
			p.problem(i, "the key "+key+" stands twice, the last is taken")
		}
		v := p.value(i, ind+after, ind, true)
		v.key, v.mark = pos{i, ind}, pos{i, ind + after}
		n.append(key, v)
		n.end = v.end
	}
	return n
}

// sequence reads the items whose dashes stand at column col, the first in
// line i.
func (p *frontReader) sequence(i, col int) *Node {
	n := &Node{Kind: List, style: styleBlock, at: pos{i, col}}
	for first := i; i < len(p.lines); i = p.next(n.end.line + 1) {
		ind := p.column(i, first, col)
		if ind < col || !isItem(p.lines[i][ind:]) {
			break
		}
		if ind > col {
			p.problem(i, "indented further than the items before it")
		}
		v := p.value(i, ind+1, ind, false)
		v.key, v.mark = pos{i, ind}, pos{i, ind + 1}
		n.Items = append(n.Items, v)
		n.end = v.end
	}
	return n
}

// column returns where the text of line i begins. In the first line of a
// collection that is col, which may stand after a dash.
func (p *frontReader) column(i, first, col int) int {
	if i == first {
		return col
	}
	ind := p.indent(i)
	if strings.IndexByte(p.lines[i][:ind], '\t') >= 0 {
		p.problem(i, "indented by a tab")
	}
	return ind
}

// value reads what stands after the colon or the dash that ends at col; the
// key or the dash stands at column parent.
func (p *frontReader) value(i, col, parent int, afterKey bool) *Node {
	line := p.lines[i]
	c := skipBlank(line, col)
	if c == len(line) || line[c] == '#' && c > col || isProperty(line[c:]) {
		if j := p.next(i + 1); j < len(p.lines) {
			ind := p.indent(j)
			if ind > parent {
				p.column(j, -1, 0)
				return p.node(j, ind, parent)
			}
			if afterKey && ind == parent && isItem(p.lines[j][ind:]) {
				return p.sequence(j, ind)
			}
		}
		if c == len(line) || line[c] == '#' {
			return &Node{at: pos{i, col}, end: pos{i, col}}
		}
	}
	if afterKey {
		return p.scalar(pos{i, c}, parent)
	}
	return p.node(i, c, parent)
}

// isProperty reports whether s is only an anchor or a tag, which may stand
// before a value of several lines.
func isProperty(s string) bool {
	return (s[0] == '&' || s[0] == '!') && strings.IndexByte(s, ' ') < 0
}

// node reads the value whose text begins at column c.
func (p *frontReader) node(i, c, parent int) *Node {
	rest := p.lines[i][c:]
	if p.depth < maxDepth {
		p.depth++
		defer func() { p.depth-- }()
		if isItem(rest) {
			return p.sequence(i, c)
		}
		if _, _, ok := splitKey(rest); ok {
			return p.mapping(i, c)
		}
	}
	return p.scalar(pos{i, c}, parent)
}

// splitKey reads `key:` at the start of s; after is where its value begins.
func splitKey(s string) (key string, after int, ok bool) {
	switch s[0] {
	case '[', '{', '#':
		return "", 0, false
	case '"', '\'':
		p := frontReader{lines: []string{s}}
		key, end, ok := p.quoted(pos{0, 0}, 0)
		after = skipBlank(s, end.col)
		return key, after + 1, ok && isColon(s, after)
	}
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '#' && i > 0 && isBlank(s[i-1]):
			return "", 0, false
		case s[i] == ':' && isColon(s, i):
			key = strings.TrimRight(s[:i], " \t")
			return key, i + 1, key != ""
		}
	}
	return "", 0, false
}

func isColon(s string, i int) bool {
	return i < len(s) && s[i] == ':' && (i+1 == len(s) || isBlank(s[i+1]))
}

func isItem(s string) bool { return s[0] == '-' && (len(s) == 1 || isBlank(s[1])) }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// skipBlank returns the first column from c on that is not blank.
func skipBlank(s string, c int) int {
	for c < len(s) && isBlank(s[c]) {
		c++
	}
	return c
}
