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
)

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
			_, err := tx.Exec(ctx, `select cairn.count_team(?)`, team)
			return err
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
		_, err := tx.Exec(ctx, `insert into cairn.counted_teams (team_id) select id from teams where id = ? on conflict do nothing`, team)
		return err
	})
}

// counted are the tables whose rows count. The migrations have the same list, in
// cairn.counted_tables and in SQLite's triggers; a test compares.
var counted = [...]string{"eval_runs", "eval_cases", "eval_results", "eval_payloads", "eval_costs", "retro_snapshots", "qa_reports", "ship_logs",
	"greptile_triage", "session_transcripts", "plan_snapshots", "usage_days", "sync_heartbeats"}

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
