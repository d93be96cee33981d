// Command raced lists packages for go test -race: those in which more than one
// goroutine of ours can run, in the package or in its tests. With -without it
// lists those to test without the race detector: all others, and those with tests
// for which it is too slow, which leave themselves out by a race_test.go.
//
//	go test -race $(go run ./scripts/raced)
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

func main() {
	without := flag.Bool("without", false, "list those to test without the race detector")
	flag.Parse()
	if err := list(os.Stdout, *without); err != nil {
		fmt.Fprintln(os.Stderr, "raced:", err)
		os.Exit(1)
	}
}

// A listed package is one of go list, its files without the build tag race.
type listed struct {
	ImportPath, Dir                                    string
	GoFiles, TestGoFiles, XTestGoFiles, IgnoredGoFiles []string
}

func list(out io.Writer, without bool) error {
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,IgnoredGoFiles", "./...")
	cmd.Stderr = os.Stderr
	text, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	for packages := json.NewDecoder(text); ; {
		var p listed
		if err := packages.Decode(&p); errors.Is(err, io.EOF) {
			return cmd.Wait()
		} else if err != nil {
			return err
		}
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		raced, err := p.raced()
		if err != nil {
			return err
		}
		if raced != without || without && slices.Contains(p.IgnoredGoFiles, "race_test.go") {
			fmt.Fprintln(out, p.ImportPath)
		}
	}
}

// raced reports whether a file of a package or of its tests says that goroutines
// meet there.
func (p listed) raced() (bool, error) {
	for _, name := range slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return false, err
		}
		found := false
		ast.Inspect(file, func(n ast.Node) bool {
			found = found || concurrent(n)
			return !found
		})
		if found {
			return true, nil
		}
	}
	return false, nil
}

// concurrent reports whether a piece of a program starts a goroutine, guards
// something against others, or answers requests, for each of which net/http has
// a goroutine.
func concurrent(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		return true
	case *ast.SelectorExpr:
		switch n.Sel.Name {
		case "Go", "AfterFunc", "Mutex", "RWMutex", "ResponseWriter":
			return true
		}
		pkg, ok := n.X.(*ast.Ident)
		return ok && (pkg.Name == "atomic" || pkg.Name == "sync" && n.Sel.Name == "Map")
	}
	return false
}
