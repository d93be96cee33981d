package doc

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// TestFrontAgreesWithYAML reads every frontmatter of the sample projects and
// many made ones with a YAML parser too.
func TestFrontAgreesWithYAML(t *testing.T) {
	files, err := filepath.Glob("testdata/front/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		compareYAML(t, string(b))
	}
	accepted := 0
	r := rand.New(rand.NewPCG(1, 2))
	const made = 1500
	for range made {
		if t.Failed() {
			return
		}
		if compareYAML(t, "---\n"+makeYAML(r)+"---\n") {
			accepted++
		}
	}
	if accepted < made*9/10 {
		t.Errorf("the parser took only %d of %d, so little was compared", accepted, made)
	}
}

func compareYAML(t *testing.T, s string) (accepted bool) {
	t.Helper()
	d := Parse([]byte(s))
	if d.Body() == 0 {
		return false
	}
	src := d.Span(1, d.Body()-1) + "\n"
	f, err := parser.ParseBytes([]byte(src), 0)
	if err != nil || len(f.Docs) != 1 {
		return false
	}
	var v any
	if yaml.Unmarshal([]byte(src), &v) != nil {
		return false
	}
	want, ok := yamlText(f.Docs[0].Body)
	if got := nodeText(d.Front()); ok && got != want {
		t.Errorf("%s\nis    %s\nyaml: %s", src, got, want)
	}
	return ok
}

// yamlText prints a parsed YAML node with its scalars as they are written.
func yamlText(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case nil:
		return "map[]", true
	case *ast.MappingNode:
		var parts []string
		for _, e := range n.Values {
			v, ok := yamlText(e.Value)
			if !ok {
				return "", false
			}
			parts = append(parts, strconv.Quote(keyText(e.Key))+":"+v)
		}
		return "map[" + strings.Join(parts, " ") + "]", true
	case *ast.SequenceNode:
		var parts []string
		for _, it := range n.Values {
			v, ok := yamlText(it)
			if !ok {
				return "", false
			}
			parts = append(parts, v)
		}
		return "[" + strings.Join(parts, " ") + "]", true
	case *ast.StringNode:
		return strconv.Quote(n.Value), true
	case *ast.LiteralNode:
		return strconv.Quote(n.Value.Value), true
	case *ast.NullNode:
		return "null", n.GetToken().Type == token.ImplicitNullType
	case ast.ScalarNode:
		return strconv.Quote(n.GetToken().Value), true
	}
	return "", false
}

func keyText(n ast.MapKeyNode) string {
	if s, ok := n.(*ast.StringNode); ok {
		return s.Value
	}
	return n.GetToken().Value
}

func nodeText(n *Node) string {
	var parts []string
	switch n.Kind {
	case Map:
		for _, e := range n.Entries {
			parts = append(parts, strconv.Quote(e.Key)+":"+nodeText(e.Node))
		}
		return "map[" + strings.Join(parts, " ") + "]"
	case List:
		for _, it := range n.Items {
			parts = append(parts, nodeText(it))
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	if n.isNull() {
		return "null"
	}
	return strconv.Quote(n.Value)
}

// makeYAML makes a frontmatter of every form there is, but for three that
// go-yaml gets wrong: it takes [a:b] for a map, reads a quote that is not
// closed, and gives a list's empty last item the key after the list.
func makeYAML(r *rand.Rand) string {
	var b strings.Builder
	makeMap(r, &b, "", 0)
	return b.String()
}

func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

func makeMap(r *rand.Rand, b *strings.Builder, margin string, depth int) {
	for i := range 1 + r.IntN(4) {
		if i > 0 || margin == "" {
			b.WriteString(pick(r, "", "", "", "\n", "# c: d\n", margin+"# c\n"))
			b.WriteString(margin)
		}
		fmt.Fprintf(b, "%s%d%s:", pick(r, "k", "key-", "a_b."), i, pick(r, "", "", "", " "))
		makeValue(r, b, margin, depth, true)
	}
}

func makeValue(r *rand.Rand, b *strings.Builder, margin string, depth int, inMap bool) {
	kind := r.IntN(8)
	if depth > 3 {
		kind = r.IntN(5)
	}
	if kind == 0 && !inMap {
		kind = 4
	}
	switch kind {
	case 0:
		b.WriteString(pick(r, "\n", " # null\n", " \n"))
	case 1:
		b.WriteString(" " + makeFlow(r, 0) + pick(r, "\n", " # c\n"))
	case 2:
		header := pick(r, "|", ">", "|-", ">-", "|+")
		b.WriteString(" " + header + "\n" + pick(r, "", "\n") + margin + "  line\n")
		for range 1 + r.IntN(4) {
			b.WriteString(pick(r, "", margin+"  text: x\n", margin+"  # text\n", margin+"    more\n", "\n"))
			b.WriteString(margin + "  line\n")
		}
	case 3:
		b.WriteString(" one\n")
	case 5, 6:
		if inMap {
			b.WriteString(pick(r, "\n", " # c\n"))
			in := margin + pick(r, "  ", "    ")
			b.WriteString(in)
			makeMap(r, b, in, depth+1)
		} else {
			b.WriteString(" ")
			makeMap(r, b, margin+"  ", depth+1)
		}
	case 7:
		in := margin + pick(r, "", "  ")
		if !inMap {
			in = margin + "  "
		}
		b.WriteString("\n")
		for range 1 + r.IntN(3) {
			b.WriteString(pick(r, "", "", in+"# c\n") + in + "-")
			makeValue(r, b, in, depth+1, false)
		}
	default:
		s := makeScalar(r, false)
		b.WriteString(" " + s + pick(r, "\n", "  # c\n"))
		if strings.HasSuffix(b.String(), s+"\n") && strings.IndexAny(s, "\"'") != 0 {
			b.WriteString(pick(r, "", margin+"   and more\n"))
		}
	}
}

func makeScalar(r *rand.Rand, inFlow bool) string {
	s := pick(r, "1", "true", "01", "x#y", "http://a.b/c", "-x", "a-b", "it's", `say "hi"`, "2026-01-02", "é ü", "src/a.go", "v1.0", "?x", "x & y", "50%")
	switch r.IntN(4) {
	case 0:
		return `"` + pick(r, "a: b", `q \"x\"`, `\t\\`, `\u00e9 \x41`, "", "# no", "[x]") + `"`
	case 1:
		return `'` + pick(r, "a: b", "it''s", `\n`, "", "# no", "{x}") + `'`
	case 2:
		if !inFlow {
			return pick(r, "a, b", "x [y]", "a {b}", "x - y", "a:b", s)
		}
	}
	return s
}

func makeFlow(r *rand.Rand, depth int) string {
	var parts []string
	isMap := r.IntN(2) == 0
	for i := range r.IntN(4) {
		v := makeScalar(r, true)
		if depth < 3 && r.IntN(4) == 0 {
			v = makeFlow(r, depth+1)
		}
		if isMap {
			v = fmt.Sprintf("f%d: %s", i, v)
		}
		parts = append(parts, v)
	}
	s := strings.Join(parts, pick(r, ", ", ",", " , "))
	if isMap {
		return "{" + s + "}"
	}
	return "[" + s + pick(r, "", "", " ") + "]"
}
