package figures

import (
	"context"

	"cairn/internal/team/db"
)

// A PullBranch is a branch that a pull request was made on.
type PullBranch struct {
	Repo, Branch string
	Pull         int64
}

// PullBranches are those that what agents cost names.
func PullBranches(ctx context.Context, tx *db.Tx, r Range) ([]PullBranch, error) {
	w := r.spends(tx)
	w.and("s.pull_request <> 0 and s.branch <> ''")
	return db.List(ctx, tx, `select distinct s.repo_slug, s.branch, s.pull_request from spend_days s where `+w.text+` order by 1, 3, 2`, w.args, func(p *PullBranch) []any {
		return []any{&p.Repo, &p.Branch, &p.Pull}
	})
}
