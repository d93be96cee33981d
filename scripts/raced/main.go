// Command raced divides the tests into those for the race detector and those for a
// plain go test. It prints four lines, each a word and then arguments of go test:
//
//	race        packages in whose code, or in all of whose tests, goroutines of ours
//	            can meet
//	race-some   other packages' tests that start goroutines themselves
//	plain       all packages that are not printed by race
//	plain-some  tests of those printed by race that leave themselves out there
package main

import (
	"encoding/json"
	"errors"
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

	"cairn/internal/must"
)

func main() {
	if err := must.Catch(func() { run(os.Stdout) }); err != nil {
		fmt.Fprintln(os.Stderr, "raced:", err)
		os.Exit(1)
	}
}

// A listed package is one of go list.
type listed struct {
	ImportPath, Dir                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
}

func run(out io.Writer) {
	packages := list()
	whole, some, in := map[string][]string{}, map[string][]string{}, map[string][]string{}
	for _, path := range slices.Sorted(maps.Keys(packages)) {
		p := packages[path]
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		found := p.read()
		all, rest, tests := "plain", "race-some", found.concurrent
		if found.raced {
			all, rest, tests = "race", "plain-some", found.leftOut
		}
		whole[all] = append(whole[all], path)
		if len(tests) > 0 {
			some[rest], in[rest] = append(some[rest], tests...), append(in[rest], path)
		}
	}
	for _, word := range slices.Sorted(maps.Keys(whole)) {
		fmt.Fprintln(out, word, strings.Join(whole[word], " "))
	}
	for _, word := range slices.Sorted(maps.Keys(some)) {
		fmt.Fprintf(out, "%s -run ^(%s)$ %s\n", word, strings.Join(some[word], "|"), strings.Join(in[word], " "))
	}
}

// list returns all packages by their paths.
func list() map[string]listed {
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles", "./...")
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		must.Fail(fmt.Errorf("go list: %w", err))
	}
	packages := map[string]listed{}
	for all := json.NewDecoder(strings.NewReader(string(text))); ; {
		var p listed
		err := all.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages
		}
		must.OK(err)
		packages[p.ImportPath] = p
	}
}

func (p listed) files() []string { return slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) }

// found is what a package's files say of goroutines.
type found struct {
	raced      bool     // they meet in the package itself, or in all of its tests
	concurrent []string // tests of files in which they meet
	leftOut    []string // tests that the race detector does not run
}

func (p listed) read() (f found) {
	files, tests := map[string]*ast.File{}, 0
	for _, name := range p.files() {
		files[name] = must.Get(parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution))
	}
	noRace := leaving(files)
	for name, file := range files {
		meet := has(file, concurrent)
		f.raced = f.raced || meet && slices.Contains(p.GoFiles, name)
		for _, d := range file.Decls {
			test, ok := d.(*ast.FuncDecl)
			if !ok || test.Recv != nil || !strings.HasPrefix(test.Name.Name, "Test") || test.Name.Name == "TestMain" {
				continue
			}
			tests++
			switch {
			case noRace[test.Name.Name]:
				f.leftOut = append(f.leftOut, test.Name.Name)
			case meet:
				f.concurrent = append(f.concurrent, test.Name.Name)
			}
		}
	}
	f.raced = f.raced || len(f.concurrent) > 0 && len(f.concurrent) == tests
	return f
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

// leaving finds the functions that call cairntest.NoRace, themselves or by another.
func leaving(files map[string]*ast.File) map[string]bool {
	found := map[string]bool{"NoRace": true}
	for before := 0; before < len(found); {
		before = len(found)
		for _, file := range files {
			for _, d := range file.Decls {
				f, ok := d.(*ast.FuncDecl)
				if ok && f.Recv == nil && has(f, func(n ast.Node) bool {
					id, ok := n.(*ast.Ident)
					return ok && id != f.Name && found[id.Name]
				}) {
					found[f.Name.Name] = true
				}
			}
		}
	}
	return found
}
