package mark

import (
	"go/ast"
	"go/token"
	"strings"
)

// test judges a test of Go: whether it runs, and whether it can fail.
func (r *goReader) test(fn *ast.FuncDecl, f *Function) {
	t := "t"
	if names := fn.Type.Params.List[0].Names; len(names) > 0 {
		t = names[0].Name
	}
	r.skips(fn.Body, map[string]bool{t: true}, f.Name)
	r.goldens(fn.Body, f.Name)
	f.Checks = r.checks(fn.Body, map[string]bool{t: true})
	if f.Checks == 0 {
		r.markFunction(Vacuous, *f)
	}
}

// skips marks what ends a test in any case, before its work is done: a skip that is
// no part of a condition, or of one that always holds. Subtests have bodies of
// their own.
func (r *goReader) skips(body *ast.BlockStmt, ts map[string]bool, name string) {
	for i, stmt := range body.List {
		if s, ok := stmt.(*ast.IfStmt); ok && always(s.Cond) {
			r.skips(s.Body, ts, name)
		}
		if block, ok := stmt.(*ast.BlockStmt); ok {
			r.skips(block, ts, name)
		}
		if ret, ok := stmt.(*ast.ReturnStmt); ok && i+1 < len(body.List) {
			r.mark(Skipped, r.at(ret.Pos()), name)
			return
		}
		if call, on, method := callOn(stmt); ts[on] && strings.HasPrefix(method, "Skip") || call != nil && r.skippers[written(call.Fun)] && given(call, ts) {
			r.mark(Skipped, r.at(call.Pos()), name)
			return
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok {
			return true
		}
		if p := lit.Type.Params.List; len(p) > 0 && len(p[0].Names) > 0 && strings.HasSuffix(written(p[0].Type), "testing.T") {
			r.skips(lit.Body, map[string]bool{p[0].Names[0].Name: true}, name)
			return false
		}
		return true
	})
}

func callOn(stmt ast.Stmt) (call *ast.CallExpr, on, method string) {
	e, ok := stmt.(*ast.ExprStmt)
	if !ok {
		return nil, "", ""
	}
	call, ok = e.X.(*ast.CallExpr)
	if !ok {
		return nil, "", ""
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return call, "", ""
	}
	return call, written(sel.X), sel.Sel.Name
}

// always: true, a comparison of two equal literals, or what holds wherever go test runs
// by itself: there are arguments, and nobody asked it to be verbose.
func always(e ast.Expr) bool {
	switch written(e) {
	case "len(os.Args) > 0", "len(os.Args) != 0", "len(os.Args) >= 1", "!testing.Verbose()":
		return true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return always(e.X)
	case *ast.Ident:
		return e.Name == "true"
	case *ast.UnaryExpr:
		return e.Op == token.NOT && never(e.X)
	case *ast.BinaryExpr:
		return e.Op == token.EQL && same(e) || e.Op == token.NEQ && differ(e) || e.Op == token.LOR && (always(e.X) || always(e.Y))
	}
	return false
}

func never(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "false"
	case *ast.BinaryExpr:
		return e.Op == token.NEQ && same(e) || e.Op == token.EQL && differ(e) || e.Op == token.LAND && (never(e.X) || never(e.Y))
	}
	return false
}

// same: both sides are one expression; differ: they are two literals.
func same(e *ast.BinaryExpr) bool { return written(e.X) == written(e.Y) }

func differ(e *ast.BinaryExpr) bool {
	a, aok := e.X.(*ast.BasicLit)
	b, bok := e.Y.(*ast.BasicLit)
	return aok && bok && a.Value != b.Value
}

// checks counts what can turn a test red: t.Error and its like, a call of something
// that is given t, a panic. A condition that never holds, and a check of literals
// against each other, is none.
func (r *goReader) checks(body ast.Node, ts map[string]bool) (n int) {
	waits, made := r.waits(body), results(body)
	ast.Inspect(body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.GoStmt:
			return waits
		case *ast.RangeStmt:
			return !emptyTable(node)
		case *ast.IfStmt:
			if cond, ok := node.Cond.(*ast.BinaryExpr); ok && cond.Op == token.LAND && never(cond) {
				r.mark(Vacuous, r.at(node.Pos()), "a check that is never made")
			}
			if never(node.Cond) || itself(node, made) {
				if node.Else != nil {
					n += r.checks(node.Else, ts)
				}
				return false
			}
		case *ast.CallExpr:
			n += r.check(node, ts)
		}
		return true
	})
	return n
}

func (r *goReader) check(call *ast.CallExpr, ts map[string]bool) int {
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok && isT(sel.X, ts) {
		switch sel.Sel.Name {
		case "Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow":
			return 1
		case "Run", "Fuzz": // a body that is written down is looked at by itself
			if n := len(call.Args); n > 0 {
				if _, lit := call.Args[n-1].(*ast.FuncLit); !lit {
					return 1
				}
			}
			return 0
		}
		return 0
	}
	if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "panic" {
		return 1
	}
	for i, arg := range call.Args {
		if isT(arg, ts) && !(asserts(call) && (literals(call.Args[i+1:]) || twice(call.Args[i+1:]))) {
			return 1
		}
	}
	return 0
}

// asserts: it is of a library of assertions.
func asserts(call *ast.CallExpr) bool {
	name := strings.ToLower(written(call.Fun))
	for _, word := range []string{"assert", "require", "equal", "true", "nil"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// isT: t, or the t of a closure, whatever it is called.
func isT(e ast.Expr, ts map[string]bool) bool {
	id, ok := e.(*ast.Ident)
	return ok && (ts[id.Name] || id.Name == "t" || id.Name == "tt" || id.Name == "b" || id.Name == "f")
}

// twice: a thing is compared with itself.
func twice(args []ast.Expr) bool {
	return len(args) >= 2 && !constant(args[0]) && written(args[0]) == written(args[1])
}

// literals: all there is to compare is written down on both sides.
func literals(args []ast.Expr) bool {
	for _, a := range args {
		if !constant(a) {
			return false
		}
	}
	return len(args) > 0
}
