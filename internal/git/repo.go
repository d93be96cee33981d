package git

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// Repo reports whether dir is in a working tree. It starts no process.
func Repo(dir string) bool {
	_, ok := Top(dir)
	return ok
}

// Top returns the top of the working tree that dir is in: the nearest
// directory with a repository, or with the file by which a linked worktree or
// a submodule names its own. It starts no process.
func Top(dir string) (top string, ok bool) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", false
	}
	for {
		if isRepo(filepath.Join(dir, ".git")) {
			return dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}

// isRepo reports whether a .git is one: a directory with a HEAD, or a file
// that says where that is.
func isRepo(name string) bool {
	if fi, err := os.Stat(name); err != nil || fi.IsDir() {
		_, noHead := os.Lstat(filepath.Join(name, "HEAD"))
		return err == nil && noHead == nil
	}
	return linkedDir(name) != ""
}

// Dir returns the git directory of the working tree whose top is named, and
// the one that all working trees of the repository share: the same, except in
// a linked worktree. Without a repository both are the .git that is not there.
// It starts no process.
func Dir(top string) (dir, common string) {
	dir = filepath.Join(top, ".git")
	if named := linkedDir(dir); named != "" {
		dir = named
	}
	if admin := filepath.Dir(dir); filepath.Base(admin) == "worktrees" {
		return dir, filepath.Dir(admin)
	}
	return dir, dir
}

// linkedDir returns the git directory that a .git file names, "" for anything
// else. What is no regular file is not opened: a pipe would wait for its writer.
func linkedDir(name string) string {
	if fi, err := os.Stat(name); err != nil || !fi.Mode().IsRegular() || fi.Size() > maxLink {
		return ""
	}
	b, err := os.ReadFile(name)
	dir, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "gitdir:")
	if err != nil || !ok {
		return ""
	}
	if dir = strings.TrimSpace(dir); !filepath.IsAbs(dir) {
		dir = filepath.Join(filepath.Dir(name), dir)
	}
	return dir
}

// maxLink is more than a .git file with a path in it can have, in bytes.
const maxLink = 64 << 10

// Branch returns the branch that is checked out in dir. With none, as in a
// detached HEAD, it is an error whose [Code] is 1.
func Branch(ctx context.Context, dir string) (string, error) {
	return Run(ctx, dir, "symbolic-ref", "--quiet", "--short", "HEAD")
}

// Fields splits what git printed with -z; nil when that is nothing.
func Fields(out []byte) []string {
	if len(out) == 0 {
		return nil
	}
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
}
