package mark

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"strings"
)

type goReader struct {
	*Source
	fset     *token.FileSet
	skippers map[string]bool // functions of a file of tests that skip whatever test calls them
}

func (s *Source) readGo() {
	r := &goReader{Source: s, fset: token.NewFileSet(), skippers: map[string]bool{}}
	f, err := parser.ParseFile(r.fset, s.Name, s.Text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		s.Err = err
	}
	if f == nil {
		return
	}
	test := IsTest(s.Name)
	if test {
		r.buildTags(f)
		r.findSkippers(f)
		r.uncollected(f)
		for _, group := range f.Comments {
			for _, c := range group.List {
				if strings.TrimSpace(c.Text) == "//go:build ignore" && c.Pos() < f.Package {
					s.mark(Skipped, r.at(c.Pos()), "")
				}
			}
		}
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		r.function(fn, test)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			r.panics(n)
		case *ast.FuncDecl:
			if n.Body != nil {
				r.swallows(n.Type, n.Body)
			}
		case *ast.FuncLit:
			r.swallows(n.Type, n.Body)
		}
		return true
	})
}

// written is an expression as gofmt writes it, of a function without a name only that it
// is one. go/types has the same, and makes every start of the binary slower.
func written(e ast.Expr) string {
	if _, ok := ast.Unparen(e).(*ast.FuncLit); ok {
		return "func"
	}
	var b strings.Builder
	_ = printer.Fprint(&b, token.NewFileSet(), e) // a builder takes everything
	return b.String()
}

func (r *goReader) at(p token.Pos) int { return r.fset.Position(p).Offset }

func (r *goReader) function(fn *ast.FuncDecl, test bool) {
	f := Function{
		Name: fn.Name.Name, Line: r.At(r.at(fn.Pos())), End: r.At(r.at(fn.Body.Rbrace)),
		Open: r.at(fn.Body.Lbrace) + 1, Close: r.at(fn.Body.Rbrace), Statements: statements(fn.Body), method: fn.Recv != nil && len(fn.Recv.List) > 0,
	}
	if f.method {
		f.Name = receiver(fn.Recv) + "." + f.Name
		for _, field := range fn.Recv.List {
			f.params = append(f.params, named(field)...)
		}
	}
	for _, field := range fn.Type.Params.List {
		f.params = append(f.params, named(field)...)
	}
	if fn.Type.Results != nil {
		for _, field := range fn.Type.Results.List {
			f.Bare = f.Bare || len(field.Names) > 0
			for range max(1, len(field.Names)) {
				f.Results = append(f.Results, r.Text[r.at(field.Type.Pos()):r.at(field.Type.End())])
			}
		}
	}
	f.Test = test && fn.Recv == nil && isGoTest(fn)
	switch {
	case f.Test:
		r.test(fn, &f)
	case test && fn.Name.Name == "TestMain" && fn.Recv == nil:
		r.testMain(fn)
	case !test:
		r.hollow(fn, f)
	}
	r.Functions = append(r.Functions, f)
}

func receiver(list *ast.FieldList) string {
	name := ""
	ast.Inspect(list.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return name == ""
	})
	return name
}

func named(field *ast.Field) (out []string) {
	for _, n := range field.Names {
		if n.Name != "_" {
			out = append(out, n.Name)
		}
	}
	return out
}

func statements(body *ast.BlockStmt) (n int) {
	ast.Inspect(body, func(node ast.Node) bool {
		if s, ok := node.(ast.Stmt); ok {
			if _, block := s.(*ast.BlockStmt); !block {
				n++
			}
		}
		return true
	})
	return n
}

// isGoTest: TestX(t *testing.T), FuzzX(f *testing.F). Benchmarks and examples are
// no tests of this kind.
func isGoTest(fn *ast.FuncDecl) bool {
	name, params := fn.Name.Name, fn.Type.Params.List
	if !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Fuzz") || len(params) != 1 {
		return false
	}
	if rest := strings.TrimPrefix(strings.TrimPrefix(name, "Test"), "Fuzz"); rest != "" && rest[0] >= 'a' && rest[0] <= 'z' {
		return false // go test does not take it for one
	}
	star, ok := params[0].Type.(*ast.StarExpr)
	return ok && (written(star.X) == "testing.T" || written(star.X) == "testing.F" || written(star.X) == "T")
}

// hollow marks a function that does nothing, or gives the same whatever it is given.
// What takes no parameter or names none says so itself, and a method may have to be
// there for an interface: one that does nothing is no mark.
func (r *goReader) hollow(fn *ast.FuncDecl, f Function) {
	list := fn.Body.List
	if len(list) == 0 && !f.method && len(f.params) > 0 && !r.commented(f.Open, f.Close) && !meantEmpty(f.Name) {
		r.markFunction(Empty, f)
		return
	}
	if len(list) != 1 || meantEmpty(f.Name) || len(f.params) == 0 || f.method && len(f.params) < 2 {
		return
	}
	if ret, ok := list[0].(*ast.ReturnStmt); ok && len(ret.Results) > 0 && len(f.Results) > 0 && !r.handles(fn) {
		says := !f.method
		for _, e := range ret.Results {
			if !constant(e) {
				return
			}
			says = says || !zero(e)
		}
		if says {
			r.markFunction(Constant, f)
		}
	}
}

// handles: what it is given was decided by a server.
func (r *goReader) handles(fn *ast.FuncDecl) bool {
	return strings.Contains(r.Text[r.at(fn.Type.Params.Pos()):r.at(fn.Type.Params.End())], "http.")
}

// zero: nil, false, 0 and their like.
func zero(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Value == "0" || e.Value == `""`
	case *ast.Ident:
		return e.Name == "nil" || e.Name == "false"
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	}
	return false
}

// meantEmpty: the name says that there is nothing to do.
func meantEmpty(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"noop", "nop", "discard", "ignore", "null", "dummy", "nothing", "unused", "always", "never", "default", "unimplemented", "unsupported"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// constant: literals, and nil, true and false.
func constant(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return e.Name == "nil" || e.Name == "true" || e.Name == "false"
	case *ast.UnaryExpr:
		return constant(e.X)
	case *ast.CompositeLit:
		for _, el := range e.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				el = kv.Value
			}
			if !constant(el) {
				return false
			}
		}
		return true
	}
	return false
}

func (r *goReader) panics(call *ast.CallExpr) {
	name := written(call.Fun)
	if name != "panic" && name != "log.Fatal" && name != "errors.New" && name != "fmt.Errorf" || len(call.Args) == 0 {
		return
	}
	text := r.Text[r.at(call.Args[0].Pos()):r.at(call.Args[0].End())]
	if _, literal := call.Args[0].(*ast.BasicLit); !literal && name != "panic" {
		return
	}
	if unsaid := strings.ToLower(text); name == "errors.New" || name == "fmt.Errorf" {
		// an error may be about something else that is not implemented; one of few words is not
		if len(strings.Fields(unsaid)) > 4 || strings.Contains(unsaid, "%") || strings.Contains(unsaid, "stub") {
			return
		}
	}
	if saysUnfinished(text) {
		r.mark(Stub, r.at(call.Pos()), "")
	}
}

// swallows marks `if err != nil` whose body has nothing in it, and one that returns
// nil as the error. A comment in it says why.
func (r *goReader) swallows(fn *ast.FuncType, body *ast.BlockStmt) {
	fails := false
	if fn.Results != nil && len(fn.Results.List) > 0 {
		fails = written(fn.Results.List[len(fn.Results.List)-1].Type) == "error"
	}
	for _, p := range fn.Params.List { // a walk goes on where a file cannot be read
		if t := written(p.Type); strings.HasSuffix(t, "DirEntry") || strings.HasSuffix(t, "FileInfo") {
			return
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if _, inner := n.(*ast.FuncLit); inner {
			return false
		}
		i, ok := n.(*ast.IfStmt)
		if !ok || written(i.Cond) != "err != nil" || r.commented(r.at(i.Pos()), lineEnd(r.Text, r.at(i.Body.Rbrace))) {
			return true
		}
		if len(i.Body.List) == 0 {
			r.mark(Swallowed, r.at(i.Pos()), "")
		} else if ret, ok := i.Body.List[0].(*ast.ReturnStmt); ok && len(i.Body.List) == 1 && fails && len(ret.Results) > 0 {
			told := r.Text[r.at(ret.Pos()):r.at(ret.End())]
			if strings.HasSuffix(told, "nil") && !strings.Contains(told, "err") && !strings.Contains(told, "Err") {
				r.mark(Swallowed, r.at(ret.Pos()), "")
			}
		}
		return true
	})
}
