package worktree

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"cairn/internal/git"
)

// repo is a repository with the worktrees of a wave.
type repo struct {
	t    *testing.T
	dir  string
	base string
}

func newRepo(t *testing.T) *repo {
	t.Helper()
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_SYSTEM": os.DevNull,
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
	} {
		t.Setenv(name, value)
	}
	r := &repo{t: t, dir: filepath.Join(t.TempDir(), "main")}
	if err := os.Mkdir(r.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.git(r.dir, "init", "-q", "-b", "main")
	r.write(r.dir, "README.md", "one\ntwo\nthree\n")
	r.write(r.dir, ".gitignore", "*.log\n")
	r.commit(r.dir, "first")
	r.base = r.git(r.dir, "rev-parse", "HEAD")
	return r
}

func (r *repo) git(dir string, args ...string) string {
	r.t.Helper()
	out, err := git.Run(context.Background(), dir, args...)
	if err != nil {
		r.t.Fatal(err)
	}
	return out
}

func (r *repo) write(dir, name, content string) {
	r.t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) commit(dir, message string) {
	r.t.Helper()
	r.git(dir, "add", "-A")
	r.git(dir, "commit", "-q", "-m", message)
}

// agent adds a worktree whose branch has one commit: a file by its name.
func (r *repo) agent(name string) Entry {
	r.t.Helper()
	e := Entry{Path: filepath.Join(filepath.Dir(r.dir), name), Branch: branchPrefix + name, Base: r.base}
	r.git(r.dir, "worktree", "add", "-q", "-b", e.Branch, e.Path, r.base)
	r.write(e.Path, name+".txt", name+"\n")
	r.commit(e.Path, "feat: "+name)
	return e
}

func (r *repo) has(name string) bool {
	_, err := os.Stat(filepath.Join(r.dir, name))
	return err == nil
}

func (r *repo) hasBranch(name string) bool {
	_, err := git.Run(context.Background(), r.dir, "rev-parse", "--verify", "--quiet", "refs/heads/"+name)
	return err == nil
}
