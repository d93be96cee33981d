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
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/table"
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
	return d.Do(ctx, `update cairn.quota_defaults set max_rows = ?, max_bytes = ?, max_messages = ?, max_channels = ?, max_invitations = ?`,
		l[Rows], l[Bytes], l[Messages], l[Channels], l[Invitations])
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
	return tx.Do(ctx, `insert into cairn.team_quotas (`+columns+`, changed_at) values (`+strings.Repeat("?, ", len(args))+`?)
		on conflict (team_id) do update set `+set, append(args, time.Now().UTC())...)
}

// Reset gives a team the server's defaults.
func Reset(ctx context.Context, tx *db.Tx, team uuid.UUID) error {
	return tx.Do(ctx, `update cairn.team_quotas set max_rows = null, max_bytes = null, max_messages = null, max_channels = null, max_invitations = null, changed_at = ?
		where team_id = ?`, time.Now().UTC(), team)
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

// countTime is how long PostgreSQL may count the rows of one team.
const countTime = 25 * time.Minute

// CountTeams counts the rows of teams that were there before the counters, and
// of those whose counters something passed by. It returns how many teams.
func CountTeams(ctx context.Context, d *db.DB) (n int, err error) {
	teams, err := d.IDs(ctx, `select id from teams where id not in (select team_id from cairn.counted_teams) order by created_at`)
	for _, team := range teams {
		if err == nil {
			err = Count(ctx, d, team)
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, err
}

// Count counts the rows of a team and corrects its counters by what they differ.
// Others may write meanwhile: rows and counters are seen at one moment, and every
// write changes both.
func Count(ctx context.Context, d *db.DB, team uuid.UUID) error {
	if d.Dialect() == db.PostgreSQL {
		return d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
			if _, err := tx.Exec(ctx, `select set_config('statement_timeout', ?, true)`, strconv.FormatInt(countTime.Milliseconds(), 10)); err != nil {
				return err
			}
			return tx.Do(ctx, `select cairn.count_team(?)`, team)
		})
	}
	type correction struct {
		month       string
		rows, bytes int64
	}
	var all []correction
	err := d.Snapshot(ctx, db.ServerItself, func(tx *db.Tx) (err error) { // beside the writer
		query := `select month, -n_rows as n, -n_bytes as size from cairn.team_usage where team_id = ?`
		args := []any{team}
		for _, name := range counted {
			query += fmt.Sprintf(` union all select %s, count(*), coalesce(sum(%s), 0) from %s where team_id = ? group by 1`, monthOf(name), sizeOf(name), name)
			args = append(args, team)
		}
		all, err = db.List(ctx, tx, `select month, sum(n), sum(size) from (`+query+`) group by month having sum(n) <> 0 or sum(size) <> 0`, args, func(c *correction) []any { return []any{&c.month, &c.rows, &c.bytes} })
		return err
	})
	if err != nil {
		return err
	}
	return d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		for _, c := range all {
			if _, err := tx.Exec(ctx, `insert into cairn.team_usage (team_id, month, n_rows, n_bytes) select id, ?, ?, ? from teams where id = ?
				on conflict (team_id, month) do update set n_rows = n_rows + excluded.n_rows, n_bytes = n_bytes + excluded.n_bytes`, c.month, c.rows, c.bytes, team); err != nil {
				return err
			}
		}
		return tx.Do(ctx, `insert into cairn.counted_teams (team_id) select id from teams where id = ? on conflict do nothing`, team)
	})
}

// counted are the tables whose rows count. The migrations have the same list, in
// cairn.counted_tables and in SQLite's triggers; a test compares.
var counted = [...]string{"eval_runs", "eval_cases", "eval_results", "eval_payloads", "eval_costs", "retro_snapshots", "qa_reports", "ship_logs",
	"greptile_triage", "session_transcripts", "plan_snapshots", "usage_days", "sync_heartbeats", "eval_labels", "spend_days"}

func monthOf(name string) string {
	if table.Find(name).Month != "" {
		return `strftime('%Y%m', run_at / 1000000, 'unixepoch')`
	}
	return `''`
}

// sizeOf is the bytes of texts and JSON in a row.
func sizeOf(name string) string {
	parts := []string{"0"}
	for _, c := range table.Find(name).Columns {
		if c.Type == table.Text || c.Type == table.JSON || c.Type == table.TextArray {
			parts = append(parts, "coalesce(octet_length("+c.Name+"), 0)")
		}
	}
	return strings.Join(parts, " + ")
}
