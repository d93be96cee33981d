package health

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/plan"
)

// staleAfter is how long an agent's worktree may stand untouched.
const staleAfter = time.Hour

// worktrees reads what git notes of its linked worktrees: those whose
// directory is gone, and those of agents that nobody has used for an hour.
func worktrees(l *look) []Finding {
	admin := filepath.Join(gitDir(l.Root), "worktrees")
	entries, err := os.ReadDir(admin)
	if err != nil {
		return nil
	}
	var out []Finding
	for _, e := range entries {
		at := filepath.Join(admin, e.Name())
		link, err := plan.ReadFile(filepath.Join(at, "gitdir"))
		if err != nil {
			continue
		}
		dir := filepath.Dir(strings.TrimSpace(string(link)))
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(at, dir)
		}
		fi, err := os.Stat(dir)
		switch {
		case os.IsNotExist(err):
			out = append(out, Finding{Message: "orphan git worktree, its directory is gone: " + dir, Fix: "git worktree prune"})
		case err == nil && isAgents(at) && l.opts.Now.Sub(fi.ModTime()) > staleAfter:
			out = append(out, Finding{
				Message: "stale git worktree, unused for " + l.opts.Now.Sub(fi.ModTime()).Round(time.Minute).String() + ": " + dir,
				Fix:     "git worktree remove " + dir,
			})
		}
	}
	return out
}

// isAgents reports whether a worktree is on a branch that an agent got.
func isAgents(admin string) bool {
	head, err := plan.ReadFile(filepath.Join(admin, "HEAD"))
	return err == nil && strings.HasPrefix(string(head), "ref: refs/heads/worktree-agent-")
}

// gitDir returns the repository of root's working tree, also of a linked one.
func gitDir(root string) string {
	name := filepath.Join(root, ".git")
	link, err := plan.ReadFile(name)
	if err != nil {
		return name // a directory, or nothing
	}
	dir, ok := strings.CutPrefix(strings.TrimSpace(string(link)), "gitdir:")
	if !ok {
		return name
	}
	dir = strings.TrimSpace(dir)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(root, dir)
	}
	if filepath.Base(filepath.Dir(dir)) == "worktrees" {
		return filepath.Dir(filepath.Dir(dir))
	}
	return dir
}
