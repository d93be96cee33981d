package git

import (
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
	fi, err := os.Stat(name)
	if err != nil {
		return false
	}
	if fi.IsDir() {
		_, err := os.Lstat(filepath.Join(name, "HEAD"))
		return err == nil
	}
	b, err := os.ReadFile(name)
	return err == nil && strings.HasPrefix(string(b), "gitdir:")
}
