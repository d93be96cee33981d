package db

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
)

// A Difference is a daily sum that is not the sum of its rows, or is missing.
type Difference struct {
	Table string // daily_evals or daily_costs
	Team  uuid.UUID
	Day   string // 2026-03-02
	What  string // repository, label and suite, or model
}

func (d Difference) String() string {
	return fmt.Sprintf("%s of team %s on %s for %s is not what its rows add up to", d.Table, d.Team, d.Day, strings.TrimSpace(d.What))
}

// mostDifferences bounds what CheckRollups returns.
const mostDifferences = 100

// A rollup is a table of daily sums: its columns, and the same of the rows.
type rollup struct {
	table, what, columns, sums, from, group string
	// some is the condition of a row that is not all zero: that is as good as none.
	some, someSums string
}

// $day stands for the day of run_at in UTC.
var rollups = [...]rollup{
	{
		table: "daily_evals", what: "repo_slug || ' ' || label || ' ' || suite",
		columns: "team_id, day, repo_slug, label, suite, runs, passed, failed, errored, total, cost_usd",
		sums:    "team_id, $day as day, repo_slug, label, suite, count(*), sum(passed), sum(failed), sum(errored), sum(total_tests), sum(total_cost_usd)",
		from:    "eval_runs", group: "team_id, $day, repo_slug, label, suite", some: "runs <> 0", someSums: "count(*) > 0",
	},
	{
		table: "daily_costs", what: "model",
		columns: "team_id, day, model, calls, input_tokens, output_tokens, cost_usd",
		sums:    "team_id, $day as day, model, sum(calls), sum(input_tokens), sum(output_tokens), sum(estimated_cost_usd)",
		from:    "eval_costs", group: "team_id, $day, model",
		some:     "calls <> 0 or input_tokens <> 0 or output_tokens <> 0 or cost_usd <> 0",
		someSums: "sum(calls) <> 0 or sum(input_tokens) <> 0 or sum(output_tokens) <> 0 or sum(estimated_cost_usd) <> 0",
	},
}

func (r rollup) sum(d Dialect) string {
	day := "(run_at at time zone 'UTC')::date"
	if d == SQLite {
		day = "date(run_at / 1000000, 'unixepoch')"
	}
	return strings.ReplaceAll("select "+r.sums+" from "+r.from+" group by "+r.group+" having "+r.someSums, "$day", day)
}

// CheckRollups compares the daily sums with their rows and returns those that
// differ, at most 100. The triggers that keep them leave none.
func (d *DB) CheckRollups(ctx context.Context) (found []Difference, err error) {
	err = d.View(ctx, ServerItself, func(t *Tx) error {
		for _, r := range rollups {
			kept := "select " + r.columns + " from " + r.table + " where " + r.some
			all := "with kept (" + r.columns + ") as (" + kept + "), rows_sum (" + r.columns + ") as (" + r.sum(t.dialect) + ")"
			rows, err := t.Query(ctx, all+" select distinct team_id, cast(day as text), "+r.what+` from (
				select * from (select * from kept except select * from rows_sum) a union all select * from (select * from rows_sum except select * from kept) b) d
				order by 1, 2, 3 limit ?`, mostDifferences-len(found))
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
				one := Difference{Table: r.table}
				if err := rows.Scan(&one.Team, &one.Day, &one.What); err != nil {
					return err
				}
				found = append(found, one)
			}
			if err := rows.Err(); err != nil {
				return err
			}
		}
		return nil
	})
	return found, err
}

// RebuildRollups makes the daily sums anew from the rows, in one transaction;
// pushes wait for it.
func (d *DB) RebuildRollups(ctx context.Context) error {
	return d.Update(ctx, ServerItself, func(t *Tx) error {
		if t.dialect == PostgreSQL {
			if _, err := t.Exec(ctx, `lock table eval_runs, eval_costs in share mode`); err != nil {
				return err
			}
		}
		for _, r := range rollups {
			if _, err := t.Exec(ctx, "delete from "+r.table); err != nil {
				return err
			}
			if _, err := t.Exec(ctx, "insert into "+r.table+" ("+r.columns+") "+r.sum(t.dialect)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Touch counts a change of what a team's pages show, for the zero team of every
// team's. The databases' triggers do it for all writes but those of tables that
// are of months in SQLite, and the drop of a month.
func (t *Tx) Touch(ctx context.Context, team uuid.UUID) error {
	columns, values, key, more := "team_id", "id", "team_id", ""
	if t.dialect == PostgreSQL {
		columns, values, key, more = "team_id, shard, revised", "id, 0, 1", "team_id, shard", ", revised = v.revised + 1"
	}
	of := "on conflict (" + key + ") do update set n = v.n + 1" + more
	return t.Do(ctx, `insert into cairn.team_versions as v (`+columns+`) select `+values+` from teams where id = ? or ? `+of, team, team == uuid.Nil)
}
