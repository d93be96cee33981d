package drive

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"strings"

	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/check"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/worktree"
)

// open returns the recorded worktrees of the phase that were not brought home, or not to
// the last bit: of one that was merged while something was killed, the branch may be left.
func (d *Driver) open() (out []worktree.Entry) {
	var merged []worktree.Entry
	d.view(func(tx *plan.Tx) {
		for _, e := range worktree.Recorded(tx) {
			switch {
			case d.step.phase.ID.String() != e.Phase:
			case e.Status == worktree.MergedRemoved:
				merged = append(merged, e)
			default:
				out = append(out, e)
			}
		}
	})
	for _, e := range merged {
		if _, err := git.Run(d.Context, d.Root, "rev-parse", "--verify", "--quiet", "refs/heads/"+e.Branch); err == nil {
			out = append(out, e)
		}
	}
	return out
}

// bringHome merges the worktrees of executors that are done. It ends the step when one
// cannot be merged. Those that are not done stay: their plans are handed out again.
func (d *Driver) bringHome() bool {
	var ready []worktree.Entry
	for _, e := range d.open() {
		if _, err := os.Stat(e.Path); err != nil {
			if d.executed(worktree.PlanOf(e.Branch)) {
				ready = append(ready, e) // it is merged, and what was left of it is removed
			}
			continue // else its tree is made again from the branch, which holds what was committed
		}
		if d.unfinished(e.Path, worktree.PlanOf(e.Branch)) == "" {
			ready = append(ready, e)
		}
	}
	if len(ready) == 0 {
		return false
	}
	if d.DryRun {
		for _, e := range ready {
			d.did("merge %s", worktree.PlanOf(e.Branch))
		}
		return d.say(Mend, "what comes after the merge is not known before it")
	}
	clean := worktree.Cleanup{Dir: d.Root, AllowDeletions: d.Deletions, SkipHooks: d.settings.Bool("workflow.worktree_skip_hooks")}
	res := must.Get(clean.Run(d.Context, ready))
	d.change(func(tx *plan.Tx) { worktree.Note(tx, res.Outcomes) })
	for i, o := range res.Outcomes {
		if o.Status == worktree.MergedRemoved {
			if ready[i].Status == worktree.MergedRemoved {
				continue
			}
			d.did("merge %s", worktree.PlanOf(o.Branch))
			d.step.Check = &Check{}
			continue
		}
		return d.say(Mend, "the work of %s is in %s and could not be merged: %s (%s)", worktree.PlanOf(o.Branch), o.Path, cmp.Or(o.Detail, string(o.Reason)), remedies[o.Reason])
	}
	if res.Hook != nil && !res.Hook.OK {
		return d.say(Mend, "the pre-commit hook says no to what was merged: %s", res.Hook.Detail)
	}
	return false
}

// executed reports whether a plan has its summary in the project itself.
func (d *Driver) executed(id string) (yes bool) {
	d.view(func(tx *plan.Tx) {
		p, f := tx.Plan(id)
		yes = p != nil && f.Summary != ""
	})
	return yes
}

// remedies say what to do about what stopped a merge.
var remedies = map[worktree.Reason]string{
	worktree.Dirty:            "commit there what belongs to the plan",
	worktree.MergeFailed:      "merge its branch, keep what both sides want, test, commit",
	worktree.HasDeletions:     "if the plan wanted these files gone, step again with --allow-deletions; else restore them on the branch",
	worktree.BranchMismatch:   "look with git log --oneline --graph, and merge by hand what is the plan's",
	worktree.BaseMismatch:     "look with git log --oneline --graph, and merge by hand what is the plan's",
	worktree.DeletionsUnknown: "look at what the branch changes",
	worktree.RemoveFailed:     "it is merged; remove the directory and run git worktree prune",
}

// unfinished says what a plan lacks in a tree, "" for nothing: its summary is there and
// holds, and all is committed, if the tree is its own.
func (d *Driver) unfinished(tree, id string) (problem string) {
	w := d.Workspace
	if tree != "" {
		w = must.Get(plan.Open(tree, d.Stream))
	}
	must.OK(w.View(func(tx *plan.Tx) error {
		problem = "it has no SUMMARY.md"
		p := tx.Phase(d.step.phase.ID)
		if p == nil {
			return nil
		}
		for _, f := range p.Plans {
			if f.Summary == "" || plan.CanonicalPlanID(f.ID) != plan.CanonicalPlanID(id) {
				continue
			}
			problem = ""
			s := check.Verify(must.Get(tx.Read(path.Join(p.Dir, f.Summary))), check.Dir(w.Root), func(hash string) bool { return commit.Exists(d.Context, w.Root, hash) }, 0)
			switch {
			case len(s.Missing) > 0:
				problem = "its summary names files that are not there: " + strings.Join(s.Missing, ", ")
			case s.SelfCheck == check.SelfFailed:
				problem = "its summary says that its own check failed"
			case len(s.Unknown) > 0:
				problem = "its summary names commits that are not there: " + strings.Join(s.Unknown, ", ")
			case !s.Says() && s.SelfCheck == check.SelfMissing: // what is done by hand may leave no file
				problem = "its summary names nothing that was done"
			}
		}
		return nil
	}))
	if problem == "" && tree != "" {
		files, err := worktree.Uncommitted(d.Context, tree)
		if _, gone := os.Stat(tree); gone != nil { // a git that outlived its cairn removes it just now
			return "its tree is gone"
		}
		if must.OK(err); len(files) > 0 {
			problem = fmt.Sprintf("not committed: %s", strings.Join(files[:min(len(files), 5)], ", "))
		}
	}
	return problem
}
