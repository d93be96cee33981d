package db_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/test/dbtest"
)

func TestReady(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		if err := d.Ready(ctx); err != nil {
			t.Fatal(err)
		}
		remember := func(query string) {
			err := d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
				_, err := tx.Exec(ctx, query)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if d.Dialect() == db.SQLite { // the server's role may only read them in PostgreSQL
			remember(`insert into cairn.migrations (name, sha256) values ('9999_future.sql', '')`)
			if err := d.Ready(ctx); !errors.Is(err, db.ErrNewer) {
				t.Errorf("a newer database: %v", err)
			}
			remember(`delete from cairn.migrations`)
			if err := d.Ready(ctx); err == nil || errors.Is(err, db.ErrNewer) || errors.Is(err, db.ErrEmpty) {
				t.Errorf("without migrations: %v", err)
			}
		}
	})
	d, err := db.Open(context.Background(), filepath.Join(t.TempDir(), "empty.db"), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Ready(context.Background()); !errors.Is(err, db.ErrEmpty) {
		t.Errorf("an empty database: %v", err)
	}
}

func TestRollupsOfTheDay(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		team := dbtest.Team(t, d, "a")
		run := uuid.New()
		dbtest.Exec(t, d, `insert into eval_runs (team_id, id, run_at, ingest_key, repo_slug, label, total_tests, passed, failed)
			values (?, ?, ?, '0123456789abcdef', 'o/r', 'l', 3, 2, 1)`, team, run, dbtest.Day(1))
		dbtest.Exec(t, d, `insert into eval_costs (team_id, run_id, model, run_at, calls, estimated_cost_usd) values (?, ?, 'm', ?, 3, 1)`, team, run, dbtest.Day(1))
		if wrong, err := d.CheckRollups(ctx); err != nil || len(wrong) > 0 {
			t.Fatalf("sums that the database keeps itself: %v, %v", wrong, err)
		}
		dbtest.Exec(t, d, `update daily_costs set calls = calls + 1`)
		dbtest.Exec(t, d, `delete from daily_evals`)
		if wrong, err := d.CheckRollups(ctx); err != nil || len(wrong) != 2 || wrong[1].What != "m" || wrong[1].Team != team {
			t.Errorf("after they were changed: %v, %v; want one of each table", wrong, err)
		}
		if n, err := d.Counts(ctx); err != nil || n.Teams != 1 || n.Runs != 0 {
			t.Errorf("%+v, %v", n, err)
		}
		if c, err := d.Connected(ctx); err != nil || d.Dialect() == db.PostgreSQL && (!c.Superuser || len(c.Lacks)+len(c.Open) > 0) {
			t.Errorf("%+v, %v", c, err)
		}
	})
}
