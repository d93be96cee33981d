package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cairn/internal/host"
	"cairn/internal/runtimes"
)

const (
	module   = "cairn/"
	maxLines = 600
)

// A pkg is a package of the tree: its files that are no tests, parsed as far as
// their imports.
type pkg struct {
	documented bool
	imports    map[string]string // of ours, by directory, and others by path, each with a file that has it
}

// tree returns the packages by directory, without those that have only tests.
func tree(t *testing.T) map[string]*pkg {
	t.Helper()
	found := map[string]*pkg{}
	sources(t, parser.ImportsOnly|parser.ParseComments, func(name string, src []byte, f *ast.File) {
		dir := path.Dir(name)
		p := found[dir]
		if p == nil {
			p = &pkg{imports: map[string]string{}}
			found[dir] = p
		}
		p.documented = p.documented || f.Doc != nil
		for _, spec := range f.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			p.imports[strings.TrimPrefix(imp, module)] = name
			if imp == "testing" {
				t.Errorf("%s: test code in the product", name)
			}
		}
		if n := bytes.Count(src, []byte("\n")); n > maxLines && !bytes.Contains(src, []byte("\n// Code generated ")) {
			t.Errorf("%s: %d lines, more than %d: split it by idea", name, n, maxLines)
		}
	})
	return found
}

// sources hands over every Go file that is no test, by its name with slashes.
func sources(t *testing.T, mode parser.Mode, do func(name string, src []byte, f *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || len(name) > 1 && d.Name()[0] == '.') {
			return filepath.SkipDir
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, mode)
		if err != nil {
			return err
		}
		do(filepath.ToSlash(name), src, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// layers are the sections of the picture, from the top: a package imports its own
// layer and those below it.
var layers = []string{"edges", "domains", "ground", "leaves"}

// A row is a package in the picture.
type row struct {
	at      string // file of the row
	layer   int
	any     bool // may import everything
	imports []string
}

// picture reads the rows of ARCHITECTURE.md and docs/*-inside.md. They are in blocks
// that begin with ```packages TREE, below the name of a layer; a row is
//
//	NAME[, NAME…]  WHAT IT IS  ─→ IMPORT, IMPORT, TREE/{IMPORT,IMPORT}
//
// and goes on in lines that are indented. A name is below TREE or internal, or as
// it is; "." is TREE itself.
func picture(t *testing.T, packages map[string]*pkg) map[string]*row {
	t.Helper()
	files, err := filepath.Glob("docs/*-inside.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]*row{}
	for _, file := range append([]string{"ARCHITECTURE.md"}, files...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var (
			base  string
			layer = -1
			last  []*row
		)
		find := func(name string) string {
			if name == "." && base != "internal" {
				return base
			}
			for _, dir := range []string{path.Join(base, name), path.Join("internal", name), name} {
				if packages[dir] != nil {
					return dir
				}
			}
			t.Errorf("%s: there is no package %s", file, name)
			return name
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimRight(line, "\r\n")
			switch {
			case strings.HasPrefix(line, "```"):
				base, _ = strings.CutPrefix(line, "```packages ")
				if base == line {
					base = ""
				}
				layer, last = -1, nil
				continue
			case base == "" || line == "":
				continue
			case strings.HasPrefix(line, "# "):
				if layer = slices.Index(layers, line[2:]); layer < 0 {
					t.Errorf("%s: %q is no layer", file, line)
				}
				continue
			}
			if layer < 0 {
				t.Fatalf("%s: %q is below no layer", file, line)
			}
			left, imports, _ := strings.Cut(line, "─→")
			if strings.TrimSpace(left) == "" || line[0] == ' ' {
				imports = line
			} else {
				last = nil
				names, _, _ := strings.Cut(left, "  ")
				for name := range strings.SplitSeq(names, ", ") {
					dir := find(strings.TrimSpace(name))
					if rows[dir] != nil {
						t.Errorf("%s: %s has a row in %s, too", file, dir, rows[dir].at)
					}
					rows[dir] = &row{at: file, layer: layer}
					last = append(last, rows[dir])
				}
			}
			for _, r := range last {
				for _, name := range names(imports) {
					if name == "everything" {
						r.any = true
						continue
					}
					r.imports = append(r.imports, find(name))
				}
			}
		}
	}
	return rows
}

// names are those of a list; a/{b,c} is two.
func names(list string) (out []string) {
	for list = strings.Trim(list, " ,"); list != ""; list = strings.Trim(list, " ,") {
		head, rest, _ := strings.Cut(list, ",")
		if tree, _, grouped := strings.Cut(head, "{"); grouped {
			inner, after, _ := strings.Cut(list[len(tree)+1:], "}")
			for name := range strings.SplitSeq(inner, ",") {
				out = append(out, tree+name)
			}
			list = after
			continue
		}
		out, list = append(out, strings.TrimSpace(head)), rest
	}
	return out
}

// The picture is the architecture: every package has a row, and imports what the row
// says, all of it and nothing else.
func TestArchitecture(t *testing.T) {
	packages := tree(t)
	rows := picture(t, packages)
	for _, dir := range slices.Sorted(maps.Keys(packages)) {
		p, r := packages[dir], rows[dir]
		if !p.documented {
			t.Errorf("%s: no package comment", dir)
		}
		if r == nil && inOtherModule(dir) {
			continue
		}
		if r == nil {
			t.Errorf("%s: no picture has it; ARCHITECTURE.md and docs/*-inside.md do", dir)
			continue
		}
		for _, imp := range slices.Sorted(maps.Keys(p.imports)) {
			if packages[imp] == nil || r.any {
				continue // none of ours
			}
			if !slices.Contains(r.imports, imp) {
				t.Errorf("%s: %s may not import %s: %s does not say so", p.imports[imp], dir, imp, r.at)
			}
			if to := rows[imp]; to != nil && to.layer < r.layer {
				t.Errorf("%s: %s (of %s) may not import %s, which is above it", p.imports[imp], dir, layers[r.layer], imp)
			}
		}
		for _, imp := range r.imports {
			if _, is := p.imports[imp]; !is {
				t.Errorf("%s: %s does not import %s any more", r.at, dir, imp)
			}
		}
	}
}

// inOtherModule says whether a directory has a go.mod of its own.
func inOtherModule(dir string) bool {
	_, err := os.Stat(path.Join(dir, "go.mod"))
	return err == nil && dir != "."
}

// The cores compute: what they say can be printed, sent and drawn by others.
func TestCoresArePure(t *testing.T) {
	packages := tree(t)
	for _, core := range []string{"alert", "compare", "compare/gate", "cost", "stats", "grade", "cases", "message", "result"} {
		seen := map[string]bool{}
		var walk func(dir string, way []string)
		walk = func(dir string, way []string) {
			if seen[dir] {
				return
			}
			seen[dir] = true
			for imp := range packages[dir].imports {
				switch imp {
				case "net/http", "html/template", "html", "net/smtp", "database/sql":
					t.Errorf("internal/team/%s depends on %s: %s", core, imp, strings.Join(append(way, dir), " → "))
				}
				if packages[imp] != nil {
					walk(imp, append(slices.Clip(way), dir))
				}
			}
		}
		walk("internal/team/"+core, nil)
	}
}

// Agents are rows: no other package names a directory or a variable of one.
func TestAgentsAreRows(t *testing.T) {
	rowOf := map[string]string{}
	for _, name := range runtimes.SessionVars {
		rowOf[name] = "SessionVars"
	}
	for _, h := range host.All() {
		for _, name := range []string{h.ConfigDirEnv, h.ConfigDir, h.LocalDir, h.Marker, h.SessionEnv, h.EnvFile, h.ReserveEnv} {
			rowOf[name] = h.Name
		}
		rowOf[strings.ToUpper(h.Name)+"_"] = h.Name
	}
	for _, others := range []string{
		"", "XDG_CONFIG_HOME", // not an agent's alone
		".github", // GitHub's, too
		".agent",  // how the file of a role may end
	} {
		delete(rowOf, others)
	}
	sources(t, 0, func(name string, _ []byte, f *ast.File) {
		if strings.HasPrefix(name, "internal/host/") || strings.HasPrefix(name, "internal/runtimes/") || !strings.HasPrefix(name, "internal/") {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, _ := strconv.Unquote(lit.Value)
			head, _, _ := strings.Cut(strings.TrimPrefix(text, "~/"), "/")
			prefix := text[:strings.Index(text, "_")+1]
			for _, word := range []string{text, head, prefix} {
				if row := rowOf[word]; row != "" {
					t.Errorf("%s: %q belongs to the row of %s", name, text, row)
					break
				}
			}
			return true
		})
	})
}
