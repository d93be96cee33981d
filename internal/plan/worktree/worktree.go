// Package worktree brings home what parallel agents did in git worktrees of
// their own: it merges their branches one after another, removes the
// worktrees, and reaps those whose agent died. It stops rather than lose
// work: what is not committed, not merged, or deletes files stays where it is.
//
// The verbs and the queries of the plan import it. Which agents run, and in
// which wave, is not decided here.
package worktree

import (
	"context"
	"path/filepath"
	"strings"

	"cairn/internal/git"
)

// Tree is a working tree of a repository.
type Tree struct {
	Path   string
	Head   string // the commit, or "" when there is none
	Branch string // without refs/heads/; "" when detached
	Locked bool
}

// List returns the working trees of the repository that dir is in, the main
// one first.
func List(ctx context.Context, dir string) ([]Tree, error) {
	out, err := git.Run(ctx, dir, "worktree", "list", "--porcelain")
	if err != nil {
		return nil, err
	}
	var trees []Tree
	for line := range strings.Lines(out) {
		key, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		if key == "worktree" {
			trees = append(trees, Tree{Path: filepath.FromSlash(value)})
			continue
		}
		if len(trees) == 0 {
			continue
		}
		t := &trees[len(trees)-1]
		switch key {
		case "HEAD":
			t.Head = value
		case "branch":
			t.Branch = strings.TrimPrefix(value, "refs/heads/")
		case "locked":
			t.Locked = true
		}
	}
	return trees, nil
}

// find returns the linked worktree at path; the main one is not a candidate.
func find(trees []Tree, path string) (Tree, bool) {
	for i, t := range trees {
		if i > 0 && (t.Path == path || real(t.Path) == real(path)) {
			return t, true
		}
	}
	return Tree{}, false
}

// real returns path with its symbolic links followed; git and the user may
// come to a directory by different ways.
func real(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return filepath.Clean(path)
}

// Uncommitted returns what would be lost with a worktree: the paths that are not
// committed, and planning documents that git ignores.
func Uncommitted(ctx context.Context, tree string) ([]string, error) {
	out, err := git.Output(ctx, tree, "status", "--porcelain", "-z", "--untracked-files=all")
	if err != nil {
		return nil, err
	}
	paths := statusPaths(out, "")
	// Where the plan is ignored by git an executor's SUMMARY is nowhere else.
	out, err = git.Output(ctx, tree, "status", "--porcelain", "-z", "--ignored=traditional", "--untracked-files=all", "--", ".planning")
	if err != nil {
		return nil, err
	}
	for _, p := range statusPaths(out, "!! ") {
		if !strings.HasPrefix(p, ".planning/.cairn/") && p != ".planning/.journal.jsonl" && p != ".planning/.gitignore" {
			paths = append(paths, p)
		}
	}
	return paths, nil
}

// statusPaths reads `git status --porcelain -z`: entries of two letters, a
// space and a path; the former path of a rename follows as an entry alone.
func statusPaths(out []byte, kind string) []string {
	var paths []string
	entries := strings.Split(string(out), "\x00")
	for i := 0; i < len(entries); i++ {
		if len(entries[i]) < 4 {
			continue
		}
		if strings.HasPrefix(entries[i], kind) {
			paths = append(paths, entries[i][3:])
		}
		if entries[i][0] == 'R' || entries[i][0] == 'C' {
			i++
		}
	}
	return paths
}
