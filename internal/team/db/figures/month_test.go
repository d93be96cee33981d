package figures_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/test/dbtest"
)

// What is looked up by a run is in the run's month: PostgreSQL opens no other.
func TestLookUpsStayInTheirMonth(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if d.Dialect() != db.PostgreSQL {
			return
		}
		team := dbtest.Team(t, d, "acme")
		me := dbtest.Member(t, d, team, "member")
		var runs []uuid.UUID
		var at []time.Time
		for n := range 12 {
			when := dbtest.Day(31*n + 3)
			runs, at = append(runs, uuid.New()), append(at, when)
			err := d.Update(t.Context(), db.ServerItself, func(tx *db.Tx) error {
				_, err := tx.Month(t.Context(), "eval_results", when)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			dbtest.Exec(t, d, `insert into eval_runs (team_id, id, run_at, ingest_key, repo_slug, label, branch, total_tests, passed, failed) values (?, ?, ?, ?, 'a/b', 'l', 'main', 1, 1, 0)`, team, runs[n], when, uuid.NewString())
			dbtest.Exec(t, d, `insert into eval_results (team_id, run_id, run_at, case_id, status) values (?, ?, ?, 1, 0)`, team, runs[n], when)
			dbtest.Exec(t, d, `insert into eval_payloads (team_id, run_id, run_at, case_id, payload) values (?, ?, ?, 1, '{"detection_rate": 2}')`, team, runs[n], when)
		}
		week := figures.Range{Team: team, From: at[6].AddDate(0, 0, -1), To: at[6].AddDate(0, 0, 1)}
		for name, ask := range map[string]func(context.Context, *db.Tx) (int, error){
			"run": func(ctx context.Context, tx *db.Tx) (int, error) {
				run, err := figures.Run(ctx, tx, team, runs[6])
				return len(run.Results), err
			},
			"results": func(ctx context.Context, tx *db.Tx) (int, error) {
				list, err := figures.Results(ctx, tx, team, runs[6:7], at[6:7])
				return len(list), err
			},
			"detections": func(ctx context.Context, tx *db.Tx) (int, error) {
				list, err := figures.Detections(ctx, tx, week)
				return len(list), err
			},
			"history": func(ctx context.Context, tx *db.Tx) (int, error) {
				list, err := figures.CaseHistory(ctx, tx, figures.Ever(team), []int64{1}, 1)
				return len(list), err
			},
		} {
			opened := 0
			err := d.View(t.Context(), me, func(tx *db.Tx) error {
				if n, err := ask(t.Context(), tx); err != nil || n != 1 {
					t.Errorf("%s: %d, %v", name, n, err)
				}
				return tx.QueryRow(t.Context(), `select count(distinct relname) from pg_locks l join pg_class c on c.oid = l.relation
					where l.pid = pg_backend_pid() and c.relkind = 'r' and relname ~ '^eval_(results|payloads)_[0-9]+$'`).Scan(&opened)
			})
			// The month, the one a day away, for results and for payloads; of a history the newest months.
			if err != nil || opened == 0 || opened > 4 {
				t.Errorf("%s: %d months were opened, %v", name, opened, err)
			}
		}
	})
}
