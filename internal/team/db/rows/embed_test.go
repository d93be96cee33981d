package rows

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/dbtest"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

func embed(parent, name string, inner bool, q *postgrest.Query) postgrest.Item {
	t := table.Find(parent)
	for i := range t.Relations {
		if t.Relations[i].Name == name {
			return postgrest.Item{Embed: &postgrest.Embed{Relation: &t.Relations[i], Inner: inner, Query: *q}}
		}
	}
	panic(parent + " has no " + name)
}

func TestEmbeds(t *testing.T) {
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
				`{"team_id":"%T","run_id":"20000000-0000-4000-8000-000000000001","model":"m2","run_at":"2026-11-20","calls":2}`,
				`{"team_id":"%T","run_id":"20000000-0000-4000-8000-000000000001","model":"m3","run_at":"2026-11-20","calls":3}`))
		}
		costs := query("eval_costs")
		costs.Select = show("eval_costs", "model")
		costs.Order = []postgrest.Order{{Path: column("eval_costs", "calls"), Desc: true}}
		q := query("eval_runs")
		q.Order = []postgrest.Order{{Path: column("eval_runs", "label")}}
		q.Select = append(show("eval_runs", "label"), embed("eval_runs", "eval_costs", false, costs))
		same(t, mustSelect(t, d, me, q).Rows, `[{"label":"x","eval_costs":[{"model":"m3"},{"model":"m2"},{"model":"m1"}]},{"label":"y","eval_costs":[]}]`)
		costs.Limit, costs.Offset = 1, 1
		costs.Where = []postgrest.Filter{on("eval_costs", "calls", postgrest.Gt, "0")}
		q.Select[1] = embed("eval_runs", "eval_costs", true, costs)
		got := mustSelect(t, d, me, q)
		same(t, got.Rows, `[{"label":"x","eval_costs":[{"model":"m2"}]}]`)
		if got.Total != 1 {
			t.Errorf("total %d", got.Total)
		}
		up := query("eval_costs", on("eval_costs", "model", postgrest.Eq, "m1"))
		runs := query("eval_runs")
		teams := query("teams")
		teams.Select = show("teams", "slug")
		runs.Select = append(show("eval_runs", "label"), embed("eval_runs", "teams", false, teams))
		up.Select = append(show("eval_costs", "model"), embed("eval_costs", "eval_runs", false, runs))
		same(t, mustSelect(t, d, me, up).Rows, `[{"model":"m1","eval_runs":{"label":"x","teams":{"slug":"ours"}}}]`)
		up.Select[1].Embed.Spread = true
		up.Select[1].Embed.Query.Select = show("eval_runs", "label")
		same(t, mustSelect(t, d, me, up).Rows, `[{"model":"m1","label":"x"}]`)
		// Their members are not embedded in a team one cannot see.
		all := query("teams")
		all.Select = append(show("teams", "slug"), embed("teams", "team_members", false, query("team_members")))
		if got := mustSelect(t, d, me, all); len(got.Rows) != 1 || strings.Contains(string(got.Rows[0]), you.User.String()) {
			t.Errorf("embedded %s", got.Rows)
		}
	})
}

func TestCasts(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		me := dbtest.Member(t, d, team, "member")
		mustInsert(t, d, me, write(t, "eval_runs", team, with(run, `"total_cost_usd":1.5,"git_dirty":true,"meta":{"a":[1,{"b":"c"}],"n":2.5}`)))
		mustInsert(t, d, me, write(t, "ship_logs", team, `{"team_id":"%T","ingest_key":"k","repo_slug":"a/b","todos_completed":["a","b, c",null,"x\"y"]}`))
		q := query("eval_runs")
		for _, test := range [][2]string{
			{"passed:text", `"1"`}, {"passed:numeric", `1`}, {"total_cost_usd:text", `"1.500000"`}, {"total_cost_usd:int4", `2`}, {"git_dirty:text", `"true"`},
			{"git_dirty:int4", `1`}, {"run_at:text", `"2026-11-20 10:00:00+00"`}, {"run_at:date", `"2026-11-20"`}, {"attempt:bool", `true`}, {"id:text", `"20000000-0000-4000-8000-000000000001"`},
			{"meta:text", `"{\"a\": [1, {\"b\": \"c\"}], \"n\": 2.5}"`}, {"passed:float8", `1`}, {"meta", `{"a":[1,{"b":"c"}],"n":2.5}`}, {"meta/a/1", `{"b":"c"}`},
			{"meta/a/-1/b", `"c"`}, {"meta/zz", `null`}, {"created_at:int4", `400 42846 cannot cast type timestamp with time zone to integer`},
			{"label:int4", `400 22P02 invalid input syntax for type integer: "x"`}, {"meta:int4", `400 22023 cannot cast jsonb object to type integer`},
		} {
			q.Select = show("eval_runs", test[0])
			q.Select[0].Alias = "v"
			a, err := selects(t, d, me, q)
			if err != nil {
				wants(t, err, me, test[1])
				continue
			}
			same(t, a.Rows, `[{"v":`+test[1]+`}]`)
		}
		q = query("ship_logs")
		q.Select = append(show("ship_logs", "todos_completed", "todos_completed:text"), postgrest.Item{Alias: "first", Column: column("ship_logs", "todos_completed/0")})
		q.Select[1].Alias = "t"
		same(t, mustSelect(t, d, me, q).Rows, `[{"todos_completed":["a","b, c",null,"x\"y"],"t":"{a,\"b, c\",NULL,\"x\\\"y\"}","first":"a"}]`)
	})
}

func TestMonths(t *testing.T) {
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
		q.Select, q.Order = show("eval_results", "run_at", "score"), []postgrest.Order{{Path: column("eval_results", "run_at")}}
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
