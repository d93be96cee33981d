// Package quota says how much a team may have and how much it has: rows and
// bytes that it stores, messages that are sent for it in a day, alert channels,
// open invitations.
//
// The database counts and refuses, by triggers, in the transaction that writes:
// no way in passes it by, nor does a server of an older version beside this one.
// Results and payloads of SQLite, whose tables of months have no triggers, are
// counted by who writes them: see [db.Tx.Stored]. What is here reads the counters,
// sets limits, and counts the rows of teams that were there before the counters.
// Messages are held back by db/notice.
package quota

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/wire"
)

// A Kind of limit.
type Kind string

const (
	Rows        Kind = "rows"
	Bytes       Kind = "bytes"
	Messages    Kind = "messages"
	Channels    Kind = "channels"
	Invitations Kind = "invitations"
)

// Kinds are all of them, in the order in which they are shown.
var Kinds = [...]Kind{Rows, Bytes, Messages, Channels, Invitations}

// Title is what people read.
func (k Kind) Title() string {
	return map[Kind]string{Rows: "Rows", Bytes: "Bytes of texts and JSON", Messages: "Messages sent today (UTC)", Channels: "Alert channels", Invitations: "Open invitations"}[k]
}

// Limits by kind. 0 is none; a kind that is not there stays, or is the server's default.
type Limits map[Kind]int64

// Defaults are those of a server whose operator sets none. A team of fifty with
// 5,000 results a working day has 1.3 million rows in a year. 20 million of them
// take about 8 GB of PostgreSQL, and payloads as much again.
var Defaults = Limits{Rows: 20_000_000, Bytes: 20_000_000_000, Messages: 1_000, Channels: 20, Invitations: 100}

// SetDefaults sets what teams without a limit of their own may have. All kinds
// must be there.
func SetDefaults(ctx context.Context, d *db.DB, l Limits) error {
	return d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `update cairn.quota_defaults set max_rows = ?, max_bytes = ?, max_messages = ?, max_channels = ?, max_invitations = ?`,
			l[Rows], l[Bytes], l[Messages], l[Channels], l[Invitations])
		return err
	})
}

// Set gives a team limits of its own; a kind that is not in l stays.
func Set(ctx context.Context, tx *db.Tx, team uuid.UUID, l Limits) error {
	columns, set, args := "team_id", "changed_at = excluded.changed_at", []any{team}
	for _, kind := range Kinds {
		if n, given := l[kind]; given {
			column := "max_" + string(kind)
			columns, set, args = columns+", "+column, set+", "+column+" = excluded."+column, append(args, n)
		}
	}
	_, err := tx.Exec(ctx, `insert into cairn.team_quotas (`+columns+`, changed_at) values (`+strings.Repeat("?, ", len(args))+`?)
		on conflict (team_id) do update set `+set, append(args, time.Now().UTC())...)
	return err
}

// Reset gives a team the server's defaults.
func Reset(ctx context.Context, tx *db.Tx, team uuid.UUID) error {
	_, err := tx.Exec(ctx, `update cairn.team_quotas set max_rows = null, max_bytes = null, max_messages = null, max_channels = null, max_invitations = null, changed_at = ?
		where team_id = ?`, time.Now().UTC(), team)
	return err
}

// OneMore says whether another message may be sent for a team today. Whoever
// asks has the team's turn until the transaction ends; a trigger counts the attempt.
func OneMore(ctx context.Context, tx *db.Tx, team uuid.UUID) (may bool, err error) {
	if tx.Project() { // of whoever pays for it
		return true, nil
	}
	var n, most int64
	err = tx.QueryRow(ctx, `insert into cairn.team_messages as m (team_id, day) values (?, `+today(tx)+`) on conflict (team_id, day) do update set n = m.n returning n`, team).Scan(&n)
	if err == nil {
		err = tx.QueryRow(ctx, `select coalesce(q.max_messages, d.max_messages) from cairn.quota_defaults d left join cairn.team_quotas q on q.team_id = ?`, team).Scan(&most)
	}
	return most == 0 || n < most, err
}

// today is the day in UTC by the database's clock, as its trigger has it.
func today(tx *db.Tx) string {
	if tx.Dialect() == db.PostgreSQL {
		return `(now() at time zone 'UTC')::date`
	}
	return `date('now')`
}

// Of returns a team's limits and what it has, in the order of [Kinds].
func Of(ctx context.Context, tx *db.Tx, team uuid.UUID, now time.Time) ([]wire.Quota, error) {
	out := make([]wire.Quota, len(Kinds))
	var fields []any
	for i, kind := range Kinds {
		out[i].Kind = string(kind)
		fields = append(fields, &out[i].Limit, &out[i].Own, &out[i].Used)
	}
	query, args := "", []any{}
	for i, used := range [...]string{
		`select coalesce(sum(n_rows), 0) from cairn.team_usage where team_id = ?`,
		`select coalesce(sum(n_bytes), 0) from cairn.team_usage where team_id = ?`,
		`select coalesce(sum(n), 0) from cairn.team_messages where team_id = ? and day = ` + today(tx),
		`select count(*) from team_channels where team_id = ?`,
		`select count(*) from team_invites where team_id = ? and accepted_at is null and expires_at > ?`,
	} {
		query += fmt.Sprintf(`, coalesce(q.max_%[1]s, d.max_%[1]s), q.max_%[1]s is not null, (%[2]s)`, Kinds[i], used)
		args = append(args, team)
		if Kinds[i] == Invitations {
			args = append(args, now.UTC())
		}
	}
	err := tx.QueryRow(ctx, `select `+query[2:]+` from cairn.quota_defaults d left join cairn.team_quotas q on q.team_id = ?`, append(args, team)...).Scan(fields...)
	for i := range out {
		out[i].Used = max(0, out[i].Used) // rows of before that are not counted yet
	}
	return out, err
}
