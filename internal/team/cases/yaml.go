package cases

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// parse reads the documents of a file. The error is a Problem.
func parse(name string, data []byte) (docs []*node, err error) {
	here := Position{File: name}
	defer func() { // the parser indexes into what it did not check
		if r := recover(); r != nil {
			docs, err = nil, Problem{At: here, What: "invalid YAML"}
		}
	}()
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch {
	case len(data) > MaxBytes:
		return nil, Problem{At: here, What: fmt.Sprintf("larger than %d KB; split the file", MaxBytes>>10)}
	case !utf8.Valid(data):
		return nil, Problem{At: here, What: "not UTF-8"}
	case bytes.IndexByte(data, 0) >= 0:
		return nil, Problem{At: here, What: "holds a zero byte, so it is not text"}
	}
	// a block of text is the same whatever line ends its file has
	tokens := lexer.Tokenize(strings.ReplaceAll(string(data), "\r\n", "\n"))
	if err := measure(name, tokens); err != nil {
		return nil, err
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil, notYAML(name, data, err)
	}
	x := expander{file: name}
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		x.anchors = map[string]*node{} // of this document alone
		n, err := x.node(doc.Body, 0)
		if err != nil {
			return nil, err
		}
		docs = append(docs, n)
	}
	return docs, nil
}

// notYAML makes a sentence of a parser's error, which holds a picture of the file.
func notYAML(name string, data []byte, err error) error {
	p := Problem{At: Position{File: name}, What: err.Error()}
	var placed interface {
		error
		GetToken() *token.Token
		GetMessage() string
	}
	if errors.As(err, &placed) {
		p.What = placed.GetMessage()
		if t := placed.GetToken(); t != nil && t.Position != nil {
			p.At.Line, p.At.Column = t.Position.Line, t.Position.Column
		}
	}
	if key, first, ok := strings.Cut(p.What, " already defined at ["); ok {
		line, _, _ := strings.Cut(first, ":")
		p.What = strings.Replace(key, "mapping key", "the key", 1) + " stands twice, first in line " + line
	}
	p.What, _, _ = strings.Cut(p.What, "\n")
	if line := lineOf(data, p.At.Line); strings.Contains(line[:len(line)-len(strings.TrimLeft(line, " \t"))], "\t") {
		p.What = "the line is indented by a tab; YAML wants spaces"
	}
	p.What = "invalid YAML: " + shown(p.What)
	return p
}

// lineOf is a line of the file, from 1.
func lineOf(data []byte, number int) string {
	n := 0
	for line := range strings.Lines(string(data)) {
		if n++; n == number {
			return line
		}
	}
	return ""
}

// expander turns the parser's tree into nodes.
type expander struct {
	file    string
	anchors map[string]*node
	nodes   int // of the file so far
}

func (x *expander) place(n ast.Node) Position {
	p := Position{File: x.file}
	if t := n.GetToken(); t != nil && t.Position != nil {
		p.Line, p.Column = t.Position.Line, t.Position.Column
	}
	return p
}

// count adds nodes and refuses too many.
func (x *expander) count(at Position, nodes int) error {
	if x.nodes += nodes; x.nodes > maxNodes {
		return Problem{At: at, What: fmt.Sprintf("more than %d values, counting what aliases (*name) stand for", maxNodes)}
	}
	return nil
}

func (x *expander) node(in ast.Node, depth int) (*node, error) {
	n := &node{at: x.place(in), size: 1}
	if depth > maxDepth {
		return nil, tooDeep(n.at)
	}
	if err := x.count(n.at, 1); err != nil {
		return nil, err
	}
	switch in := in.(type) {
	case *ast.NullNode:
	case *ast.BoolNode:
		n.kind, n.text = boolean, strconv.FormatBool(in.Value)
	case *ast.IntegerNode, *ast.FloatNode:
		return n, n.setNumber(in.GetToken().Value, in.(ast.ScalarNode).GetValue())
	case *ast.InfinityNode, *ast.NanNode:
		return nil, Problem{At: n.at, What: shown(in.GetToken().Value) + " cannot be used as a number"}
	case *ast.StringNode:
		n.kind, n.text = str, in.Value
	case *ast.LiteralNode:
		n.kind, n.text = str, in.Value.Value
	case *ast.TagNode:
		return x.tagged(in, depth)
	case *ast.AnchorNode:
		v, err := x.node(in.Value, depth+1)
		if err == nil && in.Name != nil {
			x.anchors[in.Name.GetToken().Value] = v
		}
		return v, err
	case *ast.AliasNode:
		name := in.Value.GetToken().Value
		v := x.anchors[name]
		if v == nil {
			return nil, Problem{At: n.at, What: fmt.Sprintf("no anchor &%s before this alias", shown(name))}
		}
		return v, x.count(n.at, v.size)
	case *ast.SequenceNode:
		n.kind = list
		for _, item := range in.Values {
			v, err := x.node(item, depth+1)
			if err != nil {
				return nil, err
			}
			n.items, n.size = append(n.items, v), n.size+v.size
		}
	case *ast.MappingNode:
		return n, x.object(n, in.Values, depth)
	case *ast.MappingValueNode:
		return n, x.object(n, []*ast.MappingValueNode{in}, depth)
	case *ast.CommentGroupNode, *ast.CommentNode:
	default:
		return nil, Problem{At: n.at, What: "unsupported kind of YAML"}
	}
	return n, nil
}

func (n *node) setNumber(written string, value any) error {
	n.kind, n.text = number, written
	switch v := value.(type) {
	case int64:
		n.number = float64(v)
	case uint64:
		n.number = float64(v)
	case float64:
		n.number = v
	default:
		n.number, _ = strconv.ParseFloat(written, 64)
	}
	if math.IsNaN(n.number) || math.IsInf(n.number, 0) {
		return Problem{At: n.at, What: shown(written) + " is too large for a number"}
	}
	return nil
}

func (x *expander) tagged(in *ast.TagNode, depth int) (*node, error) {
	switch tag := in.GetToken().Value; tag {
	case "!!str", "!!int", "!!float", "!!bool", "!!null", "!!map", "!!seq":
		v, err := x.node(in.Value, depth+1)
		if err == nil && tag == "!!str" && v.kind <= str {
			as := *v
			as.kind = str
			return &as, nil
		}
		return v, err
	default:
		return nil, Problem{At: x.place(in), What: fmt.Sprintf("the tag %s is not supported; write plain YAML", shown(tag))}
	}
}

// object reads keys and values, and those that a merge key (<<) brings.
func (x *expander) object(n *node, values []*ast.MappingValueNode, depth int) error {
	n.kind = object
	n.at = Position{File: x.file}
	seen := make(map[string]bool, len(values))
	var merged []*node
	for i, mv := range values {
		key := x.place(mv.Key)
		if i == 0 {
			n.at = key
		}
		v, err := x.node(mv.Value, depth+1)
		if err != nil {
			return err
		}
		n.size += v.size
		if _, ok := mv.Key.(*ast.MergeKeyNode); ok {
			merged = append(merged, v)
			continue
		}
		name, err := x.keyName(mv.Key)
		if err != nil {
			return err
		}
		if seen[name] {
			return Problem{At: key, What: fmt.Sprintf("the key %q stands twice", shown(name))}
		}
		seen[name] = true
		n.fields = append(n.fields, field{name, key, v})
	}
	for _, from := range merged {
		for _, s := range from.list() {
			if s.kind != object {
				return Problem{At: n.at, What: "<< is followed by something that is no object"}
			}
			for _, f := range s.fields {
				if !seen[f.name] {
					seen[f.name] = true
					n.fields = append(n.fields, f)
				}
			}
		}
	}
	return nil
}

func (x *expander) keyName(key ast.MapKeyNode) (string, error) {
	at := x.place(key)
	var in ast.Node = key
	if k, ok := key.(*ast.MappingKeyNode); ok {
		in = k.Value
	}
	v, err := x.node(in, maxDepth)
	if err != nil {
		return "", err
	}
	switch v.kind {
	case list, object:
		return "", Problem{At: at, What: "a key is a text, not " + v.kind.String()}
	case null:
		return in.GetToken().Value, nil
	}
	return v.text, nil
}

// What one file may hold. A file that goes beyond is refused before it costs
// more than a moment: aliases multiply, and the parser's time grows with the
// square of the keys of one object and of the documents of one file.
const (
	MaxBytes     = 1 << 20
	maxNodes     = 200_000 // aliases counted as often as they stand
	maxDepth     = 50
	maxKeys      = 1_000 // of one object
	maxDocuments = 5_000
)

// measure refuses what would take the parser too long, or too deep.
func measure(name string, tokens token.Tokens) error {
	place := func(t *token.Token) Position {
		return Position{File: name, Line: t.Position.Line, Column: t.Position.Column}
	}
	var (
		documents, inLine, line int
		flow                    []int      // keys of every open bracket
		block                   = []int{0} // columns of open objects
		keys                    = []int{0} // and how many keys they have so far
	)
	for i, t := range tokens {
		if t.Position.Line != line {
			line, inLine = t.Position.Line, 0
		}
		switch t.Type {
		case token.DocumentHeaderType:
			if documents++; documents > maxDocuments {
				return Problem{At: place(t), What: fmt.Sprintf("more than %d documents; split the file", maxDocuments)}
			}
			block, keys = block[:1], append(keys[:0], 0)
		case token.SequenceStartType, token.MappingStartType:
			flow = append(flow, 0)
		case token.SequenceEndType, token.MappingEndType:
			if len(flow) > 0 {
				flow = flow[:len(flow)-1]
			}
		case token.SequenceEntryType: // of a list: the objects of the entry before are closed
			inLine++
			for len(flow) == 0 && len(block) > 1 && block[len(block)-1] > t.Position.Column {
				block, keys = block[:len(block)-1], keys[:len(keys)-1]
			}
		case token.MappingKeyType, token.TagType, token.AnchorType:
			inLine++
		case token.MappingValueType:
			count := &keys[len(keys)-1]
			if len(flow) > 0 {
				count = &flow[len(flow)-1]
			} else if i > 0 {
				column := tokens[i-1].Position.Column
				for len(block) > 1 && block[len(block)-1] > column {
					block, keys = block[:len(block)-1], keys[:len(keys)-1]
				}
				if block[len(block)-1] < column {
					block, keys = append(block, column), append(keys, 0)
				}
				count = &keys[len(keys)-1]
			}
			if *count++; *count > maxKeys {
				return Problem{At: place(t), What: fmt.Sprintf("more than %d keys in one object", maxKeys)}
			}
		}
		if len(flow) > maxDepth || inLine > maxDepth || len(block) > maxDepth {
			return tooDeep(place(t))
		}
	}
	return nil
}

func tooDeep(at Position) Problem {
	return Problem{At: at, What: fmt.Sprintf("nested deeper than %d levels", maxDepth)}
}

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
