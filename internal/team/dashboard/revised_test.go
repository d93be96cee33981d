package dashboard_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
)

// Pages keep figures of settled weeks and of known runs while Revised stays: a
// new run leaves it, and whatever else becomes of evals does not.
func TestRevised(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if d.Dialect() == db.SQLite {
			return // counts everything there
		}
		team := dbtest.Team(t, d, "acme")
		me := dbtest.Member(t, d, team, "owner")
		var last figures.Membership
		counted := func(what string, want bool) {
			t.Helper()
			err := d.View(t.Context(), db.ServerItself, func(tx *db.Tx) error {
				list, err := figures.TeamsOf(t.Context(), tx, me.User)
				if err != nil || len(list) != 1 {
					t.Fatalf("%d teams, %v", len(list), err)
				}
				if got := list[0].Revised > last.Revised; got != want || list[0].Version <= last.Version {
					t.Errorf("%s: revision %d after %d, version %d after %d", what, list[0].Revised, last.Revised, list[0].Version, last.Version)
				}
				last = list[0]
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		push := func(at time.Time) uuid.UUID {
			t.Helper()
			run := wire.EvalRun{RunAt: at, IngestKey: uuid.NewString(), RepoSlug: "acme/app", Branch: "main", Label: "main", Suite: "s", TotalTests: 1, Passed: 1, Costs: []wire.EvalCost{{Model: "m", Calls: 1}}}
			run.ID = wire.RunID(team, run.IngestKey)
			c := wire.EvalCase{Suite: "s", Name: uuid.NewString()}
			c.ID = wire.CaseID(run.RepoSlug, "s", c.Name, "")
			run.Cases, run.Results = []wire.EvalCase{c}, []wire.EvalResult{{CaseID: c.ID}}
			err := d.Update(t.Context(), me, func(tx *db.Tx) error {
				_, err := ingest.Push(t.Context(), tx, me, wire.EvalPush{Team: team, Run: run})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return run.ID
		}
		now := time.Now().UTC()
		last.Revised = 1 // nothing was counted
		first := push(now)
		counted("a new run", false)
		push(now.Add(-6 * 24 * time.Hour))
		counted("a run of this week", false)
		push(now.Add(-8 * 24 * time.Hour))
		counted("a run of a settled week", true)
		dbtest.Exec(t, d, `insert into eval_results (team_id, run_id, run_at, case_id, status) values (?, ?, ?, 7, 1)`, team, first, now)
		counted("a result that comes later", true)
		dbtest.Exec(t, d, `insert into eval_payloads (team_id, run_id, run_at, case_id, payload) values (?, ?, ?, 7, '{}')`, team, first, now)
		counted("a payload that comes later", true)
		dbtest.Exec(t, d, `insert into eval_costs (team_id, run_id, model, run_at) values (?, ?, 'late', ?)`, team, first, now)
		counted("a cost that comes later", true)
		dbtest.Exec(t, d, `insert into eval_cases (team_id, id, repo_slug, suite, name) values (?, 7, 'acme/app', 's', 'late')`, team)
		counted("a case that comes later", true)
		second := uuid.New()
		err := d.Update(t.Context(), db.ServerItself, func(tx *db.Tx) error { // another run's results in the transaction of a new run
			_, err := tx.Exec(t.Context(), `insert into eval_runs (team_id, id, run_at, ingest_key, repo_slug, label, branch, total_tests, passed, failed) values (?, ?, ?, ?, 'acme/app', 'l', 'main', 1, 1, 0)`, team, second, now, uuid.NewString())
			if err == nil {
				_, err = tx.Exec(t.Context(), `insert into eval_results (team_id, run_id, run_at, case_id, status) values (?, ?, ?, 7, 1), (?, ?, ?, 8, 1)`, team, second, now, team, first, now)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		counted("a result of an old run beside a new one", true)
		for _, table := range []string{"eval_payloads", "eval_results", "eval_costs", "eval_cases", "eval_runs"} {
			dbtest.Exec(t, d, `update `+table+` set team_id = team_id where team_id = ?`, team)
			counted("an update of "+table, true)
		}
		for _, table := range []string{"eval_payloads", "eval_results", "eval_costs", "eval_cases", "eval_runs"} {
			dbtest.Exec(t, d, `delete from `+table+` where team_id = ?`, team)
			counted("what is deleted of "+table, true)
		}
		err = d.Update(t.Context(), db.ServerItself, func(tx *db.Tx) error { return tx.Touch(t.Context(), team) })
		if err != nil {
			t.Fatal(err)
		}
		counted("a month that is dropped", true)
	})
}
