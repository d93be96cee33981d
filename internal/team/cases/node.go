package cases

import "slices"

// kind is what a piece of YAML is.
type kind int

const (
	null kind = iota
	boolean
	number
	str
	list
	object
)

func (k kind) String() string {
	return [...]string{"nothing", "true or false", "a number", "a text", "a list", "an object"}[k]
}

// A node is a piece of YAML with its place. Aliases share the node of their
// anchor.
type node struct {
	kind   kind
	at     Position
	text   string // of a scalar: its text, of a number as it was written
	number float64
	items  []*node
	fields []field
	size   int // nodes in it, aliases counted as often as they stand
}

type field struct {
	name  string
	at    Position // of the key
	value *node
}

func (n *node) get(name string) *node {
	if i := slices.IndexFunc(n.fields, func(f field) bool { return f.name == name }); i >= 0 {
		return n.fields[i].value
	}
	return nil
}

// list is a list's items; anything else stands for a list of one.
func (n *node) list() []*node {
	if n.kind == list {
		return n.items
	}
	return []*node{n}
}

// value returns the node as JSON knows it: nil, bool, float64, string, []any
// or map[string]any.
func (n *node) value() any {
	switch n.kind {
	case boolean:
		return n.text == "true"
	case number:
		return n.number
	case str:
		return n.text
	case list:
		items := make([]any, len(n.items))
		for i, item := range n.items {
			items[i] = item.value()
		}
		return items
	case object:
		fields := make(map[string]any, len(n.fields))
		for _, f := range n.fields {
			fields[f.name] = f.value.value()
		}
		return fields
	}
	return nil
}

// word returns the text of a scalar that can stand for one: a text, or a
// number as it was written.
func (n *node) word() (string, bool) {
	return n.text, n.kind == str || n.kind == number
}

// words returns a list of texts; one text is a list of one.
func (n *node) words() (words []string, bad *node) {
	for _, item := range n.list() {
		w, ok := item.word()
		if !ok {
			return nil, item
		}
		words = append(words, w)
	}
	return words, nil
}
