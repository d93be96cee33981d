package rule

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/compact/shell"
)

func find(l *Library, cmd, sample string) string {
	return l.Find(Target{Command: shell.Parse(cmd), Sample: func() string { return sample }})
}

func TestFindByCommand(t *testing.T) {
	l := Load()
	for cmd, want := range map[string]string{
		"go test ./...":                         "tests/go",
		"cd sub && FOO=1 go test -v ./... 2>&1": "tests/go",
		"go -C sub test ./... | tail -50":       "tests/go",
		"npx jest --ci":                         "tests/jest",
		"python3 -m pytest -x tests":            "tests/pytest",
		"git -C . --no-pager diff HEAD~1":       "git/diff",
		"sudo apt-get install -y jq":            "install/apt",
		"./node_modules/.bin/tsc --noEmit":      "build/tsc",
		"some-unknown-tool --x":                 "",
		"":                                      "",
	} {
		if got := find(l, cmd, ""); got != want {
			t.Errorf("%s: %q, want %q", cmd, got, want)
		}
	}
}

func TestFindInCompounds(t *testing.T) {
	l := Load()
	for cmd, want := range map[string]string{
		"echo found: && grep -rn x .": "files/grep",
		"env | sort; set | grep -i x": "", // variables are no matches in files
		"./prepare && go test ./...":  "tests/go",
	} {
		if got := find(l, cmd, ""); got != want {
			t.Errorf("%s: %q, want %q", cmd, got, want)
		}
	}
}

// A program's log with a trace in it is no output of python.
func TestFindBySavedLog(t *testing.T) {
	entry := "2026-03-04 09:00:00 INFO started\n"
	trace := "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nValueError: x\n"
	for sample, want := range map[string]string{
		strings.Repeat(entry, 5) + trace: "files/content",
		entry + trace:                    "run/python",
	} {
		if got := find(Load(), "cat app.log", sample); got != want {
			t.Errorf("%q: %s, want %s", sample, got, want)
		}
	}
}

// A file that holds what a tool printed is shown as that tool's output.
func TestFindBySavedOutput(t *testing.T) {
	l := Load()
	jest := "PASS src/a.test.js\nTest Suites: 1 passed, 1 total\nTests:       4 passed, 4 total\n"
	for cmd, want := range map[string]string{
		"cat test.log":                "tests/jest",
		"tail -n 50 ../ci/jest.out":   "tests/jest",
		"sed -n '1,50p' /tmp/run.txt": "tests/jest",
		"cat notes.txt":               "files/content",
		"cat test.log src/a.js":       "files/content",
		"cat test.log; ./unknown":     "files/content",
	} {
		if got := find(l, cmd, jest); got != want {
			t.Errorf("%s: %q, want %q", cmd, got, want)
		}
	}
	if got := find(l, "cat server.log", "2026-11-20 10:00:00 a\n2026-11-20 10:00:01 b\n2026-11-20 10:00:02 c\n"); got != "files/content" {
		t.Errorf("a log: %q", got)
	}
}

// A wrapper's output is whatever the tool inside prints.
func TestFindByContent(t *testing.T) {
	l := Load()
	jest := "PASS src/a.test.js\nTest Suites: 1 passed, 1 total\nTests:       4 passed, 4 total\n"
	for _, cmd := range []string{"npm test", "make test", "./ci.sh"} {
		if got := find(l, cmd, jest); got != "tests/jest" {
			t.Errorf("%s: %q", cmd, got)
		}
	}
	if got := l.Find(Target{Tool: "TaskOutput", Sample: func() string { return jest }}); got != "tests/jest" {
		t.Errorf("in the background: %q", got)
	}
	if got := l.Find(Target{Tool: "Agent", Sample: func() string { return jest }}); got != "" {
		t.Errorf("told by another agent: %q", got)
	}
	if got := find(l, "npm run hello", "hello\n"); got != "run/npm-script" {
		t.Errorf("nothing known inside: %q", got)
	}
}

func TestTiers(t *testing.T) {
	user, project := t.TempDir(), t.TempDir()
	write(t, user, "go.json", `{"id": "tests/go", "primitives": {"truncate": {"headLines": 7, "tailLines": 1}}}`)
	write(t, project, "go.json", `{"id": "tests/go", "primitives": {"truncate": {"tailLines": 9}}}`)
	write(t, project, "jest.json", `{"id": "tests/jest", "extends": null, "match": {"commands": ["jest"]}}`)
	write(t, project, "sub/own.json", `{"id": "my/own", "match": {"commands": ["frobnicate all"]}}`)
	l := Load(user, project)

	r, err := l.Rule("tests/go")
	if err != nil {
		t.Fatal(err)
	}
	if tr := r.Primitives.Truncate; tr == nil || tr.HeadLines != 7 || tr.TailLines != 9 {
		t.Errorf("not merged: %+v", tr)
	}
	if r.Parser != "gotest" || !strings.Contains(r.Source, "built-in, ") {
		t.Errorf("the built-in part is gone: parser %q, source %s", r.Parser, r.Source)
	}
	if r, err := l.Rule("tests/jest"); err != nil || r.Parser != "" || len(r.Match.Commands) != 1 {
		t.Errorf("extends null did not replace: %+v, %v", r, err)
	}
	if got := find(l, "frobnicate all the things", ""); got != "my/own" {
		t.Errorf("%q", got)
	}
	if r, err := l.Rule("no/such"); r != nil || err != nil {
		t.Errorf("%v, %v", r, err)
	}
}

// Files that cannot be rules are named and cost nothing else.
func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "huge.json", `{"id": "my/huge", "description": "`+strings.Repeat("x", maxFile)+`"}`)
	write(t, dir, "binary.json", "\x00\x01\xff")
	write(t, dir, "noid.json", `{"match": {}}`)
	write(t, dir, "array.json", `[]`)
	write(t, dir, "a/b/c/d/deep.json", `{"id": "my/deep"}`)
	write(t, dir, "good.json", `{"id": "my/good"}`)
	if err := os.Symlink(dir, filepath.Join(dir, "loop")); err != nil {
		t.Log(err)
	}
	l := Load(dir, filepath.Join(dir, "missing"))
	if len(l.Warnings) != 4 {
		t.Errorf("%d warnings: %v", len(l.Warnings), l.Warnings)
	}
	if r, err := l.Rule("my/good"); r == nil || err != nil {
		t.Errorf("the good one is lost: %v", err)
	}
}

// The table that finds built-in rules is what the generator makes of them.
func TestIndexIsCurrent(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "rules"), os.DirFS("rules")); err != nil {
		t.Fatal(err)
	}
	gen := filepath.Join(dir, "gen.exe")
	if out, err := exec.Command("go", "build", "-o", gen, "./gen").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.Command(gen)
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want, err := os.ReadFile(filepath.Join(dir, "index_gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("index_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("index_gen.go is not current: run go generate ./internal/compact/rule")
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
