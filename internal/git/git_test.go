package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/test/cairntest"
)

// repo makes a repository with one commit.
func repo(t *testing.T) string {
	t.Helper()
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_SYSTEM": os.DevNull,
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
	} {
		t.Setenv(name, value)
	}
	dir := t.TempDir()
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"commit", "-q", "--allow-empty", "-m", "first"}} {
		if _, err := Run(context.Background(), dir, args...); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRunTrimsAndOutputDoesNot(t *testing.T) {
	dir := repo(t)
	got, err := Run(context.Background(), dir, "log", "--format=%s")
	if err != nil || got != "first" {
		t.Errorf("Run gives %q, %v", got, err)
	}
	raw, err := Output(context.Background(), dir, "log", "--format=%s")
	if err != nil || string(raw) != "first\n" {
		t.Errorf("Output gives %q, %v", raw, err)
	}
}

func TestErrorIsGitsComplaintInOneLine(t *testing.T) {
	dir := repo(t)
	t.Setenv("LANG", "de_DE.UTF-8")
	_, err := Run(context.Background(), dir, "-c", "a.b=c", "rev-parse", "--verify", "nothing")
	if err == nil || err.Error() != "git rev-parse: Needed a single revision" {
		t.Errorf("error is %v", err)
	}
	if Code(err) != 128 || Code(nil) != 0 {
		t.Errorf("code is %d", Code(err))
	}
	_, err = Run(context.Background(), dir, "diff", "--no-index", "--quiet", "/dev/null", ".git/HEAD")
	if Code(err) != 1 || !strings.Contains(err.Error(), "exit status 1") {
		t.Errorf("a silent failure is %v", err)
	}
}

func TestLongComplaintIsCut(t *testing.T) {
	e := &Error{Args: []string{"commit"}, Stderr: strings.Repeat("ü is bad\n", 200), Err: &exec.ExitError{}}
	if n := len(e.Error()); n > maxMessage+30 || strings.Contains(e.Error(), "\n") {
		t.Errorf("message has %d bytes: %s", n, e.Error())
	}
}

func TestNoGit(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	_, err := Run(context.Background(), dir, "status")
	if !errors.Is(err, exec.ErrNotFound) || Code(err) != -1 {
		t.Errorf("without git: %v", err)
	}
}

func TestDeadline(t *testing.T) {
	cairntest.Long(t)
	dir := repo(t)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	begun := time.Now()
	_, err := Run(ctx, dir, "-c", "alias.wait=!sleep 20", "wait")
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) > 10*time.Second {
		t.Errorf("after %v: %v", time.Since(begun), err)
	}
}

// A hook's git names its repository in the environment; ours works where it
// is told to.
func TestEnvironmentOfAHook(t *testing.T) {
	dir := repo(t)
	other := repo(t)
	t.Setenv("GIT_DIR", filepath.Join(other, ".git"))
	t.Setenv("GIT_WORK_TREE", other)
	got, err := Run(context.Background(), dir, "rev-parse", "--show-toplevel")
	want, _ := filepath.EvalSymlinks(dir)
	if err != nil || filepath.FromSlash(got) != want {
		t.Errorf("worked in %s (%v), want %s", got, err, want)
	}
}

// The list of what a git tells its hooks is complete for the git at hand.
func TestLocalVariables(t *testing.T) {
	out, err := Run(context.Background(), t.TempDir(), "rev-parse", "--local-env-vars")
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]bool{"GIT_CONFIG": true, "GIT_CONFIG_PARAMETERS": true, "GIT_CONFIG_COUNT": true} // the user's settings
	for _, name := range strings.Fields(out) {
		if env := environ([]string{name + "=x"}); len(env) != len(ours) && !kept[name] {
			t.Errorf("%s is given on", name)
		}
	}
}

func TestRepo(t *testing.T) {
	dir := repo(t)
	deep := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), dir, "worktree", "add", "-q", filepath.Join(dir, "wt")); err != nil {
		t.Fatal(err)
	}
	odd := t.TempDir()
	if err := os.Mkdir(filepath.Join(odd, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dir, top string
	}{
		{dir, dir},
		{deep, dir},
		{filepath.Join(dir, "wt"), filepath.Join(dir, "wt")},
		{odd, ""},
		{t.TempDir(), ""},
	} {
		top, ok := Top(c.dir)
		if top != c.top || ok != (c.top != "") || Repo(c.dir) != ok {
			t.Errorf("Top(%s) is %q, %v; want %q", c.dir, top, ok, c.top)
		}
	}
}
