package worktree

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"cairn/internal/alive"
	"cairn/internal/git"
	"cairn/internal/plan"
)

// Statuses of a locked worktree after a reaping, and why one was skipped.
const (
	Reaped  Status = "reaped"
	Skipped Status = "skipped"

	LockTooFresh Reason = "lock_too_fresh"
	OwnerUnknown Reason = "lock_owner_unknown" // the lock names no process
	OwnerAlive   Reason = "pid_alive"
	NoTip        Reason = "cannot_resolve_branch_tip"
	NotMerged    Reason = "branch_not_merged"
	ReapFailed   Reason = "remove_failed" // also: it holds work that is not committed
)

// lockGrace is how old a lock must be before its owner is looked for: an agent
// that just starts may not have its process yet.
const lockGrace = 5 * time.Minute

// Orphan is a locked worktree with what became of it.
type Orphan struct {
	Path   string
	Status Status
	Reason Reason
	Detail string
}

// Reaper removes the worktrees that agents left behind.
type Reaper struct {
	Dir    string // in the repository
	DryRun bool   // only tell what would be reaped
}

// Run removes the worktrees that have been locked for more than five minutes
// by a process that is dead, if all of it is committed and merged into the
// main working tree's HEAD. Worktrees without a lock are not looked at.
func (r Reaper) Run(ctx context.Context) ([]Orphan, error) {
	trees, err := List(ctx, r.Dir)
	if err != nil {
		return nil, err
	}
	common, err := git.Run(ctx, r.Dir, "rev-parse", "--git-common-dir")
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(common) {
		common = filepath.Join(r.Dir, common)
	}
	locks := map[string]string{} // worktree → the file in the repository that locks it
	for _, l := range AllLinked(common) {
		if lock := l.lock(); lock != "" {
			locks[real(l.Dir)] = lock
		}
	}
	var out []Orphan
	for _, t := range trees[min(1, len(trees)):] {
		lock, ok := locks[real(t.Path)]
		if !ok {
			continue
		}
		o := Orphan{Path: t.Path, Status: Skipped}
		r.reap(ctx, trees[0], t, lock, &o)
		out = append(out, o)
	}
	return out, nil
}

func (r Reaper) reap(ctx context.Context, main, t Tree, lock string, o *Orphan) {
	fi, err := os.Stat(lock)
	if err != nil || time.Since(fi.ModTime()) < lockGrace {
		o.Reason = LockTooFresh
		return
	}
	text, _ := plan.ReadFile(lock)
	pid, ok := owner(string(text))
	switch {
	case !ok:
		o.Reason = OwnerUnknown
		return
	case alive.Process(pid):
		o.Reason = OwnerAlive
		return
	case t.Head == "" || strings.Trim(t.Head, "0") == "":
		o.Reason = NoTip
		return
	}
	if _, err := git.Run(ctx, main.Path, "merge-base", "--is-ancestor", t.Head, main.Head); err != nil {
		if o.Reason = NotMerged; git.Code(err) != 1 {
			o.Reason, o.Detail = NoTip, err.Error()
		}
		return
	}
	if _, err := os.Stat(t.Path); err == nil {
		files, err := Uncommitted(ctx, t.Path)
		if err != nil || len(files) > 0 {
			o.Reason, o.Detail = ReapFailed, "not committed: "+some(files)
			return
		}
	}
	if r.DryRun {
		o.Status = Reaped
		return
	}
	if err := remove(ctx, main, t, lock, text, fi.ModTime()); err != nil {
		o.Reason, o.Detail = ReapFailed, err.Error()
		return
	}
	o.Status = Reaped
	if isAgentBranch(t.Branch) {
		_, _ = git.Run(ctx, main.Path, "branch", "-d", t.Branch) // one that git wants to keep stays
	}
}

// remove unlocks and removes a worktree; one that cannot be removed is locked
// again as it was.
func remove(ctx context.Context, main, t Tree, lock string, text []byte, locked time.Time) error {
	if _, err := git.Run(ctx, main.Path, "worktree", "unlock", t.Path); err != nil {
		return err
	}
	_, err := git.Run(ctx, main.Path, "worktree", "remove", t.Path)
	if err != nil && os.WriteFile(lock, text, 0o644) == nil {
		_ = os.Chtimes(lock, locked, locked)
	}
	return err
}

// owner reads the process id that a lock names: `… (pid 4242)`, `pid: 4242`,
// or a number alone.
func owner(lock string) (pid int, ok bool) {
	text := strings.ToLower(strings.TrimSpace(lock))
	if n, err := strconv.Atoi(text); err == nil {
		return max(n, 0), n > 0
	}
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "pid")
		if !found {
			return 0, false
		}
		digits := strings.TrimLeft(after, ` "':=#`)
		end := len(digits) - len(strings.TrimLeft(digits, "0123456789"))
		if n, err := strconv.Atoi(digits[:end]); err == nil && n > 0 {
			return n, true
		}
		rest = after
	}
}
