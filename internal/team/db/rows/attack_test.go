package rows

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
)

// ourCase is the case of rowOf.
var ourCase = wire.CaseID("a/b", "", "n", "")

// rowOf is a row of a team that a member of it may insert, "" where functions write the table.
func rowOf(name, id string) string {
	switch name {
	case "eval_runs":
		return fmt.Sprintf(`{"team_id":"%%T","id":"%s","run_at":"2026-11-20T10:00:00Z","ingest_key":"%s","repo_slug":"a/b","label":"x","total_tests":0,"passed":0,"failed":0}`, id, id)
	case "eval_cases":
		return fmt.Sprintf(`{"team_id":"%%T","id":%d,"repo_slug":"a/b","name":"n"}`, ourCase)
	case "eval_results":
		return `{"team_id":"%T","run_id":"` + id + `","case_id":` + fmt.Sprint(ourCase) + `,"status":0,"run_at":"2026-11-20"}`
	case "eval_payloads":
		return `{"team_id":"%T","run_id":"` + id + `","case_id":` + fmt.Sprint(ourCase) + `,"run_at":"2026-11-20","payload":{"secret":"s3"}}`
	case "eval_costs":
		return `{"team_id":"%T","run_id":"` + id + `","model":"m","run_at":"2026-11-20","calls":1}`
	case "eval_labels":
		return `{"team_id":"%T","run_id":"` + id + `","case_id":` + fmt.Sprint(ourCase) + `,"pass":true}`
	case "retro_snapshots", "greptile_triage":
		return `{"team_id":"%T","id":"` + id + `","ingest_key":"k","repo_slug":"a/b","date":"2026-11-20"` + map[bool]string{true: `,"triage_type":"fp","file_pattern":"*"}`, false: "}"}[name == "greptile_triage"]
	case "qa_reports":
		return `{"team_id":"%T","id":"` + id + `","ingest_key":"k","repo_slug":"a/b","url":"u"}`
	case "ship_logs":
		return `{"team_id":"%T","id":"` + id + `","ingest_key":"k","repo_slug":"a/b"}`
	case "session_transcripts":
		return `{"team_id":"%T","id":"` + id + `","ingest_key":"k","repo_slug":"a/b","session_id":"s"}`
	case "plan_snapshots":
		return `{"team_id":"%T","id":"` + id + `","ingest_key":"k","repo_slug":"a/b"}`
	case "usage_days":
		return `{"team_id":"%T","id":"` + id + `","ingest_key":"k","repo_slug":"a/b","date":"2026-11-20"}`
	case "spend_days":
		return `{"team_id":"%T","id":"` + id + `","ingest_key":"k","repo_slug":"a/b","day":"2026-11-20","source":"ledger"}`
	case "team_settings":
		return `{"team_id":"%T","timezone":"UTC"}`
	case "team_channels":
		return `{"team_id":"%T","id":"` + id + `","kind":"slack","name":"n","target":"https://hooks.example/secret"}`
	case "sync_heartbeats":
		return `{"team_id":"%T","id":"` + id + `"}`
	}
	return ""
}

// notices makes what only the server makes.
func notices(t *testing.T, d *db.DB, team uuid.UUID, channel string) {
	t.Helper()
	dbtest.Exec(t, d, `insert into alerts (team_id, id, repo_slug, suite, branch, kind, state, p, expected, observed, cases) values (?, ?, 'a/b', 's', 'main', 'eval', 'firing', 0.001, 0.9, 0.5, 50)`, team, uuid.New())
	dbtest.Exec(t, d, `insert into deliveries (team_id, id, channel_id, event) values (?, ?, ?, 'e')`, team, uuid.New(), uuid.MustParse(channel))
}

// TestNoRowCrossesATeam: an owner of one team tries every table of another.
func TestNoRowCrossesATeam(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ours, theirs := dbtest.Team(t, d, "ours"), dbtest.Team(t, d, "theirs")
		me, victim := dbtest.Member(t, d, ours, "owner"), dbtest.Member(t, d, theirs, "owner")
		stranger := dbtest.Person(uuid.New())
		const their = "40000000-0000-4000-8000-000000000001"
		if _, err := calls(d, victim, "invite_member", `{"p_team":"`+theirs.String()+`","p_email":"a@b.c"}`); err != nil {
			t.Fatal(err)
		}
		for _, tab := range table.All() {
			if row := rowOf(tab.Name, their); row != "" {
				mustInsert(t, d, victim, write(t, tab.Name, theirs, row))
			}
		}
		notices(t, d, theirs, their)
		for _, tab := range table.All() {
			of := on(tab.Name, tab.Team, postgrest.Eq, theirs.String())
			if n := mustSelect(t, d, victim, query(tab.Name, of)).Total; n == 0 {
				t.Errorf("%s: the test has no row", tab.Name)
			}
			// not (a or not a): what is neither true nor false shows nothing either.
			either := postgrest.Filter{Any: []postgrest.Filter{of, {Not: true, All: []postgrest.Filter{of}}}}
			for _, as := range []db.Identity{me, stranger} {
				for _, f := range []postgrest.Filter{of, either} {
					a, err := selects(t, d, as, query(tab.Name, f))
					if err != nil {
						t.Errorf("%s: %v", tab.Name, err)
						continue
					}
					for _, r := range a.Rows {
						if strings.Contains(string(r), theirs.String()) {
							t.Errorf("%s shows %s", tab.Name, r)
						}
					}
					if a.Total != int64(len(a.Rows)) {
						t.Errorf("%s counts %d of %d rows", tab.Name, a.Total, len(a.Rows))
					}
				}
				if a, err := remove(d, as, query(tab.Name, of)); err == nil && a.Affected > 0 {
					t.Errorf("%s: %d rows of theirs deleted", tab.Name, a.Affected)
				} else if err != nil {
					wants(t, err, as, "403 42501 permission denied for table "+tab.Name)
				}
				if row := rowOf(tab.Name, uuid.NewString()); row != "" {
					_, err := insert(t, d, as, write(t, tab.Name, theirs, row))
					wants(t, err, as, `403 42501 new row violates row-level security policy for table "`+tab.Name+`"`)
				}
			}
			for _, rel := range tab.Relations {
				q := query(tab.Name)
				q.Select = []postgrest.Item{embed(tab.Name, rel.Name, query(rel.Name))}
				for _, r := range mustSelect(t, d, me, q).Rows {
					if strings.Contains(string(r), theirs.String()) || strings.Contains(string(r), victim.User.String()) {
						t.Errorf("%s with %s shows %s", tab.Name, rel.Name, r)
					}
				}
			}
		}
	})
}

// TestAttacks are those that worked on a schema that only looked right.
func TestAttacks(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ours, theirs := dbtest.Team(t, d, "ours"), dbtest.Team(t, d, "theirs")
		me, victim := dbtest.Member(t, d, ours, "owner"), dbtest.Member(t, d, theirs, "owner")
		const their = "40000000-0000-4000-8000-000000000001"
		mustInsert(t, d, victim, write(t, "eval_runs", theirs, rowOf("eval_runs", their)))
		// Whether a run is there and another's, or not at all, looks the same.
		for _, run := range []string{their, uuid.NewString()} {
			for _, name := range []string{"eval_costs", "eval_results", "eval_payloads", "eval_labels"} {
				_, err := insert(t, d, me, write(t, name, ours, rowOf(name, run)))
				wants(t, err, me, fmt.Sprintf(`409 23503 insert or update on table "%s" violates foreign key constraint "%s_team_id_run_id_fkey"`, name, name))
				if e := Explain(err, me); e.Details == nil || *e.Details != `Key is not present in table "eval_runs".` {
					t.Errorf("details of %s: %v", name, e.Details)
				}
			}
		}
		// The same id and key in another team are no conflict, so nothing can be merged into it.
		w := write(t, "eval_runs", ours, rowOf("eval_runs", their))
		w.Resolution = ignore
		if a := mustInsert(t, d, me, w); a.Affected != 1 {
			t.Errorf("a run of another team is in the way of ours")
		}
		mustInsert(t, d, victim, write(t, "qa_reports", theirs, rowOf("qa_reports", their)))
		m := write(t, "qa_reports", ours, rowOf("qa_reports", their))
		m.Resolution, m.OnConflict = merge, []string{"team_id", "ingest_key"}
		if a := mustInsert(t, d, me, m); a.Affected != 1 {
			t.Errorf("merged: %+v", a)
		}
		if n := mustSelect(t, d, victim, query("qa_reports", on("qa_reports", "user_id", postgrest.Eq, victim.User.String()))).Total; n != 1 {
			t.Errorf("their report is not theirs any more")
		}
		// A row comes when it comes.
		a := mustInsert(t, d, me, write(t, "sync_heartbeats", ours, `{"team_id":"%T","created_at":"2001-01-01"}`))
		if at, err := time.Parse(time.RFC3339Nano, readRow(a.Rows[0])["created_at"].(string)); err != nil || time.Since(at) > time.Minute {
			t.Errorf("created at %v (%v)", at, err)
		}
		_, err := update(d, me, write(t, "qa_reports", ours, `{"created_at":"2999-01-01"}`))
		if err != nil {
			t.Fatal(err)
		}
		if n := mustSelect(t, d, me, query("qa_reports", on("qa_reports", "created_at", postgrest.Gt, time.Now().Add(time.Hour).Format(time.RFC3339)))).Total; n != 0 {
			t.Errorf("%d reports from the future: pulls of the team wait for it", n)
		}
		// A team is not joined by writing so.
		_, err = insert(t, d, me, write(t, "team_members", theirs, `{"team_id":"%T","user_id":"`+me.User.String()+`","role":"owner"}`))
		wants(t, err, me, "403 42501 permission denied for table team_members")
		_, err = update(d, me, write(t, "team_members", theirs, `{"role":"owner","team_id":"%T"}`))
		wants(t, err, me, "403 42501 permission denied for table team_members")
		// One's membership ends at once, whatever the token says.
		dbtest.Exec(t, d, `insert into team_members (team_id, user_id, role) values (?, ?, 'owner')`, ours, victim.User)
		dbtest.Exec(t, d, `delete from team_members where user_id = ? and team_id = ?`, me.User, ours)
		if n := mustSelect(t, d, me, query("eval_runs")).Total; n != 0 {
			t.Errorf("somebody who left sees %d runs", n)
		}
	})
}

// TestRowLevelSecurityStandsBehind: PostgreSQL separates teams even for a
// statement that forgets to.
func TestRowLevelSecurityStandsBehind(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if d.Dialect() != db.PostgreSQL {
			return
		}
		ours, theirs := dbtest.Team(t, d, "ours"), dbtest.Team(t, d, "theirs")
		me, victim := dbtest.Member(t, d, ours, "owner"), dbtest.Member(t, d, theirs, "owner")
		for _, tab := range table.All() {
			if row := rowOf(tab.Name, "40000000-0000-4000-8000-000000000001"); row != "" {
				mustInsert(t, d, victim, write(t, tab.Name, theirs, row))
			}
		}
		err := d.Update(ctx, victim, func(tx *db.Tx) error { // nor is it theirs to say when a row came
			var late int
			return tx.QueryRow(ctx, `with changed as (update qa_reports set created_at = '2999-01-01' returning created_at)
				select 1 / count(*) from changed where created_at < now() + interval '1 hour'`).Scan(&late)
		})
		if err != nil {
			t.Errorf("created_at: %v", err)
		}
		for _, tab := range table.All() {
			err := d.View(ctx, me, func(tx *db.Tx) error {
				var n int
				if err := tx.QueryRow(ctx, "select count(*) from "+tab.Name+" where "+tab.Team+" = ?", theirs).Scan(&n); err != nil {
					return err
				}
				if n != 0 {
					t.Errorf("%s: %d rows", tab.Name, n)
				}
				return nil
			})
			if err != nil {
				t.Errorf("%s: %v", tab.Name, err)
			}
			err = d.View(ctx, db.Identity{Role: db.Anon}, func(tx *db.Tx) error {
				_, err := tx.Exec(ctx, "select 1 from "+tab.Name)
				return err
			})
			wants(t, err, db.Identity{Role: db.Anon}, "401 42501 permission denied for table "+tab.Name)
		}
	})
}

func TestOrderAndLimit(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		me := dbtest.Member(t, d, team, "member")
		for i, v := range []string{"3", "null", "1", "20"} {
			mustInsert(t, d, me, write(t, "qa_reports", team, fmt.Sprintf(`{"team_id":"%%T","ingest_key":"%d","repo_slug":"a","url":"%d","health_score":%s,"issues":{"n":%s}}`, i, i, v, v)))
		}
		q := query("qa_reports")
		q.Select = show("qa_reports", "url")
		for _, test := range []struct {
			path       string
			desc, null bool
			want       string
		}{
			{"health_score", false, false, "2 0 3 1"}, {"health_score", true, true, "1 3 0 2"}, {"health_score", true, false, "3 0 2 1"},
			{"repo_slug", true, false, "0 1 2 3"},
		} {
			q.Order = []postgrest.Order{{Column: column("qa_reports", test.path), Desc: test.desc, NullsFirst: test.null}, {Column: column("qa_reports", "url")}}
			q.Limit, q.Offset = -1, 0
			var got []string
			for _, r := range mustSelect(t, d, me, q).Rows {
				got = append(got, readRow(r)["url"].(string))
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("by %s: %v, want %s", test.path, got, test.want)
			}
			q.Limit, q.Offset = 2, 1
			a := mustSelect(t, d, me, q)
			if len(a.Rows) != 2 || a.Total != 4 || readRow(a.Rows[0])["url"] != got[1] {
				t.Errorf("by %s, two after one: %s of %d", test.path, a.Rows, a.Total)
			}
		}
		q.Limit, q.Offset = -1, 3
		if a := mustSelect(t, d, me, q); len(a.Rows) != 1 {
			t.Errorf("after three: %s", a.Rows)
		}
	})
}

func TestMostRows(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		me := dbtest.Member(t, d, team, "member")
		dbtest.Exec(t, d, `insert into eval_cases (team_id, id, repo_slug, name) with recursive n(i) as (select 1 union all select i + 1 from n where i < 10050) select t.id, n.i, 'a', 'b' from n, teams t`)
		for limit, want := range map[int]int{-1: MostRows, 20_000: MostRows, 10: 10} {
			q := query("eval_cases")
			q.Limit = limit
			if a := mustSelect(t, d, me, q); len(a.Rows) != want || a.Total != 10050 {
				t.Errorf("limit %d: %d rows of %d", limit, len(a.Rows), a.Total)
			}
		}
		if a := mustSelect(t, d, db.Identity{Role: db.Service}, query("eval_cases")); len(a.Rows) != 10050 {
			t.Errorf("a service key gets %d rows", len(a.Rows))
		}
	})
}

func TestInsideStaysInside(t *testing.T) {
	t.Parallel()
	as := db.Identity{Role: db.Authenticated}
	wants(t, errors.New("/var/lib/secret: no such file"), as, "500 XX000 internal error")
	wants(t, fmt.Errorf("dial 10.0.0.7: %w", driver.ErrBadConn), as, "503 PGRST001 Database connection error. Retrying the connection.")
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		err := d.View(ctx, db.ServerItself, func(tx *db.Tx) error {
			_, err := tx.Exec(ctx, `select no_such_column from auth.users`)
			return err
		})
		if err == nil {
			t.Fatal("no error")
		}
		wants(t, err, as, "500 XX000 internal error")
	})
}
