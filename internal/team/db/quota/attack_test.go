package quota_test

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/db/quota"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
)

// Fifty pushes at once at the limit: as many are taken as there is room for, not
// one more and not one fewer.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d, "one")
		push := func(key string, cases int) error {
			_, err := ingest.Store(ctx, d, w.as, aRun(w.team, key, dbtest.Day(1), cases, 0))
			return err
		}
		if err := push("names", 10); err != nil { // so that every push is a run, a cost and ten results
			t.Fatal(err)
		}
		const room = 13
		full := used(t, d, w.team, quota.Rows) + room*12
		limit(t, d, w.team, quota.Rows, full)
		var mu sync.Mutex
		var taken, refused int
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() {
				err := push(fmt.Sprintf("push%02d", i), 10)
				mu.Lock()
				defer mu.Unlock()
				switch e := rows.Explain(err, w.as); {
				case err == nil:
					taken++
				case e.Quota == "rows":
					refused++
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if taken != room || refused != 50-room || used(t, d, w.team, quota.Rows) != full {
			t.Errorf("%d taken, %d refused, %d rows of %d", taken, refused, used(t, d, w.team, quota.Rows), full)
		}
		exact(t, d, w.team, "at once")
	})
}

// Rows of before the counters are counted, while others push.
func TestRowsOfBefore(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, other := newWorld(t, d, "one"), newWorld(t, d, "other")
		for way, store := range w.ways(t) {
			if err := store(); err != nil {
				t.Fatalf("%s: %v", way, err)
			}
		}
		dbtest.Exec(t, d, `delete from cairn.team_usage where team_id = ?`, w.team) // as a database of before
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				if _, err := ingest.Store(ctx, d, w.as, aRun(w.team, fmt.Sprintf("push%02d", i), dbtest.Day(i%3*40), 3, 50)); err != nil {
					t.Error(err)
				}
			})
		}
		n, err := quota.CountTeams(ctx, d)
		if wg.Wait(); err != nil || n != 2 {
			t.Fatalf("%d teams counted: %v", n, err)
		}
		exact(t, d, w.team, "counted beside pushes")
		exact(t, d, other.team, "the other team")
		if n, err := quota.CountTeams(ctx, d); err != nil || n != 0 {
			t.Errorf("%d teams are counted again: %v", n, err)
		}
	})
}

// The server's own work is done over the limit, too.
func TestServerIsNotRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d, "one")
		limit(t, d, w.team, quota.Rows, 1)
		limit(t, d, w.team, quota.Bytes, 1)
		dbtest.Exec(t, d, `update eval_runs set hostname = 'a longer name than before' where team_id = ?`, w.team)
		dbtest.Exec(t, d, `delete from auth.users where id = ?`, dbtest.Member(t, d, w.team, "member").User)
		if err := d.View(ctx, w.as, func(tx *db.Tx) error {
			var n int
			return tx.QueryRow(ctx, `select count(*) from eval_runs where team_id = ?`, w.team).Scan(&n)
		}); err != nil {
			t.Errorf("a read over the limit: %v", err)
		}
		if _, err := ingest.Store(ctx, d, w.as, w.run); err != nil { // it is there: nothing grows
			t.Errorf("a run that is there, over the limit: %v", err)
		}
	})
}

// Nobody owns more than 20 teams by having others make them: a quota for each would be none.
func TestManyTeams(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d, "one")
		other := dbtest.Member(t, d, w.team, "member")
		for i := range 20 {
			dbtest.Exec(t, d, `insert into team_members (team_id, user_id, role) values (?, ?, 'owner')`, dbtest.Team(t, d, fmt.Sprint("t", i)), other.User)
		}
		write, bad := postgrest.ParseUpdate(table.Find("team_members"), "user_id=eq."+other.User.String(), []byte(`{"role":"owner"}`), postgrest.Preferences{})
		if bad != nil {
			t.Fatal(bad)
		}
		promote := func() error {
			return d.Update(ctx, w.as, func(tx *db.Tx) error { return rows.Update(ctx, tx, w.as, write, false, &rows.Answer{}) })
		}
		if e := rows.Explain(promote(), w.as); e == nil || e.Status != 403 || e.Message != "one user can own at most 20 teams" {
			t.Errorf("a 21st team: %v", e)
		}
		dbtest.Exec(t, d, `delete from teams where slug = 't1'`)
		if err := promote(); err != nil {
			t.Errorf("the 20th: %v", err)
		}
	})
}

// Parts whose run does not come take room, too, and do not stay when they are refused.
func TestParts(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d, "one")
		limit(t, d, w.team, quota.Bytes, used(t, d, w.team, quota.Bytes)+250_000)
		var stored int
		for n := range 10 {
			body := fmt.Sprintf(`{"results":[{"case_id":1,"status":0,"payload":{"a":"%s"}}]}`, noise(50_000))
			err := ingest.StorePart(ctx, d, w.as, ingest.Part{Team: w.team, Key: "a key of a run of parts", Number: n, Body: []byte(body)})
			if err == nil {
				stored++
			} else if e := rows.Explain(err, w.as); e.Quota != "bytes" || e.Status != 507 {
				t.Fatal(err)
			}
		}
		if n := dbtest.Count(t, d, `select count(*) from cairn.eval_parts where team_id = ?`, w.team); n != stored || stored < 3 || stored > 5 {
			t.Errorf("%d parts of 50 KB are taken where 250 KB are free, and %d are there", stored, n)
		}
	})
}

// noise cannot be compressed.
func noise(n int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(rand.Text())
	}
	return b.String()[:n]
}

// Channels and invitations have a number each, also at once.
func TestNumbers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d, "one")
		limit(t, d, w.team, quota.Channels, 3)
		limit(t, d, w.team, quota.Invitations, 3)
		var mu sync.Mutex
		got := map[string]int{}
		var wg sync.WaitGroup
		for i := range 20 {
			for kind, act := range map[string]func() error{
				"channels": func() error {
					return d.Update(ctx, w.as, func(tx *db.Tx) error {
						_, err := tx.Exec(ctx, `insert into team_channels (team_id, user_id, kind, name, target) values (?, ?, 'slack', ?, 'https://hooks.example.com/x')`, w.team, w.as.User, fmt.Sprint(i))
						return err
					})
				},
				"invitations": func() error { return w.invite(fmt.Sprintf("p%d@example.com", i)) },
			} {
				wg.Go(func() {
					err := act()
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						got[kind]++
					} else if e := rows.Explain(err, w.as); e.Status != 422 || e.Quota != kind {
						t.Errorf("%s: %v", kind, err)
					}
				})
			}
		}
		wg.Wait()
		if got["channels"] != 3 || got["invitations"] != 3 {
			t.Errorf("taken: %v", got)
		}
		if used(t, d, w.team, quota.Invitations) != 3 {
			t.Error("invitations")
		}
		// One that has run out, was accepted or is withdrawn takes no room.
		dbtest.Exec(t, d, `update team_invites set expires_at = ? where team_id = ?`, time.Now().Add(-time.Hour), w.team)
		if err := w.invite("new@example.com"); err != nil {
			t.Error(err)
		}
	})
}

// A change of a limit is in the audit log, with the numbers and nothing else.
func TestAudited(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "one")
		limit(t, d, team, quota.Rows, 5)
		if err := d.Update(ctx, db.ServerItself, func(tx *db.Tx) error { return quota.Reset(ctx, tx, team) }); err != nil {
			t.Fatal(err)
		}
		for detail, want := range map[string]int{"rows=5": 1, "": 1} {
			if n := dbtest.Count(t, d, `select count(*) from audit_log where team_id = ? and action = 'quota.changed' and detail = ?`, team, detail); n != want {
				t.Errorf("%d entries with %q, want %d", n, detail, want)
			}
		}
	})
}

// A transaction that does not end, as when the server is killed, leaves the
// counters as the rows were, and so does a large run that is refused half way.
func TestKilled(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d, "one")
		before := exact(t, d, w.team, "before")
		killed := errors.New("killed")
		err := d.Update(ctx, w.as, func(tx *db.Tx) error {
			if _, err := ingest.Push(ctx, tx, w.as, aRun(w.team, "whole", dbtest.Day(1), 20, 100)); err != nil {
				return err
			}
			return killed
		})
		if !errors.Is(err, killed) {
			t.Fatal(err)
		}
		large := aRun(w.team, "half", dbtest.Day(1), 9_000, 100)
		large.Run.Costs = append(large.Run.Costs, wire.EvalCost{Model: "m2", Calls: 1})
		limit(t, d, w.team, quota.Rows, used(t, d, w.team, quota.Rows)+17_000) // cases and results fit until the end
		if _, err := ingest.Store(ctx, d, w.as, large); err == nil {
			t.Fatal("a run of more rows than there is room for was taken")
		}
		if after := exact(t, d, w.team, "after"); after != before {
			t.Errorf("%s, before %s", after, before)
		}
	})
}

// Results may be of another month than their run. What goes with a deleted run
// is taken off the month that it was counted in: a negative month would be room
// for more once the other is dropped.
func TestMonthsOfResults(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d, "one")
		for _, at := range [...]string{"2025-01-01", "2025-02-01"} {
			for name, rest := range map[string]string{"eval_results": `"status":0`, "eval_payloads": `"payload":{"a":"$long"}`} {
				if err := w.insert(name, "", `{"run_id":"$run","run_at":"`+at+`","case_id":$n,`+rest+`}`); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.delete("eval_runs", "team_id=eq."+w.team.String()); err != nil {
			t.Fatal(err)
		}
		exact(t, d, w.team, "the run was deleted")
		if _, err := d.DropMonthsBefore(ctx, time.Date(2025, 2, 1, 0, 0, 0, 0, time.UTC)); err != nil {
			t.Fatal(err)
		}
		exact(t, d, w.team, "a month was dropped")
	})
}

// Parts that come at once fit together, too.
func TestPartsAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d, "one")
		limit(t, d, w.team, quota.Bytes, used(t, d, w.team, quota.Bytes)+125_000)
		body := fmt.Sprintf(`{"results":[{"case_id":1,"status":0,"payload":{"a":"%s"}}]}`, noise(50_000))
		var wg sync.WaitGroup
		for n := range 20 {
			wg.Go(func() {
				err := ingest.StorePart(ctx, d, w.as, ingest.Part{Team: w.team, Key: "a key of a run of parts", Number: n, Body: []byte(body)})
				if e := rows.Explain(err, w.as); err != nil && e.Quota != "bytes" {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if n := dbtest.Count(t, d, `select count(*) from cairn.eval_parts where team_id = ?`, w.team); n != 2 {
			t.Errorf("%d parts of 50 KB where 125 KB are free", n)
		}
	})
}

// Parts of next to no bytes are not without end: each one that comes looks at the others.
func TestTinyParts(t *testing.T) {
	t.Parallel()
	dbtest.EachURL(t, func(t *testing.T, url string) {
		d := dbtest.Open(t, url)
		w := newWorld(t, d, "one")
		const most = 5_000
		if d.Dialect() == db.SQLite {
			dbtest.Exec(t, d, `with recursive n (i) as (select 2 union all select i + 1 from n where i < ?)
				insert into cairn.eval_parts (team_id, user_id, ingest_key, part, body) select ?, ?, 'a key of parts no. ' || i, 0, '{}' from n`, most, w.team, w.as.User)
		} else {
			owner, err := sql.Open("pgx", url)
			if err != nil {
				t.Fatal(err)
			}
			defer owner.Close()
			if _, err := owner.Exec(`set session_replication_role = replica; insert into cairn.eval_parts (team_id, user_id, ingest_key, part, body)
				select '` + w.team.String() + `', '` + w.as.User.String() + `', 'a key of parts no. ' || i, 0, '{}' from generate_series(2, 5000) i`); err != nil {
				t.Fatal(err)
			}
		}
		store := func(key string) error {
			return ingest.StorePart(ctx, d, w.as, ingest.Part{Team: w.team, Key: key, Body: []byte(`{}`)})
		}
		if err := store("a key of the last part"); err != nil {
			t.Fatal(err)
		}
		if e := rows.Explain(store("a key of one part more"), w.as); e == nil || e.Status != 503 || e.Code != "53400" || !strings.Contains(e.Message, "5,000 parts") {
			t.Errorf("one part more: %+v", e)
		}
		if err := store("a key of the last part"); err != nil {
			t.Errorf("a part that is sent again: %v", err)
		}
	})
}

// What else opens the file, as Litestream or sqlite3, may have an older SQLite: its
// raise() takes a text, not an expression, and it reads the whole schema.
func TestSchemaOfOlderSQLite(t *testing.T) {
	d := dbtest.Open(t, dbtest.SQLite(t))
	if n := dbtest.Count(t, d, `select count(*) from sqlite_master where type = 'trigger' and sql like '%raise(abort, ''%'' ||%'`); n != 0 {
		t.Errorf("%d triggers have a raise() that SQLite before 3.47 does not know", n)
	}
}
