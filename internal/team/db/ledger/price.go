package ledger

import (
	"context"

	"cairn/internal/team/db"
	"cairn/internal/team/spend"
)

// Price gives every request its price by another list.
func Price(ctx context.Context, d *db.DB, prices spend.Prices) error {
	return d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		var at db.Time
		requests, err := db.Each(ctx, tx, `select agent, id, session, at, model, tier, input, cache_read, write_5m, write_1h, output, own from cairn.ledger_requests`, nil,
			func(scan db.Scan) (q spend.Request, err error) {
				err = scan(&q.Agent, &q.ID, &q.Session, &at, &q.Model, &q.Tier, &q.Input, &q.CacheRead, &q.Write5m, &q.Write1h, &q.Output, &q.Own)
				q.At = value(at)
				return q, err
			})
		if err != nil {
			return err
		}
		sessions := map[string]bool{}
		for i := range requests {
			q := &requests[i]
			sessions[q.Session] = true
			if _, err := tx.ExecOften(ctx, `update cairn.ledger_requests set nanos = ? where agent = ? and id = ?`, nanos(prices, q), q.Agent, q.ID); err != nil {
				return err
			}
		}
		return addUp(ctx, tx, sessions)
	})
}

// addUp makes the sums of sessions anew.
func addUp(ctx context.Context, tx *db.Tx, sessions map[string]bool) error {
	for s := range sessions {
		for _, statement := range [...]string{`delete from cairn.ledger_sums where session = ?`, insertSums} {
			if _, err := tx.ExecOften(ctx, statement, s); err != nil {
				return err
			}
		}
	}
	return nil
}

const insertSums = `insert into cairn.ledger_sums (session, agent, quarter, model, tool, repo, branch, commit_sha, made, pull, phase,
		input, cache_read, write_5m, write_1h, output, requests, unpriced, nanos)
	select session, agent, at / 900000000, model, tool, repo, branch, commit_sha, made, pull, phase,
		sum(input), sum(cache_read), sum(write_5m), sum(write_1h), sum(output), count(*), sum(nanos is null), coalesce(sum(nanos), 0)
	from cairn.ledger_requests where session = ? group by session, agent, at / 900000000, model, tool, repo, branch, commit_sha, made, pull, phase`
