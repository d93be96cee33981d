package doc

import "slices"

// isNull reports whether nothing is written where a scalar may stand.
func (n *Node) isNull() bool { return n.Kind == Scalar && n.style == styleNull }

// same reports whether two nodes hold the same, however it is written and in
// whatever order a map's keys stand.
func same(a, b *Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Kind == b.Kind && a.Value == b.Value && a.isNull() == b.isNull() &&
		slices.EqualFunc(a.Items, b.Items, same) &&
		len(a.Entries) == len(b.Entries) &&
		!slices.ContainsFunc(a.Entries, func(e Entry) bool { return !same(a.child(e.Key), b.child(e.Key)) })
}

// sameElsewhere reports whether two maps hold the same but for what is at the
// path.
func sameElsewhere(a, b *Node, path []string) bool {
	if len(path) == 0 {
		return true
	}
	if a == nil || a.isNull() {
		return true
	}
	x, y := a.without(path[0]), b.without(path[0])
	if b == nil || a.Kind != b.Kind { // a map that lost its only key is null
		return b != nil && b.isNull() && len(x.Entries)+len(x.Items) == 0
	}
	return same(x, y) && (b.child(path[0]) == nil || sameElsewhere(a.child(path[0]), b.child(path[0]), path[1:]))
}

// without returns n without what Get finds by name.
func (n *Node) without(name string) *Node {
	if n == nil {
		return nil
	}
	c := &Node{Kind: n.Kind, Value: n.Value, style: n.style}
	for _, e := range n.Entries {
		if e.Key != name {
			c.Entries = append(c.Entries, e)
		}
	}
	for i, it := range n.Items {
		if n.Items[i] != n.child(name) {
			c.Items = append(c.Items, it)
		}
	}
	return c
}
