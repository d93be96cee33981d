package rows

import (
	"testing"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/table"
	"cairn/test/dbtest"
)

// TestVersions: whatever a page shows of a team, a change of it is counted, so
// that no server shows a page from before. Another team's count stays.
func TestVersions(t *testing.T) {
	t.Parallel()
	notShown := map[string]bool{"team_invites": true, "daily_evals": true, "daily_costs": true, "audit_log": true, // sums change with their rows
		"eval_labels": true} // on a page that is never kept
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team, others := dbtest.Team(t, d, "acme"), dbtest.Team(t, d, "others")
		me, other := dbtest.Member(t, d, team, "owner"), dbtest.Member(t, d, others, "owner")
		version := func(as db.Identity) (n int64) {
			t.Helper()
			err := d.View(ctx, as, func(tx *db.Tx) error {
				teams, err := figures.TeamsOf(ctx, tx, as.User)
				if err == nil && len(teams) == 1 {
					n = teams[0].Version
				}
				return err
			})
			if err != nil || n == 0 {
				t.Fatalf("version %d, %v", n, err)
			}
			return n
		}
		last, theirs := version(me), version(other)
		counted := func(what string) {
			t.Helper()
			n := version(me)
			if n <= last {
				t.Errorf("%s is not counted: %d after %d", what, n, last)
			}
			last = n
		}
		const channel = "40000000-0000-4000-8000-000000000001"
		for _, tab := range table.All() {
			if row := rowOf(tab.Name, channel); row != "" {
				mustInsert(t, d, me, write(t, tab.Name, team, row))
				if notShown[tab.Name] {
					continue
				}
				counted("a row of " + tab.Name)
			}
		}
		notices(t, d, team, channel)
		dbtest.Member(t, d, team, "member")
		last = version(me)
		for _, tab := range table.All() {
			if notShown[tab.Name] {
				continue
			}
			if tab.Month == "" || d.Dialect() == db.PostgreSQL {
				dbtest.Exec(t, d, `update `+tab.Name+` set `+tab.Team+` = `+tab.Team+` where `+tab.Team+` = ?`, team)
				counted("an update of " + tab.Name)
			}
		}
		dbtest.Exec(t, d, `update auth.users set email = 'new@example.com' where id = ?`, me.User)
		counted("another address")
		if n := version(other); n != theirs {
			t.Errorf("the other team's version went from %d to %d", theirs, n)
		}
		if _, err := remove(d, db.Identity{Role: db.Service}, query("eval_payloads")); err != nil {
			t.Fatal(err)
		}
		counted("payloads that are deleted")
		for _, name := range []string{"deliveries", "alerts", "team_channels", "team_settings", "sync_heartbeats", "usage_days", "spend_days", "plan_snapshots", "session_transcripts", "greptile_triage", "ship_logs", "qa_reports", "retro_snapshots", "eval_costs", "eval_runs", "eval_cases"} {
			dbtest.Exec(t, d, `delete from `+name+` where team_id = ?`, team)
			counted("what is deleted of " + name)
		}
		dbtest.Exec(t, d, `delete from team_members where team_id = ? and role = 'member'`, team)
		counted("a member who left")
		old := "40000000-0000-4000-8000-000000000009"
		mustInsert(t, d, me, write(t, "eval_runs", team, rowOf("eval_runs", old)))
		mustInsert(t, d, me, write(t, "eval_results", team, rowOf("eval_results", old)))
		last = version(me)
		if months, err := d.DropMonthsBefore(ctx, dbtest.Day(-60)); err != nil || months == 0 {
			t.Fatalf("%d months, %v", months, err)
		}
		counted("a month that is dropped")
		dbtest.Exec(t, d, `delete from teams where id = ?`, team)
		if n := dbtest.Count(t, d, `select count(*) from cairn.team_versions where team_id = ?`, team); n != 0 {
			t.Errorf("%d rows are left of a deleted team", n)
		}
	})
}

// Two transactions that end in another order than they began are both counted.
func TestVersionOfLateTransaction(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if d.Dialect() != db.PostgreSQL {
			return // one writer
		}
		team := dbtest.Team(t, d, "acme")
		me := dbtest.Member(t, d, team, "owner")
		sum := func() int {
			return dbtest.Count(t, d, `select sum(n) from cairn.team_versions where team_id = ?`, team)
		}
		ship := `insert into ship_logs (team_id, ingest_key, repo_slug) values (?, ?, 'a/b')`
		var before, between int
		err := d.Update(ctx, me, func(tx *db.Tx) error {
			if _, err := tx.Exec(ctx, ship, team, uuid.NewString()); err != nil { // begins first
				return err
			}
			before = sum()
			// On another connection, whose process is not of the same row.
			for between = before; between == before; between = sum() {
				dbtest.Exec(t, d, `insert into cairn.team_versions as v (team_id, shard) values (?, 99) on conflict (team_id, shard) do update set n = v.n + 1`, team)
			}
			return nil
		})
		if err != nil || sum() <= between {
			t.Errorf("%d, then %d, then %d, %v", before, between, sum(), err)
		}
	})
}
