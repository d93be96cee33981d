// Command raced says how go test runs each test once: under the race detector in
// the packages where more than one goroutine of ours can run, in the package or in
// its tests, and without it elsewhere.
//
//	go test -race $(go run ./scripts/raced)        those packages
//	go test $(go run ./scripts/raced -without)     all others
//	go test $(go run ./scripts/raced -left-out)    the tests of the former that leave
//	                                               themselves out under the race detector
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
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	without := flag.Bool("without", false, "list the packages to test without the race detector")
	leftOut := flag.Bool("left-out", false, "print the arguments for the tests that only run without it")
	flag.Parse()
	if err := run(os.Stdout, *without, *leftOut); err != nil {
		fmt.Fprintln(os.Stderr, "raced:", err)
		os.Exit(1)
	}
}

// A listed package is one of go list.
type listed struct {
	ImportPath, Dir                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
}

func run(out io.Writer, without, leftOut bool) error {
	packages, err := list()
	if err != nil {
		return err
	}
	underRace, err := list("-race")
	if err != nil {
		return err
	}
	var names, dirs []string
	for _, path := range slices.Sorted(maps.Keys(packages)) {
		p := packages[path]
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		raced, tests, err := p.read(underRace[p.ImportPath])
		switch {
		case err != nil:
			return err
		case leftOut && raced && len(tests) > 0:
			names, dirs = append(names, tests...), append(dirs, p.ImportPath)
		case !leftOut && raced != without:
			fmt.Fprintln(out, p.ImportPath)
		}
	}
	if len(names) > 0 {
		fmt.Fprintf(out, "-run ^(%s)$ %s\n", strings.Join(names, "|"), strings.Join(dirs, " "))
	}
	return nil
}

// list returns all packages by their paths.
func list(flags ...string) (map[string]listed, error) {
	cmd := exec.Command("go", slices.Concat([]string{"list"}, flags, []string{"-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles", "./..."})...)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	packages := map[string]listed{}
	for all := json.NewDecoder(strings.NewReader(string(text))); ; {
		var p listed
		if err := all.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages[p.ImportPath] = p
	}
}

func (p listed) files() []string { return slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) }

// read reports whether goroutines meet in a package or in its tests, and which
// tests are left out under the race detector: those of a file that is, and those
// that ask whether they are UnderRace.
func (p listed) read(underRace listed) (raced bool, leftOut []string, err error) {
	for _, name := range p.files() {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return false, nil, err
		}
		there := slices.Contains(underRace.files(), name)
		raced = raced || there && has(file, concurrent)
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") && f.Name.Name != "TestMain" && (!there || has(f, asksRace)) {
				leftOut = append(leftOut, f.Name.Name)
			}
		}
	}
	return raced, leftOut, nil
}

// has reports whether a part of n is as is says.
func has(n ast.Node, is func(ast.Node) bool) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		found = found || is(n)
		return !found
	})
	return found
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

func asksRace(n ast.Node) bool {
	id, ok := n.(*ast.Ident)
	return ok && strings.EqualFold(id.Name, "UnderRace")
}
