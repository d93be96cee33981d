package drive

import (
	"context"
	"path"
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
		prepare(ctx, w, &r, func(tx *plan.Tx) string { return commit.Branch(tx, r.Paths) })
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

// PrepareTask has the commit of a plan's task made likewise. phase is the directory of the
// plan's phase, "" for one that is of none.
func PrepareTask(ctx context.Context, w *plan.Workspace, phase string, r *commit.Request) error {
	return must.Catch(func() {
		prepare(ctx, w, r, func(tx *plan.Tx) string {
			if phase == "" {
				return ""
			}
			return commit.Branch(tx, []string{path.Join(phase, "PLAN.md")})
		})
	})
}

// prepare sets the branch and the hooks of a commit. An executor's worktree keeps its
// own branch, and may skip hooks that run once at the end of the wave.
func prepare(ctx context.Context, w *plan.Workspace, r *commit.Request, of func(*plan.Tx) string) {
	branch, skipHooks := "", false
	must.OK(w.View(func(tx *plan.Tx) error {
		s := settings.Load(tx)
		r.DocsOff, skipHooks = docsOff(s), s.Bool("workflow.worktree_skip_hooks")
		branch = of(tx)
		return nil
	}))
	if (skipHooks || branch != "") && worktree.Executor(ctx, w.Root) {
		branch = ""
		r.NoVerify = r.NoVerify || skipHooks
	}
	must.OK(commit.RequireBranch(ctx, w.Root, branch))
}

// docsOff reports whether the settings keep planning documents out of git.
// That git ignores them is found out by asking git.
func docsOff(s *settings.Settings) bool {
	docs, _ := s.Value("commit_docs")
	return docs.Any == false && docs.Source.Kind != settings.GitIgnore
}
