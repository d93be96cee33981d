package doc

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"cairn/internal/jsonc"
)

// Any value can be written at any place of any well-formed frontmatter: it is
// read back, nothing else changes, and the YAML parser agrees.
func TestSetFrontAnywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 800 {
		d := Parse([]byte("---\n" + makeYAML(r) + "---\nbody\n"))
		old := d.Front()
		path := anyPath(r, old)
		value, err := valueNode(anyValue(r, 0))
		if err != nil {
			t.Fatal(err)
		}
		before := d.Clone()
		if err := d.SetFront(value, path...); err != nil {
			if strings.Contains(err.Error(), "is a text") {
				continue
			}
			t.Fatalf("%v to %s: %v in\n%s", path, nodeText(value), err, before)
		}
		if got := d.Front().Get(path...); !same(got, value) {
			t.Fatalf("%v is %s, want %s, in\n%s", path, nodeText(got), nodeText(value), d)
		}
		if ps := d.FrontProblems(); len(ps) > len(before.FrontProblems()) {
			t.Fatalf("%v: %v in\n%s", path, ps, d)
		}
		compareYAML(t, d.String())
		if t.Failed() {
			t.Fatalf("after %v in\n%s", path, before)
		}
		if parent := old.Get(path[:len(path)-1]...); parent.Kind == Map && old.Get(path...) == nil {
			if d.UnsetFront(path...); d.String() != before.String() {
				t.Fatalf("%v was new, and without it again it is\n%s\nwas\n%s", path, d, before)
			}
		}
	}
}

// anyPath picks a key that is there, one time in four a new one.
func anyPath(r *rand.Rand, n *Node) []string {
	var path []string
	for {
		switch {
		case n.Kind == Map && (len(n.Entries) == 0 || r.IntN(4) == 0):
			return append(path, pick(r, "new", "needs: quotes", "x.y"))
		case n.Kind == Map:
			e := n.Entries[r.IntN(len(n.Entries))]
			path, n = append(path, e.Key), e.Node
		case n.Kind == List && len(n.Items) > 0:
			i := r.IntN(len(n.Items))
			path, n = append(path, fmt.Sprint(i)), n.Items[i]
		default:
			return path
		}
		if r.IntN(3) == 0 {
			return path
		}
	}
}

func anyValue(r *rand.Rand, depth int) any {
	kind := r.IntN(6)
	if depth > 2 {
		kind = r.IntN(3)
	}
	switch kind {
	case 0:
		return r.IntN(2) == 0
	case 1, 2:
		return pick(r, "x", "a: b", "# no", "", " space ", "it's", "\"q\"", "a\nb", "a\n\nb\n", "\n", "  lead\nx", "[x]", "- y", "@z", "tab\tx", "é\u2028", "-", "a\n\n\n", "null", "x #y", "key:")
	case 3, 4:
		list := []any{}
		for range r.IntN(6) {
			list = append(list, anyValue(r, depth+1))
		}
		return list
	}
	o := jsonc.Object{}
	for i := range r.IntN(4) {
		o = append(o, jsonc.Member{Name: fmt.Sprintf("%s%d", pick(r, "k", "a b", "q:"), i), Value: anyValue(r, depth+1)})
	}
	return o
}
