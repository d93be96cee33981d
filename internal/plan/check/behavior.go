package check

import (
	"path"
	"strings"

	"cairn/internal/plan/doc"
)

// Behavior tells whether a task adds behavior, so that its tests come first:
// it is marked so, says which, and changes source.
type Behavior struct {
	TDD    bool // tdd="true"
	Says   bool // <behavior> is not empty
	Source bool // one of its files is neither a test, a document nor settings
}

// Adds reports whether all of it holds.
func (b Behavior) Adds() bool { return b.TDD && b.Says && b.Source }

// Reason says in words what Adds follows from.
func (b Behavior) Reason() string {
	switch {
	case !b.TDD:
		return `the task is not marked tdd="true"`
	case !b.Says:
		return "the task has no <behavior>"
	case !b.Source:
		return "the task changes only tests, documents or settings"
	}
	return "the task is test-driven, says its behavior and changes source"
}

// TaskBehavior judges a task.
func TaskBehavior(k doc.Task) Behavior {
	b := Behavior{TDD: k.TDD, Says: k.Behavior != ""}
	for _, name := range k.Files {
		b.Source = b.Source || isSource(name)
	}
	return b
}

// isSource reports whether a path is of source code: not of a test, a
// document or settings.
func isSource(name string) bool {
	name = strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	base := path.Base(name)
	for dir := range strings.SplitSeq(path.Dir(name), "/") {
		switch dir {
		case "test", "tests", "__tests__", "spec", "specs", "testdata", "fixtures", "e2e", "docs", "doc":
			return false
		}
	}
	switch path.Ext(base) {
	case ".md", ".mdx", ".txt", ".rst", ".adoc", ".json", ".jsonc", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".env", ".lock", ".xml", ".properties", "":
		return false
	}
	stem := strings.TrimSuffix(base, path.Ext(base))
	for _, end := range []string{".test", ".spec", "_test", "_spec", ".config"} {
		if strings.HasSuffix(stem, end) {
			return false
		}
	}
	return !strings.HasPrefix(base, ".") && !strings.HasPrefix(stem, "test_") && stem != "conftest"
}
