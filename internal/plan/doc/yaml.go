package doc

// yaml reads the lines [from, to), which need not be a frontmatter, as YAML:
// a map or a list. nil when there is nothing to read. Edits through it are
// not possible.
func (t *Text) yaml(from, to int) *Node {
	p := &frontReader{lines: t.Lines(0, to)}
	i := p.next(from)
	if i == to {
		return nil
	}
	if ind := p.indent(i); isItem(p.lines[i][ind:]) {
		return p.sequence(i, ind)
	}
	n, _ := readFront(p.lines, from)
	return n
}
