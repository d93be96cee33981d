package mark

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// What is written by hand is what json.Marshal writes, and is read again.
func TestLine(t *testing.T) {
	at := time.Date(2026, 11, 28, 9, 0, 0, 123456789, time.UTC)
	for _, m := range []Mark{
		{At: at, Agent: "claude", Session: "s", Dir: "/a", Head: "0123456789012345678901234567890123456789"},
		{At: at, Agent: "claude", Session: "s", Sub: "a1", Dir: `/a "b" \ü<&>`, Branch: "feature/x", Head: "0123456789012345678901234567890123456789"},
	} {
		got, err := m.line()
		want, _ := json.Marshal(m)
		if err != nil || string(got) != string(want) {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
		if back, ok := Parse(append([]byte(`{"at":"20`), append(got, '\n')...)); !ok || back != m { // behind half a line
			t.Errorf("%+v, %v; want %+v", back, ok, m)
		}
	}
	if _, ok := Parse([]byte("{}")); ok {
		t.Error("an empty mark")
	}
}

// Look reads what git says, in every state of a repository.
func TestLook(t *testing.T) {
	dir := t.TempDir()
	git := func(dir string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		if len(out) > 0 && out[len(out)-1] == '\n' {
			out = out[:len(out)-1]
		}
		return string(out)
	}
	look := func(dir, wantBranch string) {
		t.Helper()
		branch, head, ok := Look(dir)
		if want := git(dir, "rev-parse", "HEAD"); !ok || branch != wantBranch || head != want {
			t.Errorf("%q %q %v, want %q %q", branch, head, ok, wantBranch, want)
		}
	}
	if _, _, ok := Look(dir); ok {
		t.Skip("the temporary directory is in a repository")
	}
	top := filepath.Join(dir, "r")
	git(dir, "init", "-q", "-b", "main", top)
	if _, _, ok := Look(top); ok {
		t.Error("a repository without a commit")
	}
	git(top, "commit", "-q", "--allow-empty", "-m", "x")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(filepath.Join(top, "a", "b"), 0o755))
	look(filepath.Join(top, "a", "b"), "main")
	git(top, "pack-refs", "--all")
	look(top, "main")
	git(top, "worktree", "add", "-q", "-b", "feature/x", filepath.Join(dir, "w"))
	git(filepath.Join(dir, "w"), "commit", "-q", "--allow-empty", "-m", "y")
	look(filepath.Join(dir, "w"), "feature/x")
	git(top, "checkout", "-q", "--detach")
	look(top, "")
}
