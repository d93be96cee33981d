//go:build agents

package agents

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// newProject writes the project of testdata into dir, with what is too long
// to be stored, as a git repository with a change that is not committed.
func newProject(t *testing.T, dir string) {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/project.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if err := txtar.Write(archive, dir); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "package-lock.json"), lockFile(400))
	write(t, filepath.Join(dir, "source.go"), source("before"))
	run(t, dir, "/usr/bin/python3", "-m", "venv", "--system-site-packages", "--without-pip", ".venv")
	write(t, filepath.Join(dir, ".venv/bin/pytest"),
		"#!"+filepath.Join(dir, ".venv/bin/python")+"\nimport sys, pytest\nsys.exit(pytest.main())\n")
	for _, script := range []string{".venv/bin/pytest", "ci.sh"} {
		if err := os.Chmod(filepath.Join(dir, script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, ".gitignore"), ".venv/\n__pycache__/\n.pytest_cache/\n")
	run(t, dir, "git", "init", "-q")
	run(t, dir, "git", "add", ".")
	run(t, dir, "git", "-c", "user.name=Dev", "-c", "user.email=dev@example.com", "commit", "-q", "-m", "start")
	write(t, filepath.Join(dir, "source.go"), source("after"))
	write(t, filepath.Join(dir, "package-lock.json"), strings.ReplaceAll(lockFile(400), `"1.2.`, `"1.3.`))
}

// source is a file as people write them: 300 functions, one of which differs.
func source(word string) string {
	var b strings.Builder
	b.WriteString("package demo\n")
	for i := range 300 {
		w := "same"
		if i == 150 {
			w = word
		}
		fmt.Fprintf(&b, "\n// step%d says what it does.\nfunc step%d() string {\n\treturn %q\n}\n", i, i, w)
	}
	return b.String()
}

func lockFile(packages int) string {
	var b strings.Builder
	b.WriteString("{\n  \"name\": \"demo\",\n  \"lockfileVersion\": 3,\n  \"packages\": {\n")
	for i := range packages {
		fmt.Fprintf(&b, "    \"node_modules/part-%d\": {\n      \"version\": \"1.2.%d\",\n      \"license\": \"MIT\"\n    },\n", i, i)
	}
	b.WriteString("    \"node_modules/last\": {\"version\": \"9.9.9\"}\n  }\n}\n")
	return b.String()
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}
