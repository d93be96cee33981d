package cases

// A Node is a YAML value with its position, for readers of formats other than
// that of cases. The zero Node is a missing value.
type Node struct{ n *node }

// A Field is a member of an object.
type Field struct {
	Name string
	At   Position // of the name
	Node
}

// ParseYAML reads the documents of a file, with the limits of cases. Its error
// is a Problem.
func ParseYAML(name string, data []byte) ([]Node, error) {
	docs, err := parse(name, data)
	if err != nil {
		return nil, err
	}
	nodes := make([]Node, len(docs))
	for i, n := range docs {
		nodes[i] = Node{n}
	}
	return nodes, nil
}

// There reports whether the value exists and is not null.
func (n Node) There() bool { return n.n != nil && n.n.kind != null }

// Place is the position of the value.
func (n Node) Place() Position {
	if n.n == nil {
		return Position{}
	}
	return n.n.at
}

// Value is the value as JSON is decoded into an any.
func (n Node) Value() any {
	if n.n == nil {
		return nil
	}
	return n.n.value()
}

// Get is a member of an object.
func (n Node) Get(name string) Node {
	if n.n == nil {
		return Node{}
	}
	return Node{n.n.get(name)}
}

// Fields are the members of an object; ok is false for anything else.
func (n Node) Fields() (fields []Field, ok bool) {
	if n.n == nil || n.n.kind != object {
		return nil, false
	}
	for _, f := range n.n.fields {
		fields = append(fields, Field{f.name, f.at, Node{f.value}})
	}
	return fields, true
}

// List are the items of a list; ok is false for anything else.
func (n Node) List() (items []Node, ok bool) {
	if n.n == nil || n.n.kind != list {
		return nil, false
	}
	for _, item := range n.n.items {
		items = append(items, Node{item})
	}
	return items, true
}

// Word is a text, or a number as written.
func (n Node) Word() (string, bool) {
	if n.n == nil {
		return "", false
	}
	return n.n.word()
}

// Text is the value of a text.
func (n Node) Text() (string, bool) {
	if n.n == nil || n.n.kind != str {
		return "", false
	}
	return n.n.text, true
}

// Number is the value of a number.
func (n Node) Number() (float64, bool) {
	if n.n == nil || n.n.kind != number {
		return 0, false
	}
	return n.n.number, true
}
