package tree

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func repository(t *testing.T) (dir, first, second string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "p")
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("sub/a", "1\n")
	write(".gitignore", "node_modules\n")
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	first = git("rev-parse", "HEAD")
	write("sub/a", "2\n")
	write("sub/b", "2\n")
	git("add", "-A")
	git("commit", "-q", "-m", "two")
	write("sub/node_modules/x/index.js", "x")
	return dir, first, git("rev-parse", "HEAD")
}

func has(dir, name string) string {
	b, _ := os.ReadFile(filepath.Join(dir, name))
	return strings.TrimSpace(string(b))
}

func worktrees(t *testing.T, dir string) int {
	t.Helper()
	cmd := exec.Command("git", "worktree", "list")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(out), "\n")
}

// A tree has a commit and nothing else, also when another was in it and files were
// changed; what is installed for the project appears in it.
func TestTrees(t *testing.T) {
	top, first, second := repository(t)
	ctx, base := context.Background(), t.TempDir()
	trees, err := Open(ctx, filepath.Join(top, "sub"), base)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(ctx, top, base); !errors.Is(err, ErrBusy) {
		t.Errorf("a second proof: %v", err)
	}
	dir, err := trees.At(ctx, "base", second)
	if err != nil || has(dir, "a") != "2" || has(dir, "node_modules/x/index.js") != "x" {
		t.Fatalf("%v: %q, %q", err, has(dir, "a"), has(dir, "node_modules/x/index.js"))
	}
	_ = os.WriteFile(filepath.Join(dir, "a"), []byte("changed"), 0o644)
	_ = os.WriteFile(filepath.Join(dir, "new"), nil, 0o644)
	trees.Forget("base")
	if dir, err = trees.At(ctx, "base", second); err != nil || has(dir, "a") != "2" {
		t.Errorf("again: %v, %q", err, has(dir, "a"))
	}
	if dir, err = trees.At(ctx, "base", first); err != nil || has(dir, "a") != "1" || has(dir, "b") != "" {
		t.Errorf("the first commit: %v, %q, %q", err, has(dir, "a"), has(dir, "b"))
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); err == nil {
		t.Error("a file of before is there")
	}
	if dir, err = trees.At(ctx, "base", ""); err != nil || has(dir, "a") != "" {
		t.Errorf("empty: %v, %q", err, has(dir, "a"))
	}
	if n := worktrees(t, top); n != 2 {
		t.Errorf("%d worktrees", n)
	}
	trees.Close(ctx)
	if n := worktrees(t, top); n != 1 {
		t.Errorf("%d worktrees are left", n)
	}
}

const helper = "CAIRN_TREE_TEST"

// TestKilled: what a killed proof left is removed by the next one, of that repository
// or of another.
func TestKilled(t *testing.T) {
	if spec := os.Getenv(helper); spec != "" { // the one that is killed
		root, base, _ := strings.Cut(spec, "|")
		trees, err := Open(context.Background(), root, base)
		if err == nil {
			_, err = trees.At(context.Background(), "head", "HEAD")
		}
		println("ready", err == nil)
		time.Sleep(time.Minute)
		return
	}
	top, _, _ := repository(t)
	other, _, _ := repository(t)
	base := t.TempDir()
	for _, next := range []string{top, other} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), helper+"="+top+"|"+base)
		said, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		line, _ := bufio.NewReader(said).ReadString('\n')
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if line != "ready true\n" || worktrees(t, top) != 2 {
			t.Fatalf("%q, %d worktrees", line, worktrees(t, top))
		}
		trees, err := Open(context.Background(), next, base)
		if err != nil {
			t.Fatal(err)
		}
		if n := worktrees(t, top); n != 1 {
			t.Errorf("%d worktrees are left", n)
		}
		trees.Close(context.Background())
	}
}

// A command that does not end is ended with what it started.
func TestRunEnds(t *testing.T) {
	dir := t.TempDir()
	r, err := Run(context.Background(), dir, os.Environ(), "(sleep 2; echo late > late) & sleep 60", 200*time.Millisecond)
	if err != nil || !r.Timeout || r.Exit != -1 {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = Run(context.Background(), dir, os.Environ(), "echo out; echo err >&2; exit 3", time.Minute)
	if err != nil || r.Exit != 3 || r.Said != "out\nerr\n" || r.Hash == "" {
		t.Errorf("%+v, %v", r, err)
	}
}
