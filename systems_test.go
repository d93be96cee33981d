package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"cairn/test/cairntest"
)

// TestOtherSystems: every package, and each that it imports, is right by Go's type
// checker as macOS and Windows compile it. To compile and link it all takes twenty
// times as long and finds the same: make cross does that.
func TestOtherSystems(t *testing.T) {
	cairntest.Long(t)
	for _, system := range []string{"darwin", "windows"} {
		t.Run(system, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap,Standard", "./...")
			cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0", "GOFLAGS=")
			cmd.Stderr = os.Stderr
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			checked := map[string]*types.Package{"unsafe": types.Unsafe}
			// What a package imports is listed before it.
			for list := json.NewDecoder(out); ; {
				var p listed
				if err := list.Decode(&p); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				if p.ImportPath != "unsafe" {
					checked[p.ImportPath] = p.check(t, checked)
				}
			}
			if err := cmd.Wait(); err != nil {
				t.Fatal(err)
			}
			if checked["cairn/internal/cli"] == nil || checked["cairn"] == nil {
				t.Errorf("%d packages, and not cairn itself", len(checked))
			}
		})
	}
}

// A listed package is one of go list.
type listed struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string
	Standard        bool
}

// check type-checks a package; of Go's own library, only what it declares.
func (p listed) check(t *testing.T, checked map[string]*types.Package) *types.Package {
	files, fset := make([]*ast.File, len(p.GoFiles)), token.NewFileSet()
	for i, name := range p.GoFiles {
		var err error
		if files[i], err = parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution); err != nil {
			t.Error(err)
		}
	}
	c := types.Config{IgnoreFuncBodies: p.Standard, FakeImportC: true, Sizes: types.SizesFor("gc", "amd64"),
		Importer: importer(func(path string) (*types.Package, error) {
			if real, ok := p.ImportMap[path]; ok {
				path = real
			}
			if checked[path] == nil {
				return nil, errors.New("it is not listed")
			}
			return checked[path], nil
		}),
		Error: func(err error) {
			if !p.Standard {
				t.Error(err)
			}
		}}
	pkg, _ := c.Check(p.ImportPath, fset, files, nil)
	return pkg
}

type importer func(path string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }
