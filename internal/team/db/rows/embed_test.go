package rows

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
	"cairn/test/dbtest"
)

func embed(parent, name string, q *postgrest.Query) postgrest.Item {
	t := table.Find(parent)
	for i := range t.Relations {
		if t.Relations[i].Name == name {
			return postgrest.Item{Embed: &postgrest.Embed{Relation: &t.Relations[i], Query: *q}}
		}
	}
	panic(parent + " has no " + name)
}

func TestEmbeds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team, theirs := dbtest.Team(t, d, "ours"), dbtest.Team(t, d, "theirs")
		me := dbtest.Member(t, d, team, "member")
		you := dbtest.Member(t, d, theirs, "member")
		for _, as := range []struct {
			team uuid.UUID
			as   db.Identity
		}{{team, me}, {theirs, you}} {
			mustInsert(t, d, as.as, write(t, "eval_runs", as.team, with(run, ""),
				strings.NewReplacer("0001", "0002", "0123456789abcdef", "0123456789abcdefg", `"x"`, `"y"`).Replace(with(run, ""))))
			mustInsert(t, d, as.as, write(t, "eval_costs", as.team,
				`{"team_id":"%T","run_id":"20000000-0000-4000-8000-000000000001","model":"m1","run_at":"2026-11-20","calls":1}`,
				`{"team_id":"%T","run_id":"20000000-0000-4000-8000-000000000001","model":"m2","run_at":"2026-11-20","calls":2}`))
		}
		costs := query("eval_costs")
		costs.Select = show("eval_costs", "calls")
		q := query("eval_runs")
		q.Select = append(show("eval_runs", "label"), embed("eval_runs", "eval_costs", costs))
		for _, q.Order = range [][]postgrest.Order{{{Column: column("eval_runs", "label")}}, nil} {
			q.Where = []postgrest.Filter{on("eval_runs", "label", postgrest.Eq, "x")}
			got := mustSelect(t, d, me, q)
			if len(got.Rows) != 1 || !strings.Contains(string(got.Rows[0]), `{"calls":1}`) || strings.Count(string(got.Rows[0]), "calls") != 2 {
				t.Errorf("embedded %s", got.Rows)
			}
			q.Where[0].Values[0] = "y"
			same(t, mustSelect(t, d, me, q).Rows, `[{"label":"y","eval_costs":[]}]`)
		}
		teams := query("teams")
		teams.Select = show("teams", "slug")
		up := query("eval_runs", on("eval_runs", "label", postgrest.Eq, "x"))
		up.Select = []postgrest.Item{embed("eval_runs", "teams", teams), embed("eval_runs", "eval_results", query("eval_results"))}
		same(t, mustSelect(t, d, me, up).Rows, `[{"teams":{"slug":"ours"},"eval_results":[]}]`)
		// Their members are not embedded in a team one cannot see.
		all := query("teams")
		all.Select = append(show("teams", "slug"), embed("teams", "team_members", query("team_members")))
		if got := mustSelect(t, d, me, all); len(got.Rows) != 1 || strings.Contains(string(got.Rows[0]), you.User.String()) || !strings.Contains(string(got.Rows[0]), me.User.String()) {
			t.Errorf("embedded %s", got.Rows)
		}
	})
}

func TestMonths(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		me := dbtest.Member(t, d, team, "member")
		service := db.Identity{Role: db.Service}
		mustInsert(t, d, me, write(t, "eval_runs", team, with(run, "")))
		row := `{"team_id":"%T","run_id":"20000000-0000-4000-8000-000000000001","case_id":1,"status":0,"run_at":"2026-11-20","score":0.1}`
		mustInsert(t, d, me, write(t, "eval_results", team, row, strings.Replace(row, "2026-11", "2026-10", 1)))
		_, err := insert(t, d, me, write(t, "eval_results", team, row))
		wants(t, err, me, `409 23505 duplicate key value violates unique constraint "eval_results_pkey"`)
		q := query("eval_results")
		q.Select, q.Order = show("eval_results", "run_at", "score"), []postgrest.Order{{Column: column("eval_results", "run_at")}}
		same(t, mustSelect(t, d, me, q).Rows, `[{"run_at":"2026-10-20T00:00:00+00:00","score":0.1},{"run_at":"2026-11-20T00:00:00+00:00","score":0.1}]`)
		_, err = remove(d, me, query("eval_results"))
		wants(t, err, me, `403 42501 permission denied for table eval_results`)
		a, err := update(d, service, write(t, "eval_results", team, `{"status":2}`))
		if err != nil || a.Affected != 2 {
			t.Errorf("updated %+v, %v", a, err)
		}
		a, err = remove(d, service, query("eval_results"))
		if err != nil || a.Affected != 2 {
			t.Errorf("deleted %+v, %v", a, err)
		}
	})
}
