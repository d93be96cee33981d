package brief

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/git"
)

// Survey is what a directory holds apart from its plan.
type Survey struct {
	Code     string   `json:"code,omitempty"`     // a source file that was found, or ""
	Packages []string `json:"packages,omitempty"` // the files of package managers and build tools
	Docs     []string `json:"docs,omitempty"`     // Markdown at the top and in docs/
	Git      bool     `json:"git"`
	Nested   bool     `json:"nested,omitempty"` // the repository's top is above
	top      string
}

// Grown reports whether there is a project already.
func (s *Survey) Grown() bool { return s.Code != "" || len(s.Packages) > 0 }

// Top returns the top of the git working tree, absolute; "" without one.
func (s *Survey) Top() string { return s.top }

// surveyDepth is how many directories down code is looked for, and surveyMost
// in how many at most: a tree of data need not be walked to its end.
const surveyDepth, surveyMost = 3, 2000

// Look surveys the directory root.
func Look(root string) *Survey {
	s := &Survey{Packages: packageFiles(root), Docs: markdown(root)}
	s.top, s.Git = git.Top(root)
	s.Nested = s.Git && !sameDir(s.top, root)
	most := surveyMost
	s.Code = findCode(root, "", surveyDepth, &most)
	return s
}

func sameDir(a, b string) bool {
	fa, err := os.Stat(a)
	fb, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(fa, fb)
}

// findCode returns the first source file at most so many directories down:
// those of a directory before those below it.
func findCode(root, dir string, depth int, most *int) string {
	if *most--; *most < 0 {
		return ""
	}
	entries, err := os.ReadDir(filepath.Join(root, dir))
	if err != nil {
		return ""
	}
	for _, e := range entries {
		if e.Type().IsRegular() && isCode(e.Name()) {
			return filepath.ToSlash(filepath.Join(dir, e.Name()))
		}
	}
	for _, e := range entries {
		if e.IsDir() && depth > 0 && !skipped(e.Name()) {
			if file := findCode(root, filepath.Join(dir, e.Name()), depth-1, most); file != "" {
				return file
			}
		}
	}
	return ""
}

// skipped: directories that hold what others wrote, or what was built.
func skipped(name string) bool {
	switch name {
	case "node_modules", "vendor", "target", "dist", "build", "out", "__pycache__", "venv", "Pods", "DerivedData":
		return true
	}
	return strings.HasPrefix(name, ".")
}

func isCode(name string) bool {
	switch strings.ToLower(strings.TrimPrefix(filepath.Ext(name), ".")) {
	case "ts", "tsx", "js", "jsx", "mjs", "cjs", "vue", "svelte", "py", "go", "rs", "swift", "java", "kt", "kts", "scala",
		"groovy", "c", "h", "cc", "cpp", "cxx", "hpp", "m", "mm", "cs", "fs", "vb", "rb", "php", "dart", "lua", "r", "jl",
		"zig", "ex", "exs", "erl", "clj", "cljs", "hs", "ml", "nim", "pl", "sh", "sol":
		return true
	}
	return false
}

// packageFiles returns the names at the top of root that mark a package.
func packageFiles(root string) []string {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		switch name := e.Name(); name {
		case "package.json", "requirements.txt", "pyproject.toml", "setup.py", "Pipfile", "Cargo.toml", "go.mod", "Package.swift",
			"build.gradle", "build.gradle.kts", "pom.xml", "Gemfile", "composer.json", "pubspec.yaml", "CMakeLists.txt", "Makefile",
			"build.zig", "mix.exs", "project.clj", "build.sbt", "deno.json", "stack.yaml", "meson.build":
			out = append(out, name)
		default:
			if ext := filepath.Ext(name); ext == ".csproj" || ext == ".sln" || ext == ".fsproj" {
				out = append(out, name)
			}
		}
	}
	return out
}

// markdown returns the Markdown files at the top of root and those under
// docs/, by path.
func markdown(root string) []string {
	var out []string
	entries, _ := os.ReadDir(root)
	for _, e := range entries {
		switch {
		case e.Type().IsRegular() && isMarkdown(e.Name()):
			out = append(out, e.Name())
		case e.IsDir() && slices.Contains(docDirs, strings.ToLower(e.Name())):
			out = markdownUnder(root, e.Name(), surveyDepth, out)
		}
	}
	slices.Sort(out)
	return out
}

var docDirs = []string{"docs", "doc", "documentation"}

func markdownUnder(root, dir string, depth int, out []string) []string {
	entries, _ := os.ReadDir(filepath.Join(root, filepath.FromSlash(dir)))
	for _, e := range entries {
		rel := dir + "/" + e.Name()
		switch {
		case e.Type().IsRegular() && isMarkdown(e.Name()):
			out = append(out, rel)
		case e.IsDir() && depth > 0 && !skipped(e.Name()):
			out = markdownUnder(root, rel, depth-1, out)
		}
	}
	return out
}

func isMarkdown(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".md", ".mdx", ".mkd", ".markdown":
		return true
	}
	return false
}
