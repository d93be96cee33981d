package quota_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"cairn/internal/team/db"
	"cairn/internal/team/db/dbtest"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/db/pgtest"
)

// BenchmarkPush is what counting costs a push of 100 cases, of which half have a
// payload: on PostgreSQL with its triggers and without.
func BenchmarkPush(b *testing.B) {
	urls := map[string]string{"sqlite": filepath.Join(b.TempDir(), "cairn.db")}
	if url := pgtest.URL(b); url != "" {
		urls["postgres"] = url
	}
	for name, url := range urls {
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
		b.Run(name, push)
		if d.Dialect() == db.PostgreSQL {
			dbtest.Exec(b, d, `select 1`)
		}
	}
}
