package db

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/postgrest"
)

// monthly are the tables that are kept apart by month.
var monthly = [...]string{"eval_results", "eval_payloads"}

// pattern is the month of the tables that the others are made after.
const pattern = "000000"

// Runs are of this time: the clock of a machine may be a day wrong, not more.
const (
	FirstYear = 2000
	MostAhead = 24 * time.Hour
)

// CheckRunAt returns the error of a time that no run can be of, nil where it can.
func CheckRunAt(at time.Time) error {
	text := ""
	switch {
	case at.UTC().Year() < FirstYear:
		text = "is before the year 2000"
	case time.Until(at) > MostAhead:
		text = "is more than a day in the future"
	default:
		return nil
	}
	return &postgrest.Error{Status: 400, Code: "22008", Message: "run_at " + at.UTC().Format(time.RFC3339) + " " + text}
}

// Month returns the table that has rows of table (eval_results or
// eval_payloads) of the month of a time, in UTC, and makes it when it is the
// first row. On PostgreSQL that is the table itself: it finds the partition.
func (t *Tx) Month(ctx context.Context, table string, at time.Time) (physical string, err error) {
	if err := CheckRunAt(at); err != nil {
		return "", err
	}
	if t.dialect == PostgreSQL {
		_, err := t.Exec(ctx, `select cairn.ensure_month(?)`, at)
		return table, err
	}
	physical = table + "_" + at.UTC().Format("200601")
	var there int
	if err := t.QueryRow(ctx, `select count(*) from sqlite_master where type = 'table' and name = ?`, physical).Scan(&there); err != nil || there > 0 {
		return physical, err
	}
	ddl, err := t.texts(ctx, `select sql from sqlite_master where tbl_name = ? and sql is not null order by type desc`, table+"_"+pattern)
	if err != nil {
		return "", err
	}
	for _, q := range ddl { // the table, then its indexes
		if _, err := t.tx.ExecContext(ctx, strings.ReplaceAll(q, table+"_"+pattern, physical)); err != nil {
			return "", err
		}
	}
	return physical, t.join(ctx, table)
}

// join makes the view of all months of a table anew.
func (t *Tx) join(ctx context.Context, table string) error {
	months, err := t.Months(ctx, table)
	if err != nil {
		return err
	}
	all := "select * from " + table + "_" + pattern
	for _, m := range months {
		shown, err := t.Shown(ctx, m)
		if err != nil {
			return err
		}
		all += " union all select * from " + m + " where " + shown
	}
	if _, err := t.Exec(ctx, "drop view if exists "+table); err != nil {
		return err
	}
	return t.Do(ctx, "create view "+table+" as "+all)
}

// Hide keeps the rows of a run out of what everybody reads: they come in parts,
// each a transaction of its own, and nobody sees a part of a run. On PostgreSQL
// a run is one transaction.
func (t *Tx) Hide(ctx context.Context, team, run uuid.UUID, at time.Time) error {
	for _, table := range monthly {
		if _, err := t.Month(ctx, table, at); err != nil {
			return err
		}
	}
	if _, err := t.Exec(ctx, `insert into cairn.hidden_runs (team_id, run_id, run_at) values (?, ?, ?)`, team, run, at); err != nil {
		return err
	}
	return t.joinAll(ctx)
}

// Reveal ends what Hide began: with the run's own row, in the same transaction,
// or after its rows were deleted.
func (t *Tx) Reveal(ctx context.Context, team, run uuid.UUID) error {
	if _, err := t.Exec(ctx, `delete from cairn.hidden_runs where team_id = ? and run_id = ?`, team, run); err != nil {
		return err
	}
	return t.joinAll(ctx)
}

func (t *Tx) joinAll(ctx context.Context) error {
	for _, table := range monthly {
		if err := t.join(ctx, table); err != nil {
			return err
		}
	}
	return nil
}

// Shown is the condition of the rows of a month's table that may be read: none of
// a run that is hidden. Who goes by eval_runs, which has no row of such a run,
// does not need it.
func (t *Tx) Shown(ctx context.Context, physical string) (string, error) {
	if t.dialect == PostgreSQL {
		return "true", nil
	}
	runs, err := t.texts(ctx, `select 'not (team_id = x''' || hex(team_id) || ''' and run_id = x''' || hex(run_id) || ''')' from cairn.hidden_runs
		where strftime('%Y%m', run_at / 1000000, 'unixepoch') = ?`, physical[len(physical)-len(pattern):])
	return strings.Join(append([]string{"true"}, runs...), " and "), err
}

// Months returns the tables that have the months of a table, the oldest first:
// see Shown.
// On PostgreSQL that is the table itself.
func (t *Tx) Months(ctx context.Context, table string) ([]string, error) {
	if t.dialect == PostgreSQL {
		return []string{table}, nil
	}
	names, err := t.texts(ctx, `select name from sqlite_master where type = 'table' and name glob ? order by name`,
		table+"_[0-9][0-9][0-9][0-9][0-9][0-9]")
	if err != nil || len(names) == 0 {
		return nil, err
	}
	if names[0] == table+"_"+pattern {
		names = names[1:]
	}
	return names, nil
}

// DropMonthsBefore drops the results and payloads of the months before that of
// a time and returns how many months those were. Runs, costs and daily sums stay.
func (d *DB) DropMonthsBefore(ctx context.Context, at time.Time) (months int, err error) {
	err = d.Update(ctx, ServerItself, func(t *Tx) error {
		if t.dialect == PostgreSQL {
			err = t.QueryRow(ctx, `select cairn.drop_months_before(?)`, at).Scan(&months)
		} else {
			months, err = t.dropMonthsBefore(ctx, at.UTC().Format("200601"))
		}
		if err != nil || months == 0 || t.project {
			return err
		}
		return t.Touch(ctx, uuid.Nil)
	})
	return months, err
}

func (t *Tx) dropMonthsBefore(ctx context.Context, month string) (int, error) {
	gone := map[string]bool{}
	if _, err := t.Exec(ctx, `delete from cairn.team_usage where month <> '' and month < ?`, month); err != nil {
		return 0, err
	}
	for _, table := range monthly {
		names, err := t.Months(ctx, table)
		if err != nil {
			return 0, err
		}
		var drop []string
		for _, name := range names {
			if m := strings.TrimPrefix(name, table+"_"); m < month {
				drop = append(drop, name)
				gone[m] = true
			}
		}
		if len(drop) == 0 {
			continue
		}
		if _, err := t.Exec(ctx, "drop view "+table); err != nil { // it names them
			return 0, err
		}
		for _, name := range drop {
			if _, err := t.Exec(ctx, "drop table "+name); err != nil {
				return 0, err
			}
		}
		if err := t.join(ctx, table); err != nil {
			return 0, err
		}
	}
	return len(gone), nil
}

// Stored counts rows of results and payloads that were written in the month of a
// time, for the team's quota. On PostgreSQL triggers do it, as they do for other tables.
func (t *Tx) Stored(ctx context.Context, team uuid.UUID, at time.Time, rows, bytes int) error {
	if t.dialect == PostgreSQL || rows == 0 && bytes == 0 {
		return nil
	}
	_, err := t.ExecOften(ctx, `insert into cairn.team_usage (team_id, month, n_rows, n_bytes) values (?, ?, ?, ?)
		on conflict (team_id, month) do update set n_rows = n_rows + excluded.n_rows, n_bytes = n_bytes + excluded.n_bytes`, team, at.UTC().Format("200601"), rows, bytes)
	return err
}

// Recount has the rows of all teams counted again by the quota's job: something
// that counts not was written.
func (t *Tx) Recount(ctx context.Context) error {
	if t.dialect == PostgreSQL {
		return nil
	}
	return t.Do(ctx, `delete from cairn.counted_teams`)
}

// texts returns the first column of all rows.
func (t *Tx) texts(ctx context.Context, query string, args ...any) ([]string, error) {
	return List(ctx, t, query, args, func(s *string) []any { return []any{s} })
}
