package injection

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"
)

// TestAnchors: a word that should open a window has to begin with one of firstThree.
func TestAnchors(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "lexicon.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var set starts
	set.fill()
	seen := 0
	ast.Inspect(f, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		w, _ := strconv.Unquote(lit.Value)
		if lexicon(w)&anchors == 0 || w[0] >= 0x80 {
			return true
		}
		seen++
		if !set.has(startKey(w)) {
			t.Errorf("%s is an anchor, but firstThree lacks %.3s", w, w)
		}
		return true
	})
	if seen < 100 {
		t.Errorf("only %d anchors", seen)
	}
}
