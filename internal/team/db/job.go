package db

import (
	"context"
	"time"
)

// Take says whether a job is due and this server has it: of several servers of
// a database exactly one gets true. It is due again at next.
func (d *DB) Take(ctx context.Context, job string, now, next time.Time) (mine bool, err error) {
	err = d.Update(ctx, ServerItself, func(t *Tx) error {
		n, err := t.Exec(ctx, `insert into cairn.jobs (name, due_at) values (?, ?)
			on conflict (name) do update set due_at = excluded.due_at where cairn.jobs.due_at <= ?`, job, next, now)
		mine = n == 1
		return err
	})
	return mine && err == nil, err
}

// Postpone sets when a job is due, because it failed.
func (d *DB) Postpone(ctx context.Context, job string, until time.Time) error {
	return d.Do(ctx, `update cairn.jobs set due_at = ? where name = ?`, until, job)
}

// usedTokens is how long a refresh token that was exchanged is still known, so
// that its use by somebody else ends the session.
const usedTokens = 60 * 24 * time.Hour

// idleSession is how long a session lives that nobody refreshes.
const idleSession = 180 * 24 * time.Hour

// openInvites is how long an invitation that ran out is still listed.
const openInvites = 30 * 24 * time.Hour

// Sweep removes what is over: links, sign-ins under way, sessions, secrets,
// invitations. It returns how many rows.
func (d *DB) Sweep(ctx context.Context, now time.Time) (rows int64, err error) {
	over := []struct {
		query  string
		before time.Time
	}{
		{`delete from auth.one_time_tokens where expires_at < ?`, now},
		{`delete from auth.flows where expires_at < ?`, now},
		{`delete from auth.sessions where not_after < ?`, now},
		{`delete from auth.sessions where coalesce(refreshed_at, created_at) < ?`, now.Add(-idleSession)},
		{`delete from auth.refresh_tokens where used_at < ?`, now.Add(-usedTokens)},
		{`delete from cairn.secrets where expires_at < ?`, now},
		{`delete from team_invites where accepted_at is null and expires_at < ?`, now.Add(-openInvites)},
	}
	err = d.Update(ctx, ServerItself, func(t *Tx) error {
		rows = 0
		for _, o := range over {
			n, err := t.Exec(ctx, o.query, o.before)
			if err != nil {
				return err
			}
			rows += n
		}
		return nil
	})
	return rows, err
}

// Tidy lets SQLite renew its statistics and, unless another program copies the
// WAL, write it into the file and empty it. PostgreSQL does both by itself.
func (d *DB) Tidy(ctx context.Context, keepWAL bool) error {
	if d.writer == nil {
		return nil
	}
	if !keepWAL {
		var busy, log, done int
		if err := d.writer.db.QueryRowContext(ctx, `pragma wal_checkpoint(truncate)`).Scan(&busy, &log, &done); err != nil {
			return err
		}
	}
	_, err := d.writer.db.ExecContext(ctx, `pragma optimize`)
	return err
}

// Note keeps a value that the servers of a database, and the verbs that look
// after them, have in common, such as their public URL.
func (d *DB) Note(ctx context.Context, name, value string) error {
	return d.Do(ctx, `insert into cairn.secrets (name, value) values (?, ?) on conflict (name) do update set value = excluded.value`, name, []byte(value))
}

// Noted returns it, "" where there is none.
func (d *DB) Noted(ctx context.Context, name string) (string, error) {
	var value []byte
	err := None(d.Get(ctx, `select value from cairn.secrets where name = ?`, []any{name}, &value), nil)
	return string(value), err
}
