package rows

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/test/dbtest"
)

// Nobody writes in the name of another, not even of the same team.
func TestNobodyWritesForAnother(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		me, other := dbtest.Member(t, d, team, "admin"), dbtest.Member(t, d, team, "owner")
		for _, name := range []string{"eval_runs", "qa_reports", "ship_logs", "retro_snapshots", "greptile_triage", "session_transcripts", "plan_snapshots", "usage_days", "spend_days", "team_channels"} {
			row := rowOf(name, "40000000-0000-4000-8000-000000000001")
			_, err := insert(t, d, me, write(t, name, team, row[:len(row)-1]+`,"user_id":"`+other.User.String()+`"}`))
			wants(t, err, me, `403 42501 new row violates row-level security policy for table "`+name+`"`)
			a := mustInsert(t, d, me, write(t, name, team, row))
			if got := readRow(a.Rows[0])["user_id"]; got != me.User.String() {
				t.Errorf("%s: of %v", name, got)
			}
		}
	})
}

// What was said to an agent is its author's and the admins'.
func TestTranscriptsAreNotTheTeams(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		author := dbtest.Member(t, d, team, "member")
		mustInsert(t, d, author, write(t, "session_transcripts", team, rowOf("session_transcripts", "40000000-0000-4000-8000-000000000001")))
		for role, want := range map[string]int64{"member": 0, "ci": 0, "admin": 1, "owner": 1} {
			if n := mustSelect(t, d, dbtest.Member(t, d, team, role), query("session_transcripts")).Total; n != want {
				t.Errorf("%s sees %d transcripts, want %d", role, n, want)
			}
		}
		if n := mustSelect(t, d, author, query("session_transcripts")).Total; n != 1 {
			t.Errorf("the author sees %d", n)
		}
		if a, err := remove(d, author, query("session_transcripts", on("session_transcripts", "team_id", postgrest.Eq, team.String()))); err != nil || a.Affected != 1 {
			t.Errorf("the author deletes: %+v, %v", a, err)
		}
	})
}

// One user cannot take all the names.
func TestTeamNamesAreNotSquatted(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		me := dbtest.Member(t, d, dbtest.Team(t, d, "first"), "owner")
		var all sync.WaitGroup
		var made atomic.Int32
		for i := range 30 { // at once: each must count what the others make
			all.Go(func() {
				if _, err := calls(d, me, "create_team", fmt.Sprintf(`{"team_slug":"team-%d","team_name":"n"}`, i)); err == nil {
					made.Add(1)
				}
			})
		}
		all.Wait()
		if n := made.Load(); n != 19 {
			t.Errorf("%d teams more than the first", n)
		}
		_, err := calls(d, me, "create_team", `{"team_slug":"one-more","team_name":"n"}`)
		wants(t, err, me, "403 42501 one user can own at most 20 teams")
		other := dbtest.Member(t, d, dbtest.Team(t, d, "second"), "owner")
		if _, err := calls(d, other, "create_team", `{"team_slug":"one-more","team_name":"n"}`); err != nil {
			t.Errorf("another user: %v", err)
		}
	})
}

// Where a team is told, and with which secret, is its admins' to say and to see.
func TestChannelsAreTheAdmins(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		owner, member := dbtest.Member(t, d, team, "owner"), dbtest.Member(t, d, team, "member")
		for _, name := range []string{"team_channels", "team_settings"} {
			row := rowOf(name, "40000000-0000-4000-8000-000000000001")
			_, err := insert(t, d, member, write(t, name, team, row))
			wants(t, err, member, `403 42501 new row violates row-level security policy for table "`+name+`"`)
			mustInsert(t, d, owner, write(t, name, team, row))
		}
		notices(t, d, team, "40000000-0000-4000-8000-000000000001")
		for name, want := range map[string]int64{"team_channels": 0, "deliveries": 0, "team_settings": 1, "alerts": 1} {
			if n := mustSelect(t, d, member, query(name)).Total; n != want {
				t.Errorf("%s: a member sees %d rows, want %d", name, n, want)
			}
			if n := mustSelect(t, d, owner, query(name)).Total; n != 1 {
				t.Errorf("%s: an owner sees %d rows", name, n)
			}
		}
	})
}
