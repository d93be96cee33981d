package git

import (
	"context"
	"os"
	"path/filepath"
	"slices"
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

// MainTree is the working tree that a linked worktree belongs to, so that what
// was done in both is of one repository; another tree is its own.
func MainTree(top string) string {
	common, err := Run(context.Background(), top, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return top
	}
	if dir, ok := strings.CutSuffix(filepath.ToSlash(common), "/.git"); ok {
		return dir
	}
	if bare, ok := strings.CutSuffix(common, ".git"); ok {
		return bare
	}
	return top
}

// DefaultBranch is where the work of others is: what the remote says, or a
// branch with one of the usual names, "" for none.
func DefaultBranch(ctx context.Context, dir string) string {
	if head, err := Run(ctx, dir, "rev-parse", "--abbrev-ref", "--verify", "--quiet", "origin/HEAD"); err == nil && head != "origin/HEAD" {
		return head
	}
	for _, name := range []string{"main", "master", "trunk"} {
		for _, prefix := range []string{"refs/remotes/origin/", "refs/heads/"} {
			if _, err := Run(ctx, dir, "rev-parse", "--verify", "--quiet", prefix+name); err == nil {
				return strings.TrimPrefix(strings.TrimPrefix(prefix, "refs/remotes/"), "refs/heads/") + name
			}
		}
	}
	return ""
}

// Authors returns the authors of commits by the first seven digits of each. What
// is not in the repository here has none.
func Authors(ctx context.Context, dir string, commits []string) map[string]string {
	found := map[string]string{}
	authors(ctx, dir, commits, "%aN", func(sha, name string) { found[sha[:7]] = name })
	return found
}

// AuthorEmails returns the addresses of the authors of commits, as .mailmap has
// them. What is not in the repository here has none.
func AuthorEmails(ctx context.Context, dir string, commits []string) map[string]string {
	found := map[string]string{}
	authors(ctx, dir, commits, "%aE", func(sha, email string) { found[sha] = email })
	return found
}

func authors(ctx context.Context, dir string, commits []string, who string, each func(sha, who string)) {
	const most = 1000 // arguments
	for part := range slices.Chunk(commits, most) {
		out, _ := Output(ctx, dir, append([]string{"log", "--no-walk", "--ignore-missing", "--use-mailmap", "--format=%H " + who}, part...)...)
		for line := range strings.Lines(string(out)) {
			if sha, who, ok := strings.Cut(strings.TrimSpace(line), " "); ok && len(sha) >= 7 {
				each(sha, who)
			}
		}
	}
}

// IsHash reports whether s is a commit's hash, or at least the first digits of one.
func IsHash(s string, digits int) bool {
	return len(s) >= digits && len(s) <= 64 && strings.Trim(s, "0123456789abcdef") == ""
}

// Short is the beginning of a commit's name, as people read it.
func Short(commit string) string { return strings.ToValidUTF8(commit[:min(len(commit), 7)], "") }

// Email is the address that git commits with, "" where it knows none.
func Email(dir string) string {
	email, _ := Run(context.Background(), dir, "config", "--get", "user.email")
	return email
}
