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

	top     string           // of the working tree that it was opened by
	moved   map[string]*Tree // of directories that are gone
	renames []Move           // of branches
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
	r := &Repo{Common: common, top: top, moved: map[string]*Tree{}}
	remote, _ := git.Run(ctx, top, "config", "--get", "remote.origin.url")
	r.Name = cmp.Or(slug(remote), filepath.Base(git.MainTree(top)))
	if main := mainTop(top, common); main != "" {
		r.Trees = append(r.Trees, r.tree(main, common))
	}
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

// mainTop is the working tree of the shared git directory, "" where that is bare.
func mainTop(top, common string) string {
	if filepath.Base(common) == ".git" {
		return filepath.Dir(common)
	}
	if dir, _ := git.Dir(top); dir == common { // a submodule
		return top
	}
	return ""
}

func (r *Repo) tree(top, gitDir string) *Tree {
	if real, err := filepath.EvalSymlinks(top); err == nil {
		top = real
	}
	t := &Tree{Top: top, Moves: readLog(filepath.Join(gitDir, "logs", "HEAD"))}
	branches(t.Moves, headBranch(gitDir), r.noBranch)
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
	r.Trees = append(r.Trees, gone)
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
	slices.SortStableFunc(gone.Moves, func(a, b Move) int { return a.At.Compare(b.At) })
}

// noBranch says that what git checked out by a name is no branch: a tag, a branch of a
// remote, or an expression such as HEAD~2.
func (r *Repo) noBranch(name string) bool {
	if name == "HEAD" || strings.ContainsAny(name, "~^@:") {
		return true
	}
	if r.ref("refs/heads/" + name) {
		return false
	}
	return r.ref("refs/tags/"+name) || r.ref("refs/remotes/"+name) || strings.HasPrefix(name, "refs/")
}

// ref says whether there is a ref of a name. It starts no process.
func (r *Repo) ref(name string) bool {
	if _, err := os.Lstat(filepath.Join(r.Common, filepath.FromSlash(name))); err == nil {
		return true
	}
	packed, err := os.ReadFile(filepath.Join(r.Common, "packed-refs"))
	return err == nil && strings.Contains(string(packed), " "+name+"\n")
}

// Of returns the innermost working tree that a directory is in. For a directory of a
// removed working tree it returns the one without a Top. nil is another repository's.
func (r *Repo) Of(dir string) (found *Tree) {
	if t := r.moved[dir]; t != nil {
		return t
	}
	_, gone := os.Stat(dir)
	if gone != nil && slices.ContainsFunc(strings.Split(filepath.ToSlash(dir), "/"), func(part string) bool { return part == "worktrees" || part == ".worktrees" }) {
		return r.without()
	}
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

// without is the working tree without a Top.
func (r *Repo) without() *Tree { return r.Trees[len(r.Trees)-1] }

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
