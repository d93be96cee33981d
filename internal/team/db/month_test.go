package db_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/test/dbtest"
)

// addResult puts one result of a run of its own into its month.
func addResult(t *testing.T, d *db.DB, team uuid.UUID, at time.Time) {
	t.Helper()
	ctx := context.Background()
	err := d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		run := uuid.New()
		_, err := tx.Exec(ctx, `insert into eval_runs (team_id, id, run_at, ingest_key, repo_slug, label, total_tests, passed, failed) values (?, ?, ?, ?, 'r', 'l', 1, 1, 0)`,
			team, run, at, run.String())
		if err != nil {
			return err
		}
		for table, value := range map[string]any{"eval_results": 0, "eval_payloads": "{}"} {
			physical, err := tx.Month(ctx, table, at)
			if err != nil {
				return err
			}
			column := map[string]string{"eval_results": "status", "eval_payloads": "payload"}[table]
			if _, err := tx.Exec(ctx, `insert into `+physical+` (team_id, run_id, run_at, case_id, `+column+`) values (?, ?, ?, 1, ?)`, team, run, at, value); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestMonths(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		team := dbtest.Team(t, d, "a")
		for _, at := range []string{"2026-01-31T23:59:59.999999Z", "2026-02-01T00:00:00Z", "2026-02-28T12:00:00Z", "2026-03-01T00:00:00+02:00", "2026-03-31T12:00:00Z"} {
			run, err := time.Parse(time.RFC3339, at)
			if err != nil {
				t.Fatal(err)
			}
			addResult(t, d, team, run)
		}
		count := func(table string) int { return dbtest.Count(t, d, `select count(*) from `+table) }
		if n := count("eval_results"); n != 5 {
			t.Fatalf("%d results, want 5", n)
		}
		n, err := d.DropMonthsBefore(ctx, time.Date(2026, 3, 15, 0, 0, 0, 0, time.UTC))
		if err != nil || n != 2 {
			t.Errorf("dropped %d months, %v; want 2", n, err)
		}
		if a, b := count("eval_results"), count("eval_payloads"); a != 1 || b != 1 {
			t.Errorf("%d results and %d payloads stay, want 1 and 1", a, b)
		}
		if n := count("eval_runs"); n != 5 {
			t.Errorf("%d runs stay, want all 5", n)
		}
		if n, err := d.DropMonthsBefore(ctx, time.Date(2026, 3, 15, 0, 0, 0, 0, time.UTC)); err != nil || n != 0 {
			t.Errorf("a second time: %d, %v", n, err)
		}
		addResult(t, d, team, time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC))
		if n := count("eval_results"); n != 2 {
			t.Errorf("%d results after one more of a month that was dropped, want 2", n)
		}
		dbtest.Exec(t, d, `delete from eval_runs`)
		if n := count("eval_results") + count("eval_payloads"); n != 0 {
			t.Errorf("%d rows outlive their runs", n)
		}
	})
}

func TestMonthOutOfTime(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, at := range []time.Time{{}, time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC), time.Now().Add(48 * time.Hour)} {
			err := d.Update(context.Background(), db.ServerItself, func(tx *db.Tx) error {
				_, err := tx.Month(context.Background(), "eval_results", at)
				return err
			})
			var e *postgrest.Error
			if !errors.As(err, &e) || e.Code != "22008" || !strings.HasPrefix(e.Message, "run_at ") {
				t.Errorf("%s: %v, want 22008", at, err)
			}
		}
	})
}
