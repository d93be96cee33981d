package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const (
	module   = "cairn/"
	maxLines = 600
)

// mayImport is the architecture: for each tree, the other trees of ours it
// may import. The longest matching tree decides; a tree may always import
// itself, and a tree that is not listed imports nothing of ours.
var mayImport = map[string][]string{
	".":                      {"internal/cli"},
	"internal/cli":           {"internal"},
	"internal/hook":          {"internal/compact", "internal/host", "internal/shim", "internal/plan/guard", "internal/tokens"},
	"internal/shim":          {"internal/compact", "internal/child", "internal/atomicfile", "internal/home"},
	"internal/install":       {"internal/host", "internal/plan/content", "internal/git", "internal/jsonc", "internal/atomicfile", "internal/home"},
	"internal/compact":       {"internal/redact", "internal/tokens", "internal/home", "internal/text"},
	"internal/benchmark":     {"internal/compact", "internal/transcript", "internal/redact", "internal/tokens", "internal/home", "internal/atomicfile", "internal/term", "internal/text"},
	"internal/verifier":      {"internal/compact", "internal/tokens"},
	"internal/mcp":           {"internal/term", "internal/text"},
	"internal/config":        {"internal/project", "internal/atomicfile", "internal/home"},
	"internal/project":       {"internal/atomicfile", "internal/home"},
	"internal/transcript":    {"internal/home"},
	"internal/term":          {"internal/text"},
	"internal/answer":        {"internal/term", "internal/text"},
	"internal/command":       {"internal/answer", "internal/term", "internal/text"},
	"internal/team":          {"internal/answer", "internal/alive", "internal/atomicfile", "internal/home", "internal/project", "internal/term", "internal/tokens", "internal/text"},
	"internal/team/retro":    {"internal/git", "internal/text"},
	"internal/team/link":     {"internal/team", "internal/command", "internal/config", "internal/home", "internal/project", "internal/term", "internal/version", "internal/text"},
	"internal/team/servecmd": {"internal/team", "internal/answer", "internal/command", "internal/home", "internal/term", "internal/text", "internal/version"},
	"internal/team/teamcmd":  {"internal/team", "internal/answer", "internal/command", "internal/config", "internal/term", "internal/text", "internal/version"},
	"scripts/evalstore":      {"internal/home", "internal/team"},
	"scripts/man":            {"internal/cli"},
	"scripts/release":        {"internal/update"},
	"scripts/fixtures":       {"internal/team/db", "test/cairntest"},
	"scripts/landed":         {"internal/team/wire"},
	"scripts/load":           {"internal/team/wire"},
	"scripts/soak":           {"internal/team/db"},
	"scripts/viewers":        {"internal/team/db", "internal/team/server/access", "internal/team/wire"},
	"scripts/seed":           {"internal/team/db", "internal/team/server"},
	"test/supabase":          {"internal/team/db/pgtest"},
	"internal/plan":          {"internal/answer", "internal/command", "internal/alive", "internal/jsonc", "internal/git", "internal/atomicfile", "internal/home", "internal/term", "internal/tokens", "internal/text"},
}

func TestArchitecture(t *testing.T) {
	documented := map[string]bool{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || len(name) > 1 && d.Name()[0] == '.') {
			return filepath.SkipDir
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(name))
		documented[dir] = documented[dir] || f.Doc != nil
		for _, spec := range f.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			if to, ours := strings.CutPrefix(imp, module); ours && !allowed(dir, to) {
				t.Errorf("%s: %s may not import %s", name, dir, to)
			}
			if imp == "testing" {
				t.Errorf("%s: test code in the product", name)
			}
		}
		if n := bytes.Count(src, []byte("\n")); n > maxLines && !bytes.Contains(src, []byte("\n// Code generated ")) {
			t.Errorf("%s: %d lines, more than %d: split it by idea", name, n, maxLines)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("%s: no package comment", dir)
		}
	}
}

func allowed(from, to string) bool {
	tree := from
	for mayImport[tree] == nil && strings.Count(tree, "/") > 1 {
		tree = path.Dir(tree)
	}
	for _, t := range append(mayImport[tree], tree) {
		if to == t || strings.HasPrefix(to, t+"/") {
			return true
		}
	}
	return false
}
