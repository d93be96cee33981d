package worktree

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"cairn/internal/git"
	"cairn/internal/plan"
	"cairn/internal/term"
)

// Added is what Add found or made.
type Added struct {
	Entry
	Kept  bool // the tree was there already
	Ahead int  // commits of the branch that an agent left; they are work
}

// At is where the worktree of a plan's executor belongs.
func At(w *plan.Workspace, id string) string { return w.Abs(w.Shared(".cairn", "trees", id)) }

// Add gives the agent that executes a plan a working tree at the path: on the branch
// worktree-agent-NAME, from the commit that dir is on. A tree that is there is kept as it
// is. Where only its branch was left, the tree is made again from it, so that what was
// committed goes on. A path that is something else is an error.
func Add(ctx context.Context, dir, path, name string) (*Added, error) {
	a := &Added{Entry: Entry{Path: path, Branch: branchPrefix + name}}
	if !isAgentBranch(a.Branch) {
		return nil, fmt.Errorf("%q cannot be a branch's name", name)
	}
	head, err := git.Run(ctx, dir, "rev-parse", "--verify", "HEAD")
	if err != nil {
		return nil, term.Hint(fmt.Errorf("there is no commit to begin at"), "cairn plan commit -m \"docs: the plan\" makes one")
	}
	if err := sweep(ctx, dir, filepath.Dir(path)); err != nil {
		return nil, err
	}
	trees, err := List(ctx, dir)
	if err != nil {
		return nil, err
	}
	if t, ok := find(trees, path); ok {
		if _, err := os.Stat(path); err == nil {
			if t.Branch != a.Branch {
				return nil, fmt.Errorf("%s is on the branch %q, not %s", path, t.Branch, a.Branch)
			}
			a.Kept = true
			return a, a.since(ctx, dir, head)
		}
		if _, err := git.Run(ctx, dir, "worktree", "prune"); err != nil { // its directory was removed by hand
			return nil, err
		}
	} else if _, err := os.Lstat(path); err == nil {
		return nil, term.Hint(fmt.Errorf("%s is there, and it is no worktree of this repository", path), "look into it, then move it away")
	}
	args := []string{"worktree", "add", "--quiet", path, a.Branch}
	if _, err := git.Run(ctx, dir, "rev-parse", "--verify", "--quiet", "refs/heads/"+a.Branch); err != nil {
		args = []string{"worktree", "add", "--quiet", "-b", a.Branch, path, head}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, hooksTimeout) // a checkout may run a hook
	defer cancel()
	if _, err := git.Run(ctx, dir, args...); err != nil {
		return nil, err
	}
	return a, a.since(ctx, dir, head)
}

// since finds the commit at which the branch began, and what it has since.
func (a *Added) since(ctx context.Context, dir, head string) (err error) {
	ref := "refs/heads/" + a.Branch
	if a.Base, err = git.Run(ctx, dir, "merge-base", head, ref); err != nil {
		return err
	}
	out, err := git.Run(ctx, dir, "rev-list", "--count", a.Base+".."+ref)
	if err != nil {
		return err
	}
	_, err = fmt.Sscan(out, &a.Ahead)
	return err
}
