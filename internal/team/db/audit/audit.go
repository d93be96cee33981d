// Package audit keeps the audit log: who did what to a team or to the server,
// when, and from which address.
//
// Most entries are written by triggers of the database, in the transaction of
// what they are about, so that no way of changing a row passes them by: members,
// invitations, channels, settings, tokens of CI, accounts, sessions. [Write] is
// for what changes no such row: a failed sign-in, an export, a deletion, a new
// key. Who asks comes from [db.Origin].
//
// Entries hold ids and words of this package, never names, mail addresses or
// contents. Nothing changes them; see migration 0040_audit.sql. Who may read
// them is the registry's (team/table), not this package's.
package audit

import (
	"context"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// Actions that no trigger sees.
const (
	SignInFailed   = "session.refused"
	TeamDeleted    = "team.deleted"
	TeamExported   = "team.exported"
	PersonExported = "person.exported"
	PersonErased   = "person.erased"
	KeyRotated     = "key.rotated"
	TOTPEnabled    = "totp.enabled"
	TOTPDisabled   = "totp.disabled"
)

// An Entry of the log. Ids are null where an entry has none.
type Entry struct {
	ID      uuid.UUID
	At      time.Time
	Team    uuid.NullUUID // null: of the server
	Actor   string        // one of db.Actor…
	User    uuid.NullUUID // who did it
	Token   uuid.NullUUID // of CI, by which
	Action  string
	Object  uuid.NullUUID // that it was done to
	Detail  string        // words of ours: a role, a kind, a scope
	Address string        // from where, "" where that is not known or was removed
}

// ID is an id of an entry that has one.
func ID(id uuid.UUID) uuid.NullUUID { return uuid.NullUUID{UUID: id, Valid: id != uuid.Nil} }

// Write adds an entry to a transaction of [db.ServerItself]. Of the entry it
// takes Team, Action, Object and Detail; the rest is the transaction's origin.
func Write(ctx context.Context, tx *db.Tx, e Entry) error {
	if tx.Dialect() == db.PostgreSQL {
		return tx.Do(ctx, `select cairn.audit(?, ?, ?, ?)`, e.Action, e.Team, e.Object, e.Detail)
	}
	return tx.Do(ctx, `insert into audit_log (occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address)
		select o.now, ?, coalesce(o.actor, 'server'), o.user_id, o.token_id, ?, ?, ?, o.address from cairn.asking o`, e.Team, e.Action, e.Object, e.Detail)
}

// A Filter says which entries are wanted.
type Filter struct {
	Team  uuid.NullUUID // null: of all teams, and of the server
	Since time.Time
	Until time.Time // zero: no end
	Most  int
}

// List returns entries, the newest first.
func List(ctx context.Context, tx *db.Tx, f Filter) (out []Entry, err error) {
	where, args := "occurred_at >= ?", []any{f.Since}
	if !f.Until.IsZero() {
		where, args = where+" and occurred_at < ?", append(args, f.Until)
	}
	if f.Team.Valid {
		where, args = where+" and team_id = ?", append(args, f.Team.UUID)
	}
	return db.Each(ctx, tx, `select id, occurred_at, team_id, actor, user_id, token_id, action, object_id, detail, address from audit_log
		where `+where+` order by occurred_at desc, id limit ?`, append(args, f.Most), func(scan db.Scan) (e Entry, _ error) {
		var at db.Time
		if err := scan(&e.ID, &at, &e.Team, &e.Actor, &e.User, &e.Token, &e.Action, &e.Object, &e.Detail, &e.Address); err != nil {
			return e, err
		}
		e.At = *at.Value
		return e, nil
	})
}

// Blank removes the addresses of a team's entries, or of those by and about a
// person; the other id is the zero one. Ids and actions stay.
func Blank(ctx context.Context, tx *db.Tx, team, person uuid.UUID) error {
	if tx.Dialect() == db.PostgreSQL {
		return tx.Do(ctx, `select cairn.blank_audit(?, ?)`, ID(team), ID(person))
	}
	return tx.Do(ctx, `update audit_log set address = '' where address <> '' and (team_id = ? or user_id = ? or object_id = ?)`, ID(team), ID(person), ID(person))
}

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
