package reader

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// Limits of YAML: a parser of it holds many times the text, and an alias can
// name what is full of aliases.
const (
	mostYAML      = 8 << 20  // bytes of text
	mostYAMLWrote = 64 << 20 // bytes of JSON that it says, aliases followed
	deepestYAML   = 100
)

// readPromptfooYAML reads `-o results.yaml`: what the JSON holds, with aliases
// for what stands there twice.
func readPromptfooYAML(data []byte, c *collector) *result.Run {
	if len(data) > mostYAML {
		must.Fail(fmt.Errorf("%d MB of YAML; at most %d MB are read: write it with -o results.json", len(data)>>20, mostYAML>>20))
	}
	if line := tooDeep(data); line > 0 {
		must.Fail(fmt.Errorf("line %d: YAML nested deeper than %d", line, deepestYAML))
	}
	file := must.Get(parseYAML(data))
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		must.Fail(errors.New("one YAML document is wanted"))
	}
	w := yamlWriter{anchors: map[string]ast.Node{}}
	w.node(file.Docs[0].Body, 0)
	var run *result.Run
	must.OK(withoutLine(must.Catch(func() { run = readPromptfoo(w.out.Bytes(), c) })))
	return run
}

// parseYAML says a parser's complaint in one line; a panic of it is one, too.
func parseYAML(data []byte) (file *ast.File, err error) {
	defer func() {
		if recover() != nil {
			file, err = nil, errors.New("not YAML")
		}
	}()
	file, err = parser.ParseBytes(data, 0)
	if err == nil {
		return file, nil
	}
	var at interface{ GetToken() *token.Token }
	var said interface{ GetMessage() string }
	if errors.As(err, &at) && errors.As(err, &said) && at.GetToken() != nil && at.GetToken().Position != nil {
		return nil, fmt.Errorf("line %d: not YAML: %s", at.GetToken().Position.Line, oneLine(said.GetMessage(), 120))
	}
	return nil, fmt.Errorf("not YAML: %s", oneLine(err.Error(), 120))
}

// tooDeep returns the line where brackets or columns are nested deeper than a
// parser should follow, or 0.
func tooDeep(data []byte) int {
	line, brackets, indent, leading := 1, 0, 0, true
	for _, b := range data {
		switch b {
		case '\n':
			line, indent, leading = line+1, 0, true
			continue
		case '[', '{':
			brackets++
		case ']', '}':
			brackets = max(0, brackets-1)
		}
		if leading {
			if leading = b == ' ' || b == '-' || b == '?' || b == ':' || b == '!' || b == '&' || b == '\t'; leading {
				indent++
			}
		}
		if brackets > deepestYAML || indent > 8*deepestYAML {
			return line
		}
	}
	return 0
}

// yamlWriter writes a tree of YAML as JSON.
type yamlWriter struct {
	out     bytes.Buffer
	anchors map[string]ast.Node
	open    []string // anchors whose value is being written
}

func (w *yamlWriter) node(n ast.Node, depth int) {
	if depth > deepestYAML {
		must.Fail(fmt.Errorf("YAML nested deeper than %d", deepestYAML))
	}
	if w.out.Len() > mostYAMLWrote {
		must.Fail(fmt.Errorf("YAML whose aliases say more than %d MB", mostYAMLWrote>>20))
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		w.mapping(n.Values, depth)
	case *ast.MappingValueNode:
		w.mapping([]*ast.MappingValueNode{n}, depth)
	case *ast.SequenceNode:
		w.out.WriteByte('[')
		for i, v := range n.Values {
			if i > 0 {
				w.out.WriteByte(',')
			}
			w.node(v, depth+1)
		}
		w.out.WriteByte(']')
	case *ast.AnchorNode:
		name := n.Name.String()
		w.anchors[name] = n.Value
		w.named(name, n.Value, depth)
	case *ast.AliasNode:
		name := n.Value.String()
		if slices.Contains(w.open, name) {
			must.Fail(fmt.Errorf("line %d: the alias %s is inside what it stands for", n.GetToken().Position.Line, oneLine(name, 40)))
		}
		value, ok := w.anchors[name]
		if !ok {
			must.Fail(fmt.Errorf("line %d: nothing has the anchor %s", n.GetToken().Position.Line, oneLine(name, 40)))
		}
		w.named(name, value, depth)
	case *ast.TagNode:
		w.node(n.Value, depth+1)
	default:
		w.scalar(n)
	}
}

// named writes what an anchor names.
func (w *yamlWriter) named(name string, value ast.Node, depth int) {
	w.open = append(w.open, name)
	w.node(value, depth+1)
	w.open = w.open[:len(w.open)-1]
}

func (w *yamlWriter) mapping(values []*ast.MappingValueNode, depth int) {
	w.out.WriteByte('{')
	for i, v := range values {
		if i > 0 {
			w.out.WriteByte(',')
		}
		if v.Key == nil || v.Key.IsMergeKey() {
			must.Fail(errors.New("a merge key (<<) in YAML; promptfoo writes none"))
		}
		key := v.Key.String()
		if s, ok := v.Key.(*ast.StringNode); ok {
			key = s.Value
		}
		w.out.Write(quote(key))
		w.out.WriteByte(':')
		w.node(v.Value, depth+1)
	}
	w.out.WriteByte('}')
}

func (w *yamlWriter) scalar(n ast.Node) {
	switch n := n.(type) {
	case nil, *ast.NullNode, *ast.InfinityNode, *ast.NanNode:
		w.out.WriteString("null")
	case *ast.StringNode:
		w.out.Write(quote(n.Value))
	case *ast.LiteralNode:
		w.out.Write(quote(n.Value.Value))
	case *ast.BoolNode:
		fmt.Fprint(&w.out, n.Value)
	case *ast.IntegerNode:
		fmt.Fprint(&w.out, n.Value)
	case *ast.FloatNode:
		w.out.WriteString(strings.TrimPrefix(fmt.Sprint(n.Value), "+"))
	default:
		must.Fail(fmt.Errorf("line %d: YAML of a kind that promptfoo does not write", n.GetToken().Position.Line))
	}
}
