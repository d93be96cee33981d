package health

import (
	"os"
	"time"

	"cairn/internal/git"
	"cairn/internal/plan/worktree"
)

// staleAfter is how long an agent's worktree may stand untouched.
const staleAfter = time.Hour

// worktrees reads what git notes of its linked worktrees: those whose
// directory is gone, and those of agents that nobody has used for an hour.
func worktrees(l *look) []Finding {
	_, common := git.Dir(l.Root)
	var out []Finding
	for _, linked := range worktree.AllLinked(common) {
		fi, err := os.Stat(linked.Dir)
		switch {
		case os.IsNotExist(err):
			out = append(out, Finding{Message: "orphan git worktree, its directory is gone: " + linked.Dir, Fix: "git worktree prune"})
		case err == nil && linked.Agent() && l.opts.Now.Sub(fi.ModTime()) > staleAfter:
			out = append(out, Finding{
				Message: "stale git worktree, unused for " + l.opts.Now.Sub(fi.ModTime()).Round(time.Minute).String() + ": " + linked.Dir,
				Fix:     "git worktree remove " + linked.Dir,
			})
		}
	}
	return out
}
