package doc

import (
	"fmt"
	"slices"
	"strings"
)

// SetFront writes a value at a path of keys; see valueNode for what it may
// be, and Get for the path. A key that is not there is made, at the end of
// its map, and so is the frontmatter. Only the lines of the key change:
// comments, order, quotes and the form of a list stay. What cannot be written
// so that it is read back, and all else as before, is an error, and nothing
// is changed.
func (t *Text) SetFront(value any, path ...string) error {
	n, err := valueNode(value)
	if err != nil {
		return err
	}
	before := slices.Clone(t.lines)
	old := t.Front()
	if old == nil {
		t.createFront()
	}
	if err := t.setNode(n, path); err != nil {
		t.restore(before)
		return err
	}
	if now := t.Front(); !same(now.Get(path...), n) || !sameElsewhere(old, now, path) {
		t.restore(before)
		return fmt.Errorf("%s cannot be set without changing other keys%s", strings.Join(path, "."), t.firstProblem())
	}
	return nil
}

// firstProblem says what is wrong in the frontmatter, "" when nothing is.
func (t *Text) firstProblem() string {
	ps := t.FrontProblems()
	if len(ps) == 0 {
		return ""
	}
	return fmt.Sprintf(": line %d: %s", ps[0].Line+1, ps[0].What)
}

func (t *Text) restore(lines []string) {
	t.lines = lines
	t.edited()
}

// createFront puts an empty frontmatter at the start of the file.
func (t *Text) createFront() {
	lines := []string{"---", "---"}
	if len(t.lines) > 0 && strings.TrimSpace(t.Line(0)) != "" {
		lines = append(lines, "")
	}
	t.Insert(0, lines...)
}

// setNode writes n at the path of a frontmatter that is there.
func (t *Text) setNode(n *Node, path []string) error {
	root := t.Front()
	for k := range path {
		parent := root.Get(path[:k]...)
		child := parent.child(path[k])
		switch {
		case child != nil && (child.Kind != Scalar || k == len(path)-1):
			continue
		case child != nil && child.Value != "":
			return fmt.Errorf("%s is a text and has no %s", strings.Join(path[:k+1], "."), path[k+1])
		case child == nil && parent.Kind != Map:
			return fmt.Errorf("%s is a list of %d and has no %q", strings.Join(path[:k], "."), len(parent.Items), path[k])
		}
		// What the path still lacks becomes maps around the value.
		for i := len(path) - 1; i > k; i-- {
			n = &Node{Kind: Map, Entries: []Entry{{path[i], n}}}
		}
		if child != nil {
			t.replace(child, n)
		} else {
			t.add(parent, Entry{path[k], n})
		}
		return nil
	}
	old := root.Get(path...)
	switch {
	case n.Kind == Map && old.Kind == Map && old.style == styleBlock && len(n.Entries) > 0:
		return t.setMap(n, old, path)
	case len(path) == 0:
		return fmt.Errorf("a frontmatter is a map")
	case n.Kind == List && old.Kind == List && old.style == styleBlock && len(n.Items) > 0 && t.ownLines(old):
		t.setList(n, old)
	case !same(n, old):
		t.replace(old, n)
	}
	return nil
}

// setMap writes the entries of n one by one and removes those that it lacks.
func (t *Text) setMap(n, old *Node, path []string) error {
	for _, e := range n.Entries {
		if err := t.setNode(e.Node, slices.Concat(path, []string{e.Key})); err != nil {
			return err
		}
	}
	for _, e := range old.Entries {
		if n.child(e.Key) == nil && t.Front().Get(slices.Concat(path, []string{e.Key})...) != nil {
			t.UnsetFront(slices.Concat(path, []string{e.Key})...)
		}
	}
	return nil
}

// setList writes the items that differ between the first and the last that
// do not.
func (t *Text) setList(n, old *Node) {
	head := 0
	for head < len(n.Items) && head < len(old.Items) && same(n.Items[head], old.Items[head]) {
		head++
	}
	tail := 0
	for tail < len(n.Items)-head && tail < len(old.Items)-head && same(n.Items[len(n.Items)-1-tail], old.Items[len(old.Items)-1-tail]) {
		tail++
	}
	was, is := old.Items[head:len(old.Items)-tail], n.Items[head:len(n.Items)-tail]
	col := old.at.col
	var lines []string
	for i, it := range is {
		like := old.Items[max(0, min(head+i, len(old.Items)-1))]
		if like.Kind != Scalar || it.Kind != Scalar || like.style == styleBlockScalar {
			like = nil
		}
		lines = append(lines, printBlock("-", it, like, col)...)
	}
	at := old.end.line + 1
	if head < len(old.Items) {
		at = old.Items[head].key.line
	}
	if len(was) > 0 {
		t.Delete(at, was[len(was)-1].end.line+1)
	}
	t.Insert(at, lines...)
}

// ownLines reports whether a list begins in a line of its own, not after the
// dash of another one.
func (t *Text) ownLines(list *Node) bool {
	return strings.Trim(t.Line(list.at.line)[:list.at.col], " \t") == ""
}

// replace writes n where old stands.
func (t *Text) replace(old, n *Node) {
	if old.inFlow {
		text := printFlow(n)
		if n.Kind == Scalar && !n.isNull() {
			text = printScalar(n.Value, old.style, true)
		}
		t.splice(old, text)
		return
	}
	inline := old.style != styleBlock && old.style != styleBlockScalar
	text, ok := oneLine(n, old)
	if ok && inline {
		t.splice(old, text)
		return
	}
	first := t.Line(old.key.line)
	head := first[old.key.col:old.mark.col]
	lines := printBlock(head, n, old, old.key.col)
	lines[0] = first[:old.key.col] + lines[0][old.key.col:] + t.commentAfter(old)
	t.Delete(old.key.line+1, old.end.line+1)
	t.SetLine(old.key.line, lines[0])
	t.Insert(old.key.line+1, lines[1:]...)
}

// splice writes text over a value that stands in its line or lines.
func (t *Text) splice(old *Node, text string) {
	before, after := t.Line(old.at.line)[:old.at.col], t.Line(old.end.line)[old.end.col:]
	if text != "" && old.at == old.mark {
		text = " " + text
	}
	if text == "" {
		before = strings.TrimRight(before, " \t")
	}
	t.Delete(old.at.line+1, old.end.line+1)
	t.SetLine(old.at.line, before+text+after)
}

// commentAfter returns the comment in the line of the key, with the blanks
// before it.
func (t *Text) commentAfter(old *Node) string {
	line := t.Line(old.key.line)
	from := old.mark.col
	switch {
	case old.style == styleBlock && old.at.line == old.key.line:
		return ""
	case old.style != styleBlock && old.style != styleBlockScalar:
		if old.end.line != old.key.line {
			return ""
		}
		from = old.end.col
	}
	rest, cut := cutComment(line[from:])
	if !cut {
		return ""
	}
	return line[from+len(rest):]
}

// add puts a new entry at the end of a map.
func (t *Text) add(parent *Node, e Entry) {
	if parent.style == styleFlow {
		text := printFlowEntry(e)
		at := pos{parent.at.line, parent.at.col + 1}
		if n := len(parent.Entries); n > 0 {
			at, text = parent.Entries[n-1].Node.end, ", "+text
		}
		line := t.Line(at.line)
		t.SetLine(at.line, line[:at.col]+text+line[at.col:])
		return
	}
	t.Insert(parent.end.line+1, printBlock(printScalar(e.Key, stylePlain, false)+":", e.Node, nil, parent.at.col)...)
}
