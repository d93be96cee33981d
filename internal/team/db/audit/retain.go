package audit

import (
	"context"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// MostEntries is how many entries are kept of a team, and of the server itself:
// about 30 MB each. More than that are not kept however young they are.
const MostEntries = 100_000

// Trim deletes the entries before a time, and of each team the oldest beyond
// most. It returns how many.
func Trim(ctx context.Context, d *db.DB, before time.Time, most int) (n int64, err error) {
	err = d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		if tx.Dialect() == db.PostgreSQL {
			return tx.QueryRow(ctx, `select cairn.trim_audit(?, ?)`, before, most).Scan(&n)
		}
		n, err = trim(ctx, tx, before, most)
		return err
	})
	return n, err
}

// trim does what PostgreSQL's function does.
func trim(ctx context.Context, tx *db.Tx, before time.Time, most int) (n int64, err error) {
	n, err = trimBefore(ctx, tx, "true", uuid.NullUUID{}, before)
	if err != nil {
		return n, err
	}
	full, err := overflowing(ctx, tx, most)
	if err != nil {
		return n, err
	}
	for _, f := range full {
		more, err := trimBefore(ctx, tx, "team_id is ?", f.team, f.oldest)
		if n += more; err != nil {
			return n, err
		}
	}
	return n, nil
}

type overflow struct {
	team   uuid.NullUUID // null: the server's
	oldest time.Time
}

// overflowing returns the teams with more entries than are kept, and the time of
// the oldest one of each that stays.
func overflowing(ctx context.Context, tx *db.Tx, most int) (out []overflow, err error) {
	return db.Each(ctx, tx, `select team_id, (select occurred_at from audit_log b where b.team_id is a.team_id order by occurred_at desc, id limit 1 offset ?)
		from audit_log a group by team_id having count(*) > ?`, []any{most - 1, most}, func(scan db.Scan) (o overflow, _ error) {
		var at db.Time
		if err := scan(&o.team, &at); err != nil {
			return o, err
		}
		o.oldest = *at.Value
		return o, nil
	})
}

func trimBefore(ctx context.Context, tx *db.Tx, which string, team uuid.NullUUID, before time.Time) (int64, error) {
	if _, err := tx.Exec(ctx, `update cairn.origin set audit_before = ? where id = 1`, before); err != nil {
		return 0, err
	}
	args := []any{before}
	if which != "true" {
		args = []any{team, before}
	}
	n, err := tx.Exec(ctx, `delete from audit_log where `+which+` and occurred_at < ?`, args...)
	if err != nil {
		return 0, err
	}
	_, err = tx.Exec(ctx, `update cairn.origin set audit_before = null where id = 1`)
	return n, err
}
