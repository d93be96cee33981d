package git

import (
	"context"
	"path/filepath"
	"strings"
)

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
	const most = 1000 // arguments
	for len(commits) > 0 {
		n := min(len(commits), most)
		args := append([]string{"log", "--no-walk", "--ignore-missing", "--use-mailmap", "--format=%H %aN"}, commits[:n]...)
		commits = commits[n:]
		out, _ := Output(ctx, dir, args...)
		for line := range strings.Lines(string(out)) {
			if sha, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && len(sha) >= 7 {
				found[sha[:7]] = name
			}
		}
	}
	return found
}

// Short is the beginning of a commit's name, as people read it.
func Short(commit string) string { return strings.ToValidUTF8(commit[:min(len(commit), 7)], "") }

// Email is the address that git commits with, "" where it knows none.
func Email(dir string) string {
	email, _ := Run(context.Background(), dir, "config", "--get", "user.email")
	return email
}
