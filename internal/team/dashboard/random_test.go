package dashboard_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/dashboard"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/wire"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
)

// Whatever is pushed late, deleted, dropped or renamed: a server that keeps pages
// and figures shows what one shows that has just begun.
func TestKeptIsWhatIsMade(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := time.Now().UTC().Truncate(time.Second) // of the database, too: what is settled goes by both
		random := rand.New(rand.NewPCG(8, 1))
		var teams []uuid.UUID
		var people []db.Identity
		found := func(i int) {
			team := dbtest.Team(t, d, fmt.Sprint("team-", i))
			teams[i], people[i] = team, dbtest.Member(t, d, team, "owner")
			dbtest.Member(t, d, team, "member")
		}
		for i := range 2 {
			teams, people = append(teams, uuid.Nil), append(people, db.Identity{})
			found(i)
		}
		at := func() time.Time { // of a year, the newest weeks most often
			return now.Add(-time.Duration(math.Pow(random.Float64(), 5) * 365 * 24 * float64(time.Hour))).Truncate(time.Second)
		}
		site := func() http.Handler {
			return dashboard.New(dashboard.Config{DB: d, Now: func() time.Time { return now }, Viewer: func(r *http.Request) (v dashboard.Viewer, err error) {
				v.As = people[r.Header.Get("Team")[0]-'0']
				err = d.View(r.Context(), v.As, func(tx *db.Tx) error {
					list, err := figures.TeamsOf(r.Context(), tx, v.As.User)
					for _, m := range list {
						v.Teams = append(v.Teams, dashboard.TeamOf(m))
					}
					return err
				})
				return v, err
			}})
		}
		get := func(h http.Handler, i int, path string) string {
			w := httptest.NewRecorder()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
			r.Header.Set("Team", fmt.Sprint(i))
			h.ServeHTTP(w, r)
			if w.Code != http.StatusOK && (w.Code != http.StatusNotFound || !strings.Contains(path, "/case.json")) {
				t.Fatalf("%s: %d", path, w.Code)
			}
			return w.Body.String()
		}
		push := func(i int) {
			run := wire.EvalRun{RunAt: at(), IngestKey: "random-" + uuid.NewString(), RepoSlug: fmt.Sprint("acme/", random.IntN(2)), Branch: [...]string{"main", "topic"}[random.IntN(2)],
				Label: "main", Suite: fmt.Sprint("suite-", random.IntN(2)), TotalCostUSD: float64(random.IntN(100)) / 100, Costs: []wire.EvalCost{{Model: "m", Calls: 3, EstimatedCostUSD: .5}}}
			run.ID = wire.RunID(teams[i], run.IngestKey)
			for n := range 12 {
				c := wire.EvalCase{Suite: run.Suite, Name: fmt.Sprint("case ", n)}
				c.ID = wire.CaseID(run.RepoSlug, run.Suite, c.Name, "")
				one := wire.EvalResult{CaseID: c.ID, Status: random.IntN(2)}
				run.Cases, run.Results, run.TotalTests = append(run.Cases, c), append(run.Results, one), run.TotalTests+1
				if one.Status == 0 {
					run.Passed++
				} else {
					run.Failed++
				}
			}
			err := d.Update(t.Context(), people[i], func(tx *db.Tx) error {
				_, err := ingest.Push(t.Context(), tx, people[i], wire.EvalPush{Team: teams[i], Run: run})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		old := site()
		paths := []string{"pulse.json", "quality.json?weeks=52", "velocity.json", "cost.json?branch=main&weeks=26", "people.json", "alerts.json", "freshness.json", "plans.json", "code.json", "suite.json?suite=suite-1&weeks=52", "suite.json?suite=suite-0&weeks=26&branch=main", "rows/runs.json?weeks=52", fmt.Sprint("case.json?id=", wire.CaseID("acme/1", "suite-1", "case 3", "")), "velocity.json?from=2026-03-04&to=2026-08-01"}
		for step := range 60 {
			i := random.IntN(len(teams))
			switch n := random.IntN(17); n {
			case 0, 1, 2, 3, 4:
				push(i)
			case 5:
				dbtest.Exec(t, d, `delete from eval_runs where team_id = ? and id in (select id from eval_runs where team_id = ? order by id limit 2)`, teams[i], teams[i])
			case 6:
				dbtest.Exec(t, d, `insert into ship_logs (team_id, id, ingest_key, user_id, occurred_at, repo_slug, title) values (?, ?, ?, ?, ?, 'acme/1', ?)`, teams[i], uuid.New(), uuid.NewString(), people[i].User, at(), fmt.Sprint("ship ", step))
			case 7:
				dbtest.Exec(t, d, `update eval_costs set calls = calls + 1, estimated_cost_usd = estimated_cost_usd + 1 where team_id = ?`, teams[i])
			case 8:
				dbtest.Exec(t, d, `insert into alerts (team_id, id, repo_slug, suite, branch, kind, state, p, expected, observed, cases, opened_at) values (?, ?, 'acme/1', ?, 'main', 'eval', 'firing', 0.001, 0.9, 0.5, 50, ?)`, teams[i], uuid.New(), fmt.Sprint("s", step), at())
			case 9:
				dbtest.Member(t, d, teams[i], "member")
			case 10:
				dbtest.Exec(t, d, `update auth.users set email = ? where id = ?`, fmt.Sprintf("name-%d@example.com", step), people[i].User)
			case 11:
				dbtest.Exec(t, d, `insert into plan_snapshots (team_id, id, ingest_key, occurred_at, repo_slug, phases, phases_done) values (?, ?, ?, ?, 'acme/0', 9, ?)`, teams[i], uuid.New(), uuid.NewString(), at(), random.IntN(9))
			case 12:
				if _, err := d.DropMonthsBefore(t.Context(), at().AddDate(0, -6, 0)); err != nil {
					t.Fatal(err)
				}
			case 13:
				dbtest.Exec(t, d, `update eval_cases set category = ? where team_id = ?`, fmt.Sprint("c", step), teams[i])
			case 14:
				if d.Dialect() == db.PostgreSQL { // where results of a run may come later
					dbtest.Exec(t, d, `insert into eval_results (team_id, run_id, run_at, case_id, repeat_no, status) select team_id, id, run_at, ?, ?, 1 from eval_runs where team_id = ?`, wire.CaseID("acme/1", "suite-1", "case 3", ""), 1+step, teams[i])
				}
			case 15:
				dbtest.Exec(t, d, `insert into usage_days (team_id, id, ingest_key, user_id, occurred_at, repo_slug, date, turns, tokens_before, tools) values (?, ?, ?, ?, ?, 'acme/0', ?, 3, 9, '{"Bash": 2}')`, teams[i], uuid.New(), uuid.NewString(), people[i].User, now, at().Format(time.DateOnly))
			case 16:
				dbtest.Exec(t, d, `delete from teams where id = ?`, teams[i])
				found(i)
			}
			fresh := site()
			for range 6 {
				i, path := random.IntN(len(teams)), paths[random.IntN(len(paths))]
				path = fmt.Sprintf("/t/team-%d/%s", i, path)
				if kept, made := get(old, i, path), get(fresh, i, path); kept != made {
					t.Fatalf("step %d: %s is kept as\n%s\nand made as\n%s", step, path, kept, made)
				}
			}
			// Daily sums say what counting the runs says: so do pages of a branch, which count.
			all := figures.Range{Team: teams[i], From: now.AddDate(-1, 0, 0).Truncate(24 * time.Hour), To: now.AddDate(0, 0, 1).Truncate(24 * time.Hour)}
			err := d.View(t.Context(), people[i], func(tx *db.Tx) error {
				summed, err := figures.Suites(t.Context(), tx, all)
				if err != nil {
					return err
				}
				counted := map[string]int{}
				for _, branch := range [...]string{"main", "topic"} {
					r := all
					r.Branch = branch
					some, err := figures.Suites(t.Context(), tx, r)
					if err != nil {
						return err
					}
					for _, s := range some {
						counted[s.Repo+s.Suite] += s.Runs*1_000_000 + s.Passed*1000 + s.Failed
					}
				}
				for _, s := range summed {
					if is := s.Runs*1_000_000 + s.Passed*1000 + s.Failed; is != counted[s.Repo+s.Suite] {
						t.Errorf("step %d: %s %s sums to %d, counted %d", step, s.Repo, s.Suite, is, counted[s.Repo+s.Suite])
					}
				}
				if len(summed) != len(counted) {
					t.Errorf("step %d: %d suites are summed, %d counted", step, len(summed), len(counted))
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}
