package worktree

import (
	"os"
	"path/filepath"
	"strings"

	"cairn/internal/plan"
)

// Linked is what a repository notes of a linked worktree, whether that is
// still there or not.
type Linked struct {
	Dir   string // the worktree
	admin string // where git notes it
}

// AllLinked returns the linked worktrees of the repository whose git
// directory is common. It starts no git.
func AllLinked(common string) []Linked {
	var out []Linked
	entries, _ := os.ReadDir(filepath.Join(common, "worktrees"))
	for _, e := range entries {
		admin := filepath.Join(common, "worktrees", e.Name())
		b, err := plan.ReadFile(filepath.Join(admin, "gitdir"))
		if err != nil {
			continue
		}
		dir := filepath.Dir(strings.TrimSpace(string(b)))
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(admin, dir)
		}
		out = append(out, Linked{dir, admin})
	}
	return out
}

// Agent reports whether the worktree is on a branch that an agent got.
func (l Linked) Agent() bool {
	head, err := plan.ReadFile(filepath.Join(l.admin, "HEAD"))
	branch, onBranch := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: refs/heads/")
	return err == nil && onBranch && isAgentBranch(branch)
}

// lock returns the file that locks the worktree, "" when it is not locked.
func (l Linked) lock() string {
	name := filepath.Join(l.admin, "locked")
	if _, err := os.Stat(name); err != nil {
		return ""
	}
	return name
}
