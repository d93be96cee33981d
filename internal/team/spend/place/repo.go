// Package place tells where sessions of agents stood: in which repository, on which
// branch, and which of the commits there they made, as these are called today. It
// reads the logs of HEAD, and asks git for commits.
//
// Who made a commit is told by what the session's own calls show: not by the time
// alone. What nothing shows is not guessed.
package place

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/git"
)

// A Repo is a repository of this machine with the history of its working trees.
type Repo struct {
	Common string // its git directory, which all its working trees share
	Name   string // acme/shop, or the name of its main working tree
	Trees  []*Tree

	renames []Move // of branches
	graph   *graph
}

// A Tree is a working tree. The one without a Top holds what only logs of branches
// tell.
type Tree struct {
	Top   string
	Moves []Move // the oldest first
}

// Open reads the repository that a directory is in. ok is false where it is in
// none, also because it is gone: then the one that it was below counts.
func Open(ctx context.Context, dir string, slug func(remote string) string) (*Repo, bool) {
	top, ok := git.Top(dir)
	if !ok {
		return nil, false
	}
	_, common := git.Dir(top)
	r := &Repo{Common: common}
	remote, _ := git.Run(ctx, top, "config", "--get", "remote.origin.url")
	r.Name = cmp.Or(slug(remote), filepath.Base(git.MainTree(top)))
	r.Trees = append(r.Trees, r.tree(mainTop(top, common), common))
	linked, _ := os.ReadDir(filepath.Join(common, "worktrees"))
	for _, d := range linked {
		gitDir := filepath.Join(common, "worktrees", d.Name())
		if data, err := os.ReadFile(filepath.Join(gitDir, "gitdir")); err == nil {
			r.Trees = append(r.Trees, r.tree(filepath.Dir(strings.TrimSpace(string(data))), gitDir))
		}
	}
	r.branchLogs()
	for _, t := range r.Trees {
		for _, m := range t.Moves {
			if m.Kind == "rename" {
				r.renames = append(r.renames, m)
			}
		}
	}
	return r, true
}

// mainTop is the working tree that a git directory is in.
func mainTop(top, common string) string {
	if filepath.Base(common) == ".git" {
		return filepath.Dir(common)
	}
	return top
}

func (r *Repo) tree(top, gitDir string) *Tree {
	if real, err := filepath.EvalSymlinks(top); err == nil {
		top = real
	}
	t := &Tree{Top: top, Moves: readLog(filepath.Join(gitDir, "logs", "HEAD"))}
	branches(t.Moves, headBranch(gitDir))
	if len(t.Moves) == 0 { // git keeps no log here
		t.Moves = []Move{{Kind: "now", Branch: headBranch(gitDir)}}
	}
	return t
}

// branchLogs takes what the logs of branches tell and no working tree's: commits
// of working trees that are gone.
func (r *Repo) branchLogs() {
	known := map[string]bool{}
	for _, t := range r.Trees {
		for _, m := range t.Moves {
			known[m.Head] = true
		}
	}
	gone := &Tree{}
	logs := filepath.Join(r.Common, "logs", "refs", "heads")
	_ = filepath.WalkDir(logs, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		branch, _ := filepath.Rel(logs, name)
		for _, m := range readLog(name) {
			if m.commits() && !known[m.Head] {
				m.Branch = filepath.ToSlash(branch)
				gone.Moves = append(gone.Moves, m)
			}
		}
		return nil
	})
	if len(gone.Moves) > 0 {
		slices.SortStableFunc(gone.Moves, func(a, b Move) int { return a.At.Compare(b.At) })
		r.Trees = append(r.Trees, gone)
	}
}

// Of returns the innermost working tree that a directory is in. For a directory of a
// removed working tree it returns the one without a Top, or nil.
func (r *Repo) Of(dir string) (found *Tree) {
	_, gone := os.Stat(dir)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for _, t := range r.Trees {
		if t.Top != "" && within(t.Top, dir) && (found == nil || len(t.Top) > len(found.Top)) {
			found = t
		}
	}
	if found == nil && gone != nil {
		return r.without()
	}
	return found
}

func (r *Repo) without() *Tree {
	if last := r.Trees[len(r.Trees)-1]; last.Top == "" {
		return last
	}
	return nil
}

func within(top, dir string) bool {
	rel, err := filepath.Rel(top, dir)
	return err == nil && filepath.IsLocal(rel)
}

// Today is what a branch of then is called now.
func (r *Repo) Today(branch string, m *Move) string {
	for i := range r.renames {
		if n := &r.renames[i]; n.Origin == branch && (m == nil || !n.When.Before(m.When)) {
			branch = n.Branch
		}
	}
	return branch
}

// Fingerprint changes when HEAD or a ref of the repository may have moved. It
// starts no process.
func Fingerprint(common string) string {
	var b strings.Builder
	note := func(name string) {
		if fi, err := os.Stat(name); err == nil {
			b.WriteString(fi.ModTime().Format("150405.000000000") + " ")
		} else {
			b.WriteString("- ")
		}
	}
	for _, name := range [...]string{"HEAD", "logs/HEAD", "packed-refs", "FETCH_HEAD", "ORIG_HEAD", "refs/heads", "refs/remotes/origin", "worktrees", "config"} {
		note(filepath.Join(common, filepath.FromSlash(name)))
	}
	linked, _ := os.ReadDir(filepath.Join(common, "worktrees"))
	for _, d := range linked {
		note(filepath.Join(common, "worktrees", d.Name(), "logs", "HEAD"))
	}
	return b.String()
}
