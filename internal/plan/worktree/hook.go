package worktree

import (
	"context"

	"cairn/internal/git"
)

// HookRun is one run of the repository's pre-commit hook.
type HookRun struct {
	OK     bool
	Detail string // what it complained about
}

// Executor reports whether dir is the worktree of an agent, by its branch.
func Executor(ctx context.Context, dir string) bool {
	branch, err := git.Branch(ctx, dir)
	return err == nil && isAgentBranch(branch)
}

// PreCommit runs the repository's pre-commit hook once, as is due after each
// wave when the executors committed without it (workflow.worktree_skip_hooks).
// No hook is no complaint. It needs git 2.36.
func PreCommit(ctx context.Context, dir string) *HookRun {
	if _, err := git.Run(ctx, dir, "hook", "run", "--ignore-missing", "pre-commit"); err != nil {
		return &HookRun{Detail: err.Error()}
	}
	return &HookRun{OK: true}
}
