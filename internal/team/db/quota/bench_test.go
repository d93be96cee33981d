package quota_test

import (
	"database/sql"
	"fmt"
	"testing"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/test/dbtest"
)

// BenchmarkPush is what counting costs a push of 100 cases, of which half have a
// payload: on PostgreSQL with its triggers and without.
func BenchmarkPush(b *testing.B) {
	dbtest.EachURL(b, func(b *testing.B, url string) {
		d := dbtest.Open(b, url)
		team := dbtest.Team(b, d, "one")
		as := dbtest.Member(b, d, team, "member")
		n := 0
		push := func(b *testing.B) {
			for b.Loop() {
				n++
				if _, err := ingest.Store(ctx, d, as, aRun(team, fmt.Sprint("push", n), dbtest.Day(1), 100, 200)); err != nil {
					b.Fatal(err)
				}
			}
		}
		dbtest.Exec(b, d, `update cairn.quota_defaults set max_rows = 2000000000, max_bytes = 2000000000000`)
		b.Run("counted", push)
		if d.Dialect() == db.SQLite {
			return
		}
		owner, err := sql.Open("pgx", url)
		if err != nil {
			b.Fatal(err)
		}
		defer owner.Close()
		for _, name := range []string{"eval_runs", "eval_cases", "eval_results", "eval_payloads", "eval_costs"} {
			if _, err := owner.Exec(`alter table public.` + name + ` disable trigger usage_added`); err != nil {
				b.Fatal(err)
			}
		}
		b.Run("not counted", push)
		b.Run("not counted again", push)
	})
}
