package seed_test

import (
	"os"
	"testing"
	"time"

	"cairn/internal/team/db"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
	"cairn/test/seed"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

// Both databases hold the same world, and its daily sums are right.
func TestFill(t *testing.T) {
	cairntest.Long(t)
	sizes := map[string]int{}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, err := seed.Fill(t.Context(), d, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if len(w.Teams) != 5 {
			t.Errorf("%d teams", len(w.Teams))
		}
		for table, least := range map[string]int{"eval_results": 25_000, "eval_runs": 1000, "ship_logs": 1500, "retro_snapshots": 500, "qa_reports": 200, "greptile_triage": 500,
			"usage_days": 1000, "spend_days": 1000, "plan_snapshots": 100, "alerts": 14, "deliveries": 8, "session_transcripts": 10} {
			n := dbtest.Count(t, d, `select count(*) from `+table)
			if n < least {
				t.Errorf("%s has %d rows, not %d", table, n, least)
			}
			if have, ok := sizes[table]; ok && have != n {
				t.Errorf("%s has %d rows in one database and %d in the other", table, have, n)
			}
			sizes[table] = n
		}
		if wrong, err := d.CheckRollups(t.Context()); err != nil || len(wrong) > 0 {
			t.Errorf("daily sums: %v %v", wrong, err)
		}
	})
}
