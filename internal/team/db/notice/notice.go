// Package notice keeps what a team is told: which runs wait to be judged and
// what they are judged by, alerts, and the messages that are to be delivered.
//
// A change of an alert and the messages about it are written in one
// transaction; a message is claimed before it is sent, so that of several
// servers one sends it. team/herald calls this package. What is bad is
// team/alert's to say; HTTP and the words of messages never belong here.
package notice

import (
	"context"
	"database/sql"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// at scans a time that is not null.
type at struct{ to *time.Time }

func (a at) Scan(src any) error {
	var t db.Time
	if err := t.Scan(src); err != nil || t.Value == nil {
		return err
	}
	*a.to = *t.Value
	return nil
}

// maybe scans a time that may be null.
type maybe struct{ to **time.Time }

func (m maybe) Scan(src any) error {
	var t db.Time
	err := t.Scan(src)
	*m.to = t.Value
	return err
}

// Slug returns what a team is called in addresses and commands.
func Slug(ctx context.Context, tx *db.Tx, team uuid.UUID) (slug string, err error) {
	err = tx.QueryRow(ctx, `select slug from teams where id = ?`, team).Scan(&slug)
	return slug, err
}

// Counts are for the server's figures.
type Counts struct {
	Firing    int64 // alerts
	Waiting   int64 // messages that are not delivered yet
	Failed    int64 // messages that were given up, as long as they are kept
	Unjudged  int64 // runs
	Delivered int64
}

// Count counts over all teams.
func Count(ctx context.Context, d *db.DB) (c Counts, err error) {
	err = d.View(ctx, db.ServerItself, func(tx *db.Tx) error {
		return tx.QueryRow(ctx, `select (select count(*) from alerts where state = 'firing'),
			(select count(*) from deliveries where sent_at is null and failed_at is null), (select count(*) from deliveries where failed_at is not null),
			(select count(*) from deliveries where sent_at is not null), (select count(*) from cairn.judgments)`).
			Scan(&c.Firing, &c.Waiting, &c.Failed, &c.Delivered, &c.Unjudged)
	})
	return c, err
}

// keep is how long what is over is kept.
const keep = 90 * 24 * time.Hour

// Sweep removes messages that were delivered or given up long ago, alerts that
// nobody was told of, and runs that are too old to be judged.
func Sweep(ctx context.Context, d *db.DB, now time.Time, stale time.Duration) (rows int64, err error) {
	err = d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		rows = 0
		for _, q := range [...]struct {
			query  string
			before time.Time
		}{
			{`delete from deliveries where coalesce(sent_at, failed_at) < ?`, now.Add(-keep)},
			{`delete from alerts where outcome = 'passed' and resolved_at < ?`, now.Add(-keep)},
			{`delete from cairn.judgments where run_at < ?`, now.Add(-stale)},
			{`delete from cairn.past_receivers where refused_at is null and asked_at < ?`, now.Add(-askAgain)},
		} {
			n, err := tx.Exec(ctx, q.query, q.before)
			if err != nil {
				return err
			}
			rows += n
		}
		return nil
	})
	return rows, err
}

// none turns "no row" into nothing.
func none(err error) error {
	if err == sql.ErrNoRows {
		return nil
	}
	return err
}
