package worktree

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cairn/internal/git"
)

// Status is what became of an entry.
type Status string

const (
	MergedRemoved Status = "merged_removed"
	Blocked       Status = "blocked"
)

// Reason says why an entry was blocked, or what else was wrong.
type Reason string

const (
	BranchMismatch     Reason = "branch_mismatch" // the worktree is gone, or on another branch
	BaseMismatch       Reason = "base_mismatch"   // it did not begin where it should have
	DeletionsUnknown   Reason = "deletion_check_failed"
	HasDeletions       Reason = "branch_contains_deletions"
	Dirty              Reason = "worktree_dirty"
	MergeFailed        Reason = "merge_failed"
	RemoveFailed       Reason = "worktree_remove_failed"
	BranchDeleteFailed Reason = "branch_delete_failed" // a warning: all else was done
)

// Outcome is an entry with what was done about it.
type Outcome struct {
	Entry
	Detail  string   // git's complaint, or what was found instead
	Files   []string // the files that a reason is about
	Warning Reason   // BranchDeleteFailed or ""
}

// Cleanup brings a wave home.
type Cleanup struct {
	Dir            string // the tree to merge into
	AllowDeletions bool   // a person has looked at the files that are deleted
	SkipHooks      bool   // executors ran no hooks: run pre-commit once at the end
}

// Result is what a Cleanup did: outcomes up to the first that is blocked, and
// the entries after it.
type Result struct {
	Outcomes []Outcome
	Pending  []Entry
	Hook     *HookRun // nil when the hook was not due
}

// OK reports whether everything was brought home.
func (r *Result) OK() bool {
	return !slices.ContainsFunc(r.Outcomes, func(o Outcome) bool { return o.Status == Blocked }) && (r.Hook == nil || r.Hook.OK)
}

// hooksTimeout is for git commands that run the user's hooks.
const hooksTimeout = 10 * time.Minute

// Run merges each entry's branch with a merge commit, removes its worktree
// and then the branch. It stops at the first entry that it cannot bring home
// without loss. A second run goes on where the first one ended, whatever ended
// it: what is merged already is not merged again.
func (c Cleanup) Run(ctx context.Context, entries []Entry) (*Result, error) {
	ctx, cancel := context.WithTimeout(ctx, hooksTimeout)
	defer cancel()
	r := &Result{}
	if err := c.takeBack(ctx); err != nil {
		return nil, err
	}
	merged := false
	for i, e := range entries {
		trees, err := List(ctx, c.Dir)
		if err != nil {
			return nil, err
		}
		o := Outcome{Entry: e}
		o.Status, o.Reason = "", "" // what kept it the last time
		c.entry(ctx, trees, &o)
		r.Outcomes = append(r.Outcomes, o)
		if o.Status == Blocked {
			r.Pending = entries[i+1:]
			return r, nil
		}
		merged = true
	}
	if merged && c.SkipHooks {
		r.Hook = preCommit(ctx, c.Dir)
	}
	return r, nil
}

func (o *Outcome) block(why Reason, detail string, files ...string) {
	o.Status, o.Reason, o.Detail, o.Files = Blocked, why, detail, files
}

func (c Cleanup) entry(ctx context.Context, trees []Tree, o *Outcome) {
	path := o.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.Dir, path)
	}
	tree, found := find(trees, path)
	if _, err := os.Stat(path); found && os.IsNotExist(err) { // removed, and git was killed before it knew
		_, _ = git.Run(ctx, c.Dir, "worktree", "prune")
		found = false
	}
	tip, _ := c.commit(ctx, "refs/heads/"+o.Branch)
	base, err := c.commit(ctx, o.Base)
	switch {
	case !found && c.mergedBefore(ctx, o.Branch, tip, base):
		c.deleteBranch(ctx, o, tip)
		return
	case !found:
		o.block(BranchMismatch, "there is no worktree at "+o.Path)
		return
	case tree.Branch != o.Branch:
		o.block(BranchMismatch, fmt.Sprintf("the worktree is on %s", cmp.Or(tree.Branch, "no branch")))
		return
	case err != nil || tip == "":
		o.block(BaseMismatch, o.Base+" is no commit here")
		return
	}
	merged := c.mergedBefore(ctx, o.Branch, tip, base)
	if !merged && !c.mayMerge(ctx, o, tip, base) {
		return
	}
	switch files, err := Uncommitted(ctx, tree.Path); {
	case err != nil:
		o.block(Dirty, err.Error())
		return
	case len(files) > 0:
		o.block(Dirty, "not committed: "+some(files), files...)
		return
	}
	if !merged && !c.merge(ctx, o, tip) {
		return
	}
	if tree.Locked {
		_, _ = git.Run(ctx, c.Dir, "worktree", "unlock", tree.Path) // if it fails, so does remove
	}
	// Without --force git looks once more whether something would be lost.
	if _, err := git.Run(ctx, c.Dir, "worktree", "remove", tree.Path); err != nil {
		o.block(RemoveFailed, err.Error())
		return
	}
	c.deleteBranch(ctx, o, tip)
}

// mayMerge checks that the branch began where it should have, and deletes no
// file.
func (c Cleanup) mayMerge(ctx context.Context, o *Outcome, tip, base string) bool {
	from, err := git.Run(ctx, c.Dir, "merge-base", "HEAD", tip)
	if err != nil || from != base {
		o.block(BaseMismatch, fmt.Sprintf("the branch began at %s, not at %s", cmp.Or(short(from), "no commit of HEAD"), short(base)))
		return false
	}
	out, err := git.Output(ctx, c.Dir, "diff", "--diff-filter=D", "--find-renames", "--name-only", "-z", "HEAD..."+tip)
	if err != nil {
		o.block(DeletionsUnknown, err.Error())
		return false
	}
	if files := git.Fields(out); len(files) > 0 && !c.AllowDeletions {
		o.block(HasDeletions, "deletes "+some(files), files...)
		return false
	}
	return true
}

// merge merges the branch into HEAD; one that fails leaves HEAD's tree as it
// was.
func (c Cleanup) merge(ctx context.Context, o *Outcome, tip string) bool {
	if _, err := git.Branch(ctx, c.Dir); err != nil {
		o.block(MergeFailed, "no branch is checked out to merge into")
		return false
	}
	if _, err := git.Run(ctx, c.Dir, "rev-parse", "--verify", "--quiet", "MERGE_HEAD"); err == nil {
		o.block(MergeFailed, "another merge is under way")
		return false
	}
	args := []string{"merge", "--no-ff", "-m", mergeSubject(o.Branch)}
	if c.SkipHooks {
		args = append(args, "--no-verify")
	}
	mark, err := c.mark(ctx)
	if err == nil {
		err = os.WriteFile(mark, []byte(tip+"\n"), 0o600)
	}
	if err != nil {
		o.block(MergeFailed, err.Error())
		return false
	}
	defer os.Remove(mark)
	if _, err := git.Run(ctx, c.Dir, append(args, "refs/heads/"+o.Branch)...); err != nil {
		files, _ := git.Output(ctx, c.Dir, "diff", "--name-only", "--diff-filter=U", "-z")
		_, _ = git.Run(ctx, c.Dir, "merge", "--abort") // nothing to abort when git refused to begin
		o.block(MergeFailed, err.Error(), git.Fields(files)...)
		return false
	}
	return true
}

func mergeSubject(branch string) string { return "chore: merge executor worktree (" + branch + ")" }

// mergedBefore reports whether HEAD has a merge of the branch since base: of
// its tip, or when the branch is gone, one of ours by its name.
func (c Cleanup) mergedBefore(ctx context.Context, branch, tip, base string) bool {
	if base == "" {
		return false
	}
	out, err := git.Run(ctx, c.Dir, "log", "--first-parent", "--merges", "--format=%P %s", base+"..HEAD")
	if err != nil {
		return false
	}
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if tip == "" && strings.HasSuffix(line, " "+mergeSubject(branch)) {
			return true
		}
		if parents := strings.Fields(line); tip != "" && len(parents) > 1 && parents[1] == tip {
			return true
		}
	}
	return false
}

// deleteBranch ends an entry: its branch is merged and has no worktree.
func (c Cleanup) deleteBranch(ctx context.Context, o *Outcome, tip string) {
	o.Status = MergedRemoved
	if tip == "" {
		return
	}
	_, err := git.Run(ctx, c.Dir, "branch", "-D", o.Branch)
	if err != nil { // a tree whose removal was cut short still has it
		_, _ = git.Run(ctx, c.Dir, "worktree", "prune")
		_, err = git.Run(ctx, c.Dir, "branch", "-D", o.Branch)
	}
	if err != nil {
		o.Warning, o.Detail = BranchDeleteFailed, err.Error()
	}
}

// commit returns the full hash of the commit that rev names.
func (c Cleanup) commit(ctx context.Context, rev string) (string, error) {
	return git.Run(ctx, c.Dir, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
}

// some names the first few of many files.
func some(files []string) string {
	const most = 5
	if len(files) <= most {
		return strings.Join(files, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(files[:most], ", "), len(files)-most)
}

func short(hash string) string { return hash[:min(len(hash), 10)] }
