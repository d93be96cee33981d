package drive

import (
	"context"
	"slices"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/merge"
	"cairn/internal/plan/settings"
	"cairn/internal/plan/worktree"
)

// Commit commits what r names, or all planning documents, as the settings of the plan
// want it: on the branch where it belongs, without documents that are to stay out of git,
// in an agent's worktree perhaps without hooks, and with what init wrote for git.
func Commit(ctx context.Context, w *plan.Workspace, r commit.Request) (res *commit.Result, err error) {
	err = must.Catch(func() {
		var branch string
		skipHooks := false
		must.OK(w.View(func(tx *plan.Tx) error {
			s := settings.Load(tx)
			r.DocsOff, skipHooks = docsOff(s), s.Bool("workflow.worktree_skip_hooks")
			branch = commit.Branch(tx, r.Paths)
			return nil
		}))
		if (skipHooks || branch != "") && worktree.Executor(ctx, w.Root) {
			branch = ""                          // it has one of its own
			r.NoVerify = r.NoVerify || skipHooks // the clean-up of the wave runs the hook once
		}
		must.OK(commit.RequireBranch(ctx, w.Root, branch))
		if (len(r.Paths) == 0 || slices.Contains(r.Paths, plan.Planning)) && !r.DocsOff && merge.Uncommitted(ctx, w.Root) {
			if len(r.Paths) == 0 {
				r.Paths = []string{plan.Planning}
			}
			r.Paths = append(r.Paths, ".gitattributes") // init has written it
		}
		res = must.Get(commit.Do(ctx, w.Root, r))
	})
	return res, err
}

// docsOff reports whether the settings keep planning documents out of git.
// That git ignores them is found out by asking git.
func docsOff(s *settings.Settings) bool {
	docs, _ := s.Value("commit_docs")
	return docs.Any == false && docs.Source.Kind != settings.GitIgnore
}
