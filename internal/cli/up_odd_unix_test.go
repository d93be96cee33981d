//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Where nobody works nothing is written, and it is said why.
func TestUpWhereNobodyWorks(t *testing.T) {
	t.Parallel()
	f := newFresh(t)
	f.git("init", "-q", "--bare")
	if told := f.up(anyPort); told.Repo != "" || told.Linked || !strings.Contains(told.Steps[1].Text, "bare repository") {
		t.Errorf("%+v", told)
	}
	if _, err := os.Lstat(filepath.Join(f.repo, ".cairn")); err == nil {
		t.Error("a bare repository has a .cairn")
	}
	f.repo = "/"
	if told := f.up(anyPort); !strings.Contains(told.Steps[1].Text, "root of all files") {
		t.Errorf("%+v", told)
	}
	f.repo = f.home
	if told := f.up(anyPort); !strings.Contains(told.Steps[1].Text, "your home") {
		t.Errorf("%+v", told)
	}
}

// A repository's links do not lead what is written out of it.
func TestUpWritesThroughNoLink(t *testing.T) {
	t.Parallel()
	for name, link := range map[string]func(repo, out string) error{
		"directory": func(repo, out string) error { return os.Symlink(out, filepath.Join(repo, ".cairn")) },
		"file": func(repo, out string) error {
			if err := os.Mkdir(filepath.Join(repo, ".cairn"), 0o755); err != nil {
				return err
			}
			return os.Symlink(filepath.Join(out, "team.json"), filepath.Join(repo, ".cairn", "team.json"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, out := newFresh(t), t.TempDir()
			f.git("init", "-q")
			if err := link(f.repo, out); err != nil {
				t.Fatal(err)
			}
			if told := f.up(anyPort); told.Linked || !strings.Contains(told.Steps[1].Text, "nothing is written there") || told.Dashboard == "" {
				t.Errorf("%+v", told)
			}
			if left, _ := os.ReadDir(out); len(left) > 0 {
				t.Errorf("outside of it is %v", left)
			}
		})
	}
}

// Without its server a command says how to have it again.
func TestDownIsNotTheEnd(t *testing.T) {
	t.Parallel()
	f := newFresh(t)
	f.git("init", "-q")
	f.up(anyPort)
	if out, err := f.cairn("down").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := f.cairn("dashboard", "show").CombinedOutput(); err == nil || !strings.Contains(string(out), "cairn up starts it again") {
		t.Errorf("%v: %s", err, out)
	}
	f.up()
	if out, err := f.cairn("dashboard", "show").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
