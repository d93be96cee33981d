package doc

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cairn/internal/jsonc"
)

// shortList is how many scalars a new list may have, and longLine how many
// bytes they may take, to be written in brackets.
const (
	shortList = 3
	longLine  = 80
)

// valueNode makes a node of a value: a string, bool, number, nil, []string,
// []any, Object, map[string]any (its keys sorted) or *Node.
func valueNode(value any) (*Node, error) {
	switch v := value.(type) {
	case nil:
		return &Node{}, nil
	case *Node:
		return v.loose(), nil
	case string:
		return &Node{Value: v, style: stylePlain}, nil
	case bool:
		return valueNode(strconv.FormatBool(v))
	case int:
		return valueNode(strconv.Itoa(v))
	case float64:
		return valueNode(strconv.FormatFloat(v, 'f', -1, 64))
	case json.Number:
		return valueNode(v.String())
	case []string:
		n := &Node{Kind: List}
		for _, s := range v {
			n.Items = append(n.Items, &Node{Value: s, style: stylePlain})
		}
		return n, nil
	case []any:
		n := &Node{Kind: List}
		for _, it := range v {
			item, err := valueNode(it)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, item)
		}
		return n, nil
	case map[string]any:
		var o jsonc.Object
		for _, name := range slices.Sorted(maps.Keys(v)) {
			o = append(o, jsonc.Member{Name: name, Value: v[name]})
		}
		return valueNode(o)
	case jsonc.Object:
		n := &Node{Kind: Map}
		for _, m := range v {
			child, err := valueNode(m.Value)
			if err != nil {
				return nil, err
			}
			n.Entries = append(n.Entries, Entry{m.Name, child})
		}
		return n, nil
	}
	return nil, fmt.Errorf("a frontmatter cannot hold a %T", value)
}

// loose copies a node without where it stood. A scalar keeps its quotes.
func (n *Node) loose() *Node {
	if n == nil {
		return &Node{}
	}
	c := &Node{Kind: n.Kind, Value: n.Value}
	switch {
	case n.style == styleSingle || n.style == styleDouble:
		c.style = n.style
	case n.Kind == Scalar && (n.Value != "" || n.Quoted || n.style != styleNull):
		c.style = stylePlain
	}
	for _, it := range n.Items {
		c.Items = append(c.Items, it.loose())
	}
	for _, e := range n.Entries {
		c.Entries = append(c.Entries, Entry{e.Key, e.Node.loose()})
	}
	return c
}

// oneLine prints n in one line, in the style of old where that can hold it.
// It is false for a value that wants lines of its own.
func oneLine(n, old *Node) (string, bool) {
	switch {
	case n.isNull():
		return "", true
	case n.Kind == Scalar && old.style == styleBlockScalar:
		return printScalar(n.Value, stylePlain, false), !strings.Contains(n.Value, "\n") || !isText(n.Value)
	case n.Kind == Scalar: // two lines are text, one with a break after it is not
		severalLines := strings.Contains(strings.TrimRight(n.Value, "\n"), "\n")
		return printScalar(n.Value, old.style, false), old.style == styleDouble || !severalLines || !isText(n.Value)
	case len(n.Items)+len(n.Entries) == 0:
		return printFlow(n), true
	case n.Kind == Map && (old.Kind != Map || old.style != styleFlow || len(old.Entries) == 0):
		return "", false
	}
	for _, it := range n.Items {
		if it.Kind != Scalar || it.isNull() {
			return "", false
		}
	}
	flow := printFlow(n)
	if old.style == styleFlow && len(old.Items)+len(old.Entries) > 0 {
		return flow, true
	}
	return flow, old.style != styleBlock && len(n.Items) <= shortList && len(flow) <= longLine
}

// isText reports whether `|` can hold a string. `|+` is not used: it would
// take the blank lines after it.
func isText(s string) bool {
	if s == "" || isBlank(s[0]) || s[0] == '\n' || strings.HasSuffix(s, "\n\n") {
		return false
	}
	for line := range strings.SplitSeq(s, "\n") {
		if strings.Trim(line, " \t") == "" && line != "" || hasControl(line) {
			return false
		}
	}
	return true
}

// printScalar prints a string in the wanted style, or in double quotes where
// that style cannot hold it.
func printScalar(s string, want style, inFlow bool) string {
	switch {
	case want == styleSingle && !hasControl(s):
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	case want != styleDouble && isPlain(s, inFlow):
		return s
	}
	return doubleQuoted(s)
}

// isPlain reports whether a string needs no quotes.
func isPlain(s string, inFlow bool) bool {
	if s == "" || strings.Trim(s, " \t") != s || hasControl(s) {
		return false
	}
	if strings.IndexByte("-?:", s[0]) >= 0 && (len(s) == 1 || isBlank(s[1])) || strings.IndexByte(",[]{}#&*!|>'\"%@`", s[0]) >= 0 {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == ':' && (isColon(s, i) || inFlow), s[i] == '#' && i > 0 && isBlank(s[i-1]):
			return false
		case inFlow && strings.IndexByte(",[]{}", s[i]) >= 0:
			return false
		}
	}
	return true
}

func hasControl(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u0085' || r == '\u2028' || r == '\u2029' }) >= 0
}

func doubleQuoted(s string) string {
	b := []byte{'"'}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', s[i])
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case hasControl(s[i : i+size]):
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = append(b, s[i:i+size]...)
		}
		i += size
	}
	return string(append(b, '"'))
}

// printFlow prints n with brackets. Scalars that were in quotes stay so.
func printFlow(n *Node) string {
	var b strings.Builder
	switch n.Kind {
	case Scalar:
		if !n.isNull() {
			return printScalar(n.Value, n.style, true)
		}
		return "null"
	case List:
		b.WriteByte('[')
		for i, it := range n.Items {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(printFlow(it))
		}
		b.WriteByte(']')
	case Map:
		b.WriteByte('{')
		for i, e := range n.Entries {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(printFlowEntry(e))
		}
		b.WriteByte('}')
	}
	return b.String()
}

func printFlowEntry(e Entry) string {
	s := printScalar(e.Key, stylePlain, true) + ":"
	if e.Node.isNull() {
		return s
	}
	return s + " " + printFlow(e.Node)
}

// printBlock prints a value after head, which is `key:` or a dash. The lines
// are indented by col blanks; old is the value whose style is kept.
func printBlock(head string, n, old *Node, col int) []string {
	if old == nil {
		old = &Node{style: n.style}
		if n.Kind != Scalar {
			old.style = styleNull
		}
	}
	margin := strings.Repeat(" ", col)
	if s, ok := oneLine(n, old); ok {
		return []string{strings.TrimRight(margin+head+" "+s, " ")}
	}
	if n.Kind == Scalar {
		return append([]string{margin + head + " " + blockHeader(n.Value)}, textLines(n.Value, col+2)...)
	}
	var out []string
	if head != "-" {
		out = append(out, margin+head)
		col += 2
		if old.style == styleBlock && old.Kind == List && n.Kind == List {
			col = old.at.col
		}
		return append(out, collectionLines(n, col)...)
	}
	// A collection that is an item begins after the dash.
	out = collectionLines(n, col+2)
	out[0] = margin + "- " + out[0][col+2:]
	return out
}

// collectionLines prints the entries or items of n at column col.
func collectionLines(n *Node, col int) []string {
	var out []string
	for _, it := range n.Items {
		out = append(out, printBlock("-", it, nil, col)...)
	}
	for _, e := range n.Entries {
		out = append(out, printBlock(printScalar(e.Key, stylePlain, false)+":", e.Node, nil, col)...)
	}
	return out
}

func blockHeader(s string) string {
	if strings.HasSuffix(s, "\n") {
		return "|"
	}
	return "|-"
}

func textLines(s string, col int) []string {
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = strings.Repeat(" ", col) + line
		}
	}
	return lines
}
