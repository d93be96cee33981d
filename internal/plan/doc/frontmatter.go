package doc

import (
	"strconv"
	"strings"

	"cairn/internal/jsonc"
)

// Frontmatter is the YAML between the `---` that begins a file and the next
// one; without the second there is none. Its reader is our own for three
// reasons. Edits keep every byte they need not touch, so the reader has to
// know where each value stands. People and agents write what is not YAML
// (`title: Router: chi is small`, a bare `@path`, tabs), and it must still be
// read as it was meant. And one command may read hundreds of files in a
// millisecond. Where a YAML 1.2 parser accepts a frontmatter, the two agree;
// anchors, aliases and tags are text. Every scalar is a string.

// Kind is what a Node holds.
type Kind uint8

const (
	Scalar Kind = iota
	Map
	List
)

// Node is a value of the frontmatter.
type Node struct {
	Kind    Kind
	Value   string // of a scalar: without quotes and comment, lines joined as YAML says; "" for null
	Quoted  bool
	Entries []Entry // of a map, in order
	Items   []*Node // of a list

	index  map[string]int // of a long map: where each key stands last
	style  style
	inFlow bool
	key    pos // of the entry's key or the item's dash
	mark   pos // after the colon or the dash
	at     pos // of the value's first byte
	end    pos // after its last byte
}

// Entry is a key and its value in a map.
type Entry struct {
	Key  string
	Node *Node
}

// pos is a line of the Text and a byte in it.
type pos struct{ line, col int }

// style is how a value is written.
type style uint8

const (
	styleNull style = iota
	stylePlain
	styleSingle // 'text'
	styleDouble // "text"
	styleBlockScalar
	styleFlow  // [a, b] or {a: b}
	styleBlock // a line per entry or item
)

// Problem is a line that could not be understood as it is written.
type Problem struct {
	Line int // counted from 0, as everywhere in this package
	What string
}

// front is what was read of a frontmatter.
type front struct {
	root     *Node
	problems []Problem
}

// Front returns the frontmatter, a map, or nil without one. It never fails;
// see FrontProblems. The node is valid until the next edit of the text and
// must not be changed.
func (t *Text) Front() *Node { return t.readFront().root }

// FrontProblems returns what is wrong in the frontmatter, by line.
func (t *Text) FrontProblems() []Problem { return t.readFront().problems }

func (t *Text) readFront() *front {
	if t.front == nil {
		t.front = &front{}
		if from, end := t.frontLines(); end > 0 {
			t.front.root, t.front.problems = readFront(t.Lines(0, end-1), from+1)
		}
	}
	return t.front
}

// Body returns the first line after the frontmatter, 0 without one.
func (t *Text) Body() int {
	_, end := t.frontLines()
	return end
}

// frontLines returns the lines of the frontmatter, [from, end), its two `---`
// included: they begin the file. Without one both are 0.
func (t *Text) frontLines() (from, end int) {
	if len(t.lines) == 0 || strings.TrimRight(t.Line(0), " \t") != "---" {
		return 0, 0
	}
	for i := 1; i < len(t.lines); i++ {
		if strings.TrimRight(t.Line(i), " \t") == "---" {
			return 0, i + 1
		}
	}
	return 0, 0
}

// Get returns the value at a path of keys and, in lists, of indexes; nil when
// there is none. Of a key that stands twice the last is taken.
func (n *Node) Get(path ...string) *Node {
	for _, name := range path {
		if n == nil {
			return nil
		}
		n = n.child(name)
	}
	return n
}

func (n *Node) child(name string) *Node {
	if n.Kind == List {
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(n.Items) {
			return n.Items[i]
		}
		return nil
	}
	if i := n.find(name); i >= 0 {
		return n.Entries[i].Node
	}
	return nil
}

// longMap is from how many entries on a map is searched by an index.
const longMap = 16

// find returns where a key stands last in a map, or -1.
func (n *Node) find(key string) int {
	if len(n.Entries) < longMap {
		for i := len(n.Entries) - 1; i >= 0; i-- {
			if n.Entries[i].Key == key {
				return i
			}
		}
		return -1
	}
	if n.index == nil {
		n.index = make(map[string]int, len(n.Entries))
		for i, e := range n.Entries {
			n.index[e.Key] = i
		}
	}
	if i, ok := n.index[key]; ok {
		return i
	}
	return -1
}

// append adds an entry at the end of a map.
func (n *Node) append(key string, v *Node) {
	n.Entries = append(n.Entries, Entry{key, v})
	if n.index != nil {
		n.index[key] = len(n.Entries) - 1
	}
}

// Text returns a scalar's value, "" for anything else.
func (n *Node) Text() string {
	if n == nil {
		return ""
	}
	return n.Value
}

// Strings returns the scalars of a list; a scalar that is not empty is a list
// of one. An item such as `- Router: chi is small`, to YAML a map, is taken
// as the sentence it was meant to be.
func (n *Node) Strings() []string {
	switch {
	case n == nil || n.Kind == Map:
		return nil
	case n.Kind == Scalar:
		if n.Value == "" {
			return nil
		}
		return []string{n.Value}
	}
	var out []string
	for _, it := range n.Items {
		switch {
		case it.Kind == Scalar && !it.isNull():
			out = append(out, it.Value)
		case it.Kind == Map && it.style == styleBlock && len(it.Entries) == 1 && it.Entries[0].Node.Kind == Scalar:
			e := it.Entries[0]
			out = append(out, strings.TrimRight(e.Key+": "+e.Node.Value, " "))
		}
	}
	return out
}

// Bool returns a scalar as a boolean, def if it is none.
func (n *Node) Bool(def bool) bool {
	switch strings.ToLower(n.Text()) {
	case "true", "yes", "on":
		return true
	case "false", "no", "off":
		return false
	}
	return def
}

// Int returns a scalar as an integer, def if it is none.
func (n *Node) Int(def int) int {
	i, err := strconv.Atoi(n.Text())
	if err != nil {
		return def
	}
	return i
}

// JSON returns the value as what encoding/json can print: an [jsonc.Object], an
// []any, a string, or nil for null. Numbers and booleans stay strings: a
// plan's 01 is not 1.
func (n *Node) JSON() any {
	switch {
	case n == nil || n.isNull():
		return nil
	case n.Kind == List:
		out := make([]any, len(n.Items))
		for i, it := range n.Items {
			out[i] = it.JSON()
		}
		return out
	case n.Kind == Map:
		out := jsonc.Object{}
		twice := map[string]bool{}
		for i, e := range n.Entries {
			if twice[e.Key] {
				continue
			}
			last := n.find(e.Key)
			if last > i {
				twice[e.Key] = true
			}
			out = append(out, jsonc.Member{Name: e.Key, Value: n.Entries[last].Node.JSON()})
		}
		return out
	}
	return n.Value
}
