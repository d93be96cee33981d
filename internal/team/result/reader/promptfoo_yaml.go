package reader

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

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
func readPromptfooYAML(data []byte, c *collector) (*result.Run, error) {
	if len(data) > mostYAML {
		return nil, fmt.Errorf("%d MB of YAML; at most %d MB are read: write it with -o results.json", len(data)>>20, mostYAML>>20)
	}
	if line := tooDeep(data); line > 0 {
		return nil, fmt.Errorf("line %d: YAML nested deeper than %d", line, deepestYAML)
	}
	file, err := parseYAML(data)
	if err != nil {
		return nil, err
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return nil, errors.New("one YAML document is wanted")
	}
	w := yamlWriter{anchors: map[string]ast.Node{}}
	if err := w.node(file.Docs[0].Body, 0); err != nil {
		return nil, err
	}
	run, err := readPromptfoo(w.out.Bytes(), c)
	return run, withoutLine(err)
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

func (w *yamlWriter) node(n ast.Node, depth int) error {
	if depth > deepestYAML {
		return fmt.Errorf("YAML nested deeper than %d", deepestYAML)
	}
	if w.out.Len() > mostYAMLWrote {
		return fmt.Errorf("YAML whose aliases say more than %d MB", mostYAMLWrote>>20)
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		return w.mapping(n.Values, depth)
	case *ast.MappingValueNode:
		return w.mapping([]*ast.MappingValueNode{n}, depth)
	case *ast.SequenceNode:
		w.out.WriteByte('[')
		for i, v := range n.Values {
			if i > 0 {
				w.out.WriteByte(',')
			}
			if err := w.node(v, depth+1); err != nil {
				return err
			}
		}
		w.out.WriteByte(']')
	case *ast.AnchorNode:
		name := n.Name.String()
		w.anchors[name] = n.Value
		w.open = append(w.open, name)
		err := w.node(n.Value, depth+1)
		w.open = w.open[:len(w.open)-1]
		return err
	case *ast.AliasNode:
		name := n.Value.String()
		for _, open := range w.open {
			if open == name {
				return fmt.Errorf("line %d: the alias %s is inside what it stands for", n.GetToken().Position.Line, oneLine(name, 40))
			}
		}
		value, ok := w.anchors[name]
		if !ok {
			return fmt.Errorf("line %d: nothing has the anchor %s", n.GetToken().Position.Line, oneLine(name, 40))
		}
		w.open = append(w.open, name)
		err := w.node(value, depth+1)
		w.open = w.open[:len(w.open)-1]
		return err
	case *ast.TagNode:
		return w.node(n.Value, depth+1)
	default:
		return w.scalar(n)
	}
	return nil
}

func (w *yamlWriter) mapping(values []*ast.MappingValueNode, depth int) error {
	w.out.WriteByte('{')
	for i, v := range values {
		if i > 0 {
			w.out.WriteByte(',')
		}
		if v.Key == nil || v.Key.IsMergeKey() {
			return errors.New("a merge key (<<) in YAML; promptfoo writes none")
		}
		key := v.Key.String()
		if s, ok := v.Key.(*ast.StringNode); ok {
			key = s.Value
		}
		w.out.Write(quote(key))
		w.out.WriteByte(':')
		if err := w.node(v.Value, depth+1); err != nil {
			return err
		}
	}
	w.out.WriteByte('}')
	return nil
}

func (w *yamlWriter) scalar(n ast.Node) error {
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
		return fmt.Errorf("line %d: YAML of a kind that promptfoo does not write", n.GetToken().Position.Line)
	}
	return nil
}
