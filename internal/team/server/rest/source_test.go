package rest

import (
	"cairn/test/cairntest"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// each calls fn with every Go file of the product below a directory of this repository.
func each(t *testing.T, dir string, fn func(path string, files *token.FileSet, f *ast.File)) {
	t.Helper()
	root := filepath.Join("..", "..", "..", "..")
	n := 0
	err := filepath.WalkDir(filepath.Join(root, filepath.FromSlash(dir)), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "testdata" {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		n++
		rel, _ := filepath.Rel(root, path)
		fn(filepath.ToSlash(rel), files, f)
		return nil
	})
	if err != nil || n == 0 {
		t.Fatalf("%d files below %s: %v", n, dir, err)
	}
}

// TestNoSQLOutsideDB: every statement is in the tree of team/db.
func TestNoSQLOutsideDB(t *testing.T) {
	cairntest.NoRace(t)
	sql := regexp.MustCompile(`(?is)^\s*(select\s.+\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|(create|alter|drop|truncate)\s+(table|index|view|function|policy|role)\s|with\s+\w+\s+as\s*\(|pragma\s+\w+)`)
	statements := 0
	each(t, "internal", func(path string, files *token.FileSet, f *ast.File) {
		inDB := strings.HasPrefix(path, "internal/team/db/")
		for _, spec := range f.Imports {
			if imp, _ := strconv.Unquote(spec.Path.Value); !inDB && (imp == "database/sql" || strings.HasPrefix(imp, "modernc.org/sqlite") || strings.HasPrefix(imp, "github.com/jackc/pgx")) {
				t.Errorf("%s imports %s; only internal/team/db may", path, imp)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil && sql.MatchString(text) {
					if statements++; !inDB {
						t.Errorf("%s: SQL outside of internal/team/db: %.60q", files.Position(lit.Pos()), text)
					}
				}
			}
			return true
		})
	})
	if statements == 0 {
		t.Error("no statement was found in internal/team/db: the search is wrong")
	}
}

// TestEveryTransactionIsSomebody: each transaction that a request for rows
// opens runs as r.as, and that is set by access.Identify and by nothing else.
func TestEveryTransactionIsSomebody(t *testing.T) {
	opened, identified := 0, 0
	each(t, "internal/team/server/rest", func(path string, files *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				sel, ok := n.Fun.(*ast.SelectorExpr)
				if ok && isIdent(sel.X, "rows") && !slices.Contains([]string{"NewAnswer", "FindFunction", "Explain"}, sel.Sel.Name) && (len(n.Args) < 3 || !isField(n.Args[2], "as")) {
					t.Errorf("%s: rows are not the asker's", files.Position(n.Pos()))
				}
				if !ok || sel.Sel.Name != "View" && sel.Sel.Name != "Update" || !isField(sel.X, "db") {
					return true
				}
				if opened++; len(n.Args) != 3 || !isField(n.Args[1], "as") {
					t.Errorf("%s: a transaction that is not the asker's", files.Position(n.Pos()))
				}
			case *ast.AssignStmt:
				for _, left := range n.Lhs {
					if !isField(left, "as") {
						continue
					}
					call, ok := n.Rhs[0].(*ast.CallExpr)
					if identified++; !ok || !isField(call.Fun, "Identify") {
						t.Errorf("%s: who asks is set by something else than access", files.Position(n.Pos()))
					}
				}
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "as" {
					t.Errorf("%s: who asks is set by something else than access", files.Position(n.Pos()))
				}
			case *ast.SelectorExpr:
				if n.Sel.Name == "ServerItself" || n.Sel.Name == "Server" && isIdent(n.X, "db") || n.Sel.Name == "Service" && isIdent(n.X, "db") {
					t.Errorf("%s: a request cannot be the server", files.Position(n.Pos()))
				}
			}
			return true
		})
	})
	if opened < 3 || identified == 0 {
		t.Errorf("%d transactions, %d identities found: the search is wrong", opened, identified)
	}
}

func isField(e ast.Expr, name string) bool {
	sel, ok := e.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == name
}

func isIdent(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}
