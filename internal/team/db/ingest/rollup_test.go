package ingest_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/wire"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
)

// Whatever is pushed, deleted or written by SQL, the daily sums are those of the rows.
func TestRollups(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for seed := range uint64(4) {
			random := rand.New(rand.NewPCG(seed, 7))
			var teams []uuid.UUID
			var people []db.Identity
			for i := range 3 {
				teams = append(teams, dbtest.Team(t, d, fmt.Sprintf("t%d-%d", seed, i)))
				people = append(people, dbtest.Member(t, d, teams[i], "owner"))
			}
			type at struct{ team, run uuid.UUID }
			var runs []at
			for step := range 60 {
				i := random.IntN(len(teams))
				switch n := random.IntN(20); {
				case n < 11 || len(runs) == 0:
					p := aRun(teams[i], fmt.Sprintf("%d%03d", seed+1, random.IntN(60)), dbtest.Day(random.IntN(80)).Add(time.Duration(random.IntN(720))*time.Minute))
					p.Run.Suite = fmt.Sprint("s", random.IntN(3))
					p.Run.Costs = append(p.Run.Costs, wire.EvalCost{Model: "free"})
					if got, err := push(d, people[i], p); err != nil {
						t.Fatal(err)
					} else if !got.Duplicate {
						runs = append(runs, at{teams[i], got.ID})
					}
				case n < 15:
					one := runs[random.IntN(len(runs))]
					dbtest.Exec(t, d, `delete from eval_runs where team_id = ? and id = ?`, one.team, one.run)
				case n < 17:
					one := runs[random.IntN(len(runs))]
					dbtest.Exec(t, d, `insert into eval_costs (team_id, run_id, model, run_at, calls, input_tokens, estimated_cost_usd)
						select team_id, id, ?, run_at, 3, 4000000000, 2 from eval_runs where team_id = ? and id = ?`, fmt.Sprint("by hand ", step), one.team, one.run)
				case n == 17:
					dbtest.Exec(t, d, `update eval_costs set calls = calls + 1, model = model || '2' where team_id = ? and model like 'by hand%'`, teams[i])
				case n == 18 && step > 40:
					dbtest.Exec(t, d, `delete from teams where id = ?`, teams[i])
					teams[i] = dbtest.Team(t, d, fmt.Sprintf("t%d-%d-again", seed, step))
					people[i] = dbtest.Member(t, d, teams[i], "owner")
				default:
					if _, err := d.DropMonthsBefore(t.Context(), dbtest.Day(random.IntN(80))); err != nil {
						t.Fatal(err)
					}
				}
				found, err := d.CheckRollups(t.Context())
				if err != nil || len(found) > 0 {
					t.Fatalf("seed %d, step %d: %v, %v", seed, step, found, err)
				}
			}
		}
		if n := dbtest.Count(t, d, `select count(*) from daily_costs`); n == 0 {
			t.Error("there are no sums that could be wrong")
		}
		dbtest.Exec(t, d, `update daily_costs set calls = calls + 1 where model = 'm1'`)
		dbtest.Exec(t, d, `delete from daily_evals`)
		if found, err := d.CheckRollups(t.Context()); err != nil || len(found) < 2 || found[0].Table != "daily_evals" {
			t.Errorf("sums made wrong on purpose: %v, %v", found, err)
		}
		if err := d.RebuildRollups(t.Context()); err != nil {
			t.Fatal(err)
		}
		if found, err := d.CheckRollups(t.Context()); err != nil || len(found) > 0 {
			t.Errorf("made anew: %v, %v", found, err)
		}
	})
}
