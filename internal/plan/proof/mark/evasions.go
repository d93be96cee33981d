package mark

import (
	"go/ast"
	"regexp"
	"strings"
	"sync"
)

// findSkippers finds functions that are given a test and skip it in any case.
func (r *goReader) findSkippers(f *ast.File) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Recv != nil || isGoTest(fn) {
			continue
		}
		ts := map[string]bool{}
		for _, p := range fn.Type.Params.List {
			if t := written(p.Type); t == "*testing.T" || t == "testing.TB" {
				for _, name := range p.Names {
					ts[name.Name] = true
				}
			}
		}
		for _, stmt := range fn.Body.List {
			if _, on, method := callOn(stmt); ts[on] && strings.HasPrefix(method, "Skip") {
				r.skippers[fn.Name.Name] = true
			}
		}
	}
}

// given: a test is among the arguments.
func given(call *ast.CallExpr, ts map[string]bool) bool {
	for _, arg := range call.Args {
		if isT(arg, ts) {
			return true
		}
	}
	return false
}

// waits: something in a body waits for what runs beside it.
func (r *goReader) waits(body ast.Node) bool {
	text := r.Text[r.at(body.Pos()):r.at(body.End())]
	for _, word := range []string{"<-", "Wait", "select", "Sleep", "synctest", "Eventually", "Lock", "range "} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// results are the calls whose only result a name stands for.
func results(body ast.Node) map[string]string {
	made := map[string]string{}
	ast.Inspect(body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return true
		}
		name := written(a.Lhs[0])
		made[name] = ""
		if _, call := a.Rhs[0].(*ast.CallExpr); call {
			made[name] = written(a.Rhs[0])
		}
		return true
	})
	return made
}

// itself: the expected value comes from the same call that is checked.
func itself(n *ast.IfStmt, made map[string]string) bool {
	cond, ok := n.Cond.(*ast.BinaryExpr)
	if !ok {
		not, negated := n.Cond.(*ast.UnaryExpr)
		if !negated {
			return false
		}
		call, is := not.X.(*ast.CallExpr)
		if !is || len(call.Args) != 2 || !equality[written(call.Fun)] {
			return false
		}
		cond = &ast.BinaryExpr{X: call.Args[0], Y: call.Args[1]}
	}
	of := func(e ast.Expr) string {
		name := written(e)
		if call := made[name]; call != "" {
			return call
		}
		return name
	}
	a, b := of(cond.X), of(cond.Y)
	return a == b && strings.HasSuffix(a, ")") && written(cond.X) != written(cond.Y)
}

// equality are functions that compare two things.
var equality = map[string]bool{"reflect.DeepEqual": true, "cmp.Equal": true, "slices.Equal": true, "maps.Equal": true, "bytes.Equal": true, "strings.EqualFold": true}

// goldens marks a test that writes what it then compares with.
func (r *goReader) goldens(body *ast.BlockStmt, name string) {
	wrote, read := map[string]string{}, map[string]string{} // by file: the value, and what it is read into
	var at ast.Node
	for _, stmt := range body.List { // what stands under a condition, such as a flag, is asked for
		ast.Inspect(stmt, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.IfStmt:
				return n.Init != nil && n.Else == nil && strings.Contains(written(n.Cond), "err")
			case *ast.AssignStmt:
				if call, ok := n.Rhs[0].(*ast.CallExpr); ok && len(call.Args) == 1 && (written(call.Fun) == "os.ReadFile" || written(call.Fun) == "ioutil.ReadFile") {
					read[written(call.Args[0])] = written(n.Lhs[0])
				}
			case *ast.CallExpr:
				if f := written(n.Fun); len(n.Args) == 3 && (f == "os.WriteFile" || f == "ioutil.WriteFile") && read[written(n.Args[0])] == "" {
					value := written(n.Args[1])
					value = strings.TrimSuffix(strings.TrimPrefix(value, "[]byte("), ")")
					wrote[written(n.Args[0])], at = value, n
				}
			}
			return true
		})
	}
	made := results(body)
	for file, value := range wrote {
		into := read[file]
		if into == "" || made[value] == "" || strings.Contains(made[file], "TempDir") { // a file of its own that should stay as it is
			continue
		}
		ast.Inspect(body, func(n ast.Node) bool {
			if s, ok := n.(*ast.IfStmt); ok && hasWordIn(written(s.Cond), value) && hasWordIn(written(s.Cond), into) {
				r.mark(Vacuous, r.at(at.Pos()), name)
			}
			return true
		})
	}
}

func hasWordIn(s, word string) bool {
	return word != "" && regexp.MustCompile(`\b`+regexp.QuoteMeta(word)+`\b`).MatchString(s)
}

// hooks are the methods that unittest calls before every test of a class.
var hooks = map[string]bool{"setUp": true, "setUpClass": true, "asyncSetUp": true, "setup_method": true, "setup_class": true}

// pyHook marks what runs before every test of a class and skips it in any case.
func (s *Source) pyHook(body []statement, name string) {
	re, level := pythonRE(), body[0].indent
	for _, st := range body {
		if st.indent == level && re["skips"].MatchString(st.code) && !strings.HasPrefix(st.code, "return") && !strings.HasPrefix(st.code, "yield") {
			s.mark(Skipped, st.at, name)
			return
		}
	}
}

// collected reports whether a class of Python is one whose tests run: it extends another,
// pytest takes it by its name, or a class of the file extends it.
func (s *Source) collected(c pyClass) bool {
	return strings.TrimSpace(c.bases) != "" || strings.HasPrefix(c.name, "Test") ||
		regexp.MustCompile(`class\s+\w+\s*\([^)]*\b`+regexp.QuoteMeta(c.name)+`\b`).MatchString(s.Code)
}

var (
	later = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:setTimeout|setImmediate|queueMicrotask|process\.nextTick)\s*\(`)
	})
	isAwaited = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\bawait\b|\bdone\b|\bnew\s+Promise\b|[fF]akeTimers|\brunAllTimers|\badvanceTimers|\bt\.(?:plan|waitFor)\b`)
	})
	cached = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\brequire\.cache\s*\[\s*require\.resolve\s*(\()`)
	})
)

// forLater reports whether a check of a test in JavaScript is left to a timer that the test
// does not wait for.
func (s *Source) forLater(f *Function, at int) bool {
	if isAwaited().MatchString(s.Code[f.Open:f.Close]) {
		return false
	}
	for _, m := range later().FindAllStringIndex(s.Code[f.Open:f.Close], -1) {
		open := f.Open + m[1] - 1
		if end := closing(s.Code, open); open < at && at < end || open >= at && open < lineEnd(s.Code, at) {
			return true
		}
	}
	return false
}

// readCache marks a test that changes what the module it is named after exports.
func (s *Source) readCache(stem string) {
	for _, at := range cached().FindAllStringSubmatchIndex(s.Code, -1) {
		module := s.firstString(at[2])
		name := module[strings.LastIndexByte(module, '/')+1:]
		if name, _, _ = strings.Cut(name, "."); name == stem && strings.Contains(s.Line(s.At(at[0])), "exports") {
			s.mark(Mocked, at[0], module)
		}
	}
}
