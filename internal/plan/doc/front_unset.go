package doc

import (
	"slices"
	"strings"
)

// UnsetFront removes a key and its value, and tells whether it was there. A
// map that it leaves empty stays.
func (t *Text) UnsetFront(path ...string) bool {
	if len(path) == 0 {
		return false
	}
	old := t.Front()
	parent, last := old.Get(path[:len(path)-1]...), path[len(path)-1]
	if parent == nil || parent.Kind != Map || parent.child(last) == nil {
		return false
	}
	before := slices.Clone(t.lines)
	for n := parent.child(last); n != nil; n = parent.child(last) { // a key may stand twice
		t.unset(parent, n)
		parent = t.Front().Get(path[:len(path)-1]...)
		if parent == nil || parent.Kind != Map {
			break
		}
	}
	if !sameElsewhere(old, t.Front(), path) {
		t.restore(before)
		return false
	}
	return true
}

// unset removes an entry of a map.
func (t *Text) unset(parent, n *Node) {
	k := slices.IndexFunc(parent.Entries, func(e Entry) bool { return e.Node == n })
	if n.inFlow {
		from, to := n.key, n.end
		if k > 0 {
			from = parent.Entries[k-1].Node.end
		} else if len(parent.Entries) > 1 {
			to = parent.Entries[1].Node.key
		}
		before, after := t.Line(from.line)[:from.col], t.Line(to.line)[to.col:]
		t.Delete(from.line+1, to.line+1)
		t.SetLine(from.line, before+after)
		return
	}
	before := t.Line(n.key.line)[:n.key.col]
	from, end := n.key.line, n.end.line+1
	if strings.Trim(before, " \t") != "" { // after a dash: the next key takes its place
		if k+1 < len(parent.Entries) {
			next := parent.Entries[k+1].Node.key
			t.SetLine(next.line, before+t.Line(next.line)[next.col:])
			end = next.line
		} else {
			t.SetLine(from, before+"{}")
			from++
		}
	}
	t.Delete(from, end)
}
