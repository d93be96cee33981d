// Package tree has working trees of a repository in which commands are run apart
// from a person's own tree, and runs them. One proof at a time has the trees of a
// repository; what a killed one left is removed by the next.
//
// Package proof imports it. What is run, and what comes of it, is not known here.
package tree

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"cairn/internal/git"
	"cairn/internal/home"
)

// ErrBusy is in the error while another process has the trees.
var ErrBusy = errors.New("another cairn plan prove runs in this repository")

// Trees are the working trees of one repository. They are made when they are asked
// for, always at the same place, so that the caches of compilers know them again.
type Trees struct {
	top, prefix string // of the repository; of the project in it, with slashes
	dir         string
	lock        *flock.Flock
	open        map[string]string // by name: the commit
}

// Open takes the trees of the repository that the project is in. base is where those
// of all repositories are kept.
func Open(ctx context.Context, root, base string) (*Trees, error) {
	top, ok := git.Top(root)
	if !ok {
		return nil, errors.New("a proof needs a git repository")
	}
	prefix, err := filepath.Rel(top, root)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(top))
	t := &Trees{top: top, prefix: filepath.ToSlash(prefix), dir: filepath.Join(base, hex.EncodeToString(sum[:6])), open: map[string]string{}}
	if err := os.MkdirAll(base, home.PrivateDir); err != nil {
		return nil, err
	}
	t.lock = flock.New(t.dir + ".lock")
	if ok, err := t.lock.TryLock(); err != nil || !ok {
		return nil, errors.Join(ErrBusy, err)
	}
	_ = os.WriteFile(t.dir+".repository", []byte(top), home.PrivateFile) // for who sweeps
	t.remove(ctx)
	sweep(ctx, base, t.dir)
	return t, nil
}

// sweep removes what killed proofs of other repositories left.
func sweep(ctx context.Context, base, but string) {
	locks, _ := filepath.Glob(filepath.Join(base, "*.lock"))
	for _, name := range locks {
		dir := strings.TrimSuffix(name, ".lock")
		if dir == but || !isDir(dir) {
			continue
		}
		lock := flock.New(name)
		if ok, err := lock.TryLock(); !ok || err != nil {
			continue
		}
		top, _ := os.ReadFile(dir + ".repository")
		t := &Trees{top: string(top), dir: dir, lock: lock}
		t.Close(ctx)
	}
}

// At returns the project's directory in the tree of that name, with a commit checked
// out and nothing else in it; without a commit it is empty.
func (t *Trees) At(ctx context.Context, name, commit string) (string, error) {
	dir := filepath.Join(t.dir, name)
	project := filepath.Join(dir, filepath.FromSlash(t.prefix))
	was, made := t.open[name]
	if made && was == commit {
		return project, nil
	}
	if !made {
		if err := os.MkdirAll(t.dir, home.PrivateDir); err != nil {
			return "", err
		}
		if _, err := git.Run(ctx, t.top, "worktree", "add", "--detach", "--force", "--no-checkout", dir, "HEAD"); err != nil {
			return "", err
		}
	}
	delete(t.open, name)
	if err := t.check(ctx, dir, commit); err != nil {
		return "", err
	}
	t.open[name] = commit
	if err := os.MkdirAll(project, home.SharedDir); err != nil {
		return "", err
	}
	return project, t.link(project)
}

func (t *Trees) check(ctx context.Context, dir, commit string) error {
	if commit != "" {
		if _, err := git.Run(ctx, dir, "checkout", "--quiet", "--force", "--detach", commit); err != nil {
			return err
		}
		_, err := git.Run(ctx, dir, "clean", "-ffdxq")
		return err
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.Name() != ".git" {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// borrowed is what a project's tests need and git does not have: what was installed
// for it, and its environment. The person's own is used.
var borrowed = []string{"node_modules", ".venv", "venv", ".env", ".env.test", ".env.local"}

// link makes the borrowed entries of the project, and of the packages below it, appear
// in a tree.
func (t *Trees) link(project string) error {
	root := filepath.Join(t.top, filepath.FromSlash(t.prefix))
	dirs := []string{"."}
	found, _ := filepath.Glob(filepath.Join(root, "*", "*", "node_modules"))
	nearer, _ := filepath.Glob(filepath.Join(root, "*", "node_modules"))
	for _, name := range slices.Concat(nearer, found) {
		if rel, err := filepath.Rel(root, filepath.Dir(name)); err == nil && !strings.Contains(rel, "node_modules") {
			dirs = append(dirs, rel)
		}
	}
	for _, dir := range dirs {
		for _, name := range borrowed {
			from, to := filepath.Join(root, dir, name), filepath.Join(project, dir, name)
			if _, err := os.Stat(from); err != nil {
				continue
			}
			if _, err := os.Lstat(to); err == nil || !isDir(filepath.Dir(to)) {
				continue
			}
			if err := os.Symlink(from, to); err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
		}
	}
	return nil
}

func isDir(name string) bool {
	fi, err := os.Stat(name)
	return err == nil && fi.IsDir()
}

// Environ is the environment of what is run in a tree: the person's, without what a
// hook of git is told, and with what keeps one run from spoiling the next.
func (t *Trees) Environ(project string) []string {
	env := append(git.Outside(os.Environ()), "PYTHONDONTWRITEBYTECODE=1", "NO_COLOR=1", "PWD="+project)
	root := filepath.Join(t.top, filepath.FromSlash(t.prefix))
	if isDir(filepath.Join(root, "target")) {
		env = append(env, "CARGO_TARGET_DIR="+filepath.Join(root, "target", "cairn-prove"))
	}
	if isDir(filepath.Join(root, ".venv")) || isDir(filepath.Join(root, "venv")) { // what is installed editable is the person's tree
		path := []string{project, filepath.Join(project, "src")}
		if was := os.Getenv("PYTHONPATH"); was != "" {
			path = append(path, was)
		}
		env = append(env, "PYTHONPATH="+strings.Join(path, string(os.PathListSeparator)))
	}
	return env
}

// Close removes the trees and lets others have them.
func (t *Trees) Close(ctx context.Context) {
	t.remove(ctx)
	_ = os.Remove(t.dir + ".repository")
	_ = t.lock.Unlock() // the file stays: another process may have it open
}

// remove takes away the trees, whoever made them.
func (t *Trees) remove(ctx context.Context) {
	entries, err := os.ReadDir(t.dir)
	if err != nil {
		return
	}
	if t.top != "" {
		for _, e := range entries {
			if _, err := os.Lstat(filepath.Join(t.dir, e.Name(), ".git")); err != nil {
				continue
			}
			_, _ = git.Run(ctx, t.top, "worktree", "remove", "--force", "--force", filepath.Join(t.dir, e.Name()))
		}
	}
	_ = os.RemoveAll(t.dir)
	if t.top != "" {
		_, _ = git.Run(ctx, t.top, "worktree", "prune")
	}
}

// Scratch is a directory beside the trees, which goes with them.
func (t *Trees) Scratch() (string, error) {
	dir := filepath.Join(t.dir, "out")
	return dir, os.MkdirAll(dir, home.PrivateDir)
}

// Forget has a tree checked out anew when it is asked for: its files were changed.
func (t *Trees) Forget(name string) { t.open[name] = "changed" }
