package rows

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/dbtest"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

func userIs(user uuid.UUID) postgrest.Filter {
	return on("team_members", "user_id", postgrest.Eq, user.String())
}

func TestRoles(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team, theirs := dbtest.Team(t, d, "ours"), dbtest.Team(t, d, "theirs")
		owner, admin, me := dbtest.Member(t, d, team, "owner"), dbtest.Member(t, d, team, "admin"), dbtest.Member(t, d, team, "member")
		other := dbtest.Member(t, d, theirs, "owner")
		role := func(r string) *postgrest.Write { return write(t, "team_members", team, `{"role":"`+r+`"}`) }
		affects := func(want int64) func(*Answer, error) {
			return func(a *Answer, err error) {
				t.Helper()
				if err != nil || a.Affected != want {
					t.Errorf("%+v, %v; want %d rows", a, err, want)
				}
			}
		}
		if n := mustSelect(t, d, me, query("team_members")).Total; n != 3 {
			t.Errorf("a member sees %d members", n)
		}
		affects(0)(update(d, me, role("admin"), userIs(me.User)))
		affects(0)(update(d, admin, role("member"), userIs(owner.User)))
		affects(0)(update(d, admin, role("member"), userIs(other.User)))
		_, err := update(d, admin, role("owner"), userIs(admin.User))
		wants(t, err, admin, `403 42501 new row violates row-level security policy for table "team_members"`)
		affects(1)(update(d, admin, role("admin"), userIs(me.User)))
		_, err = update(d, owner, write(t, "team_members", theirs, `{"team_id":"%T"}`), userIs(me.User))
		wants(t, err, owner, `403 42501 permission denied for table team_members`)
		_, err = update(d, owner, role("king"), userIs(me.User))
		wants(t, err, owner, `400 23514 new row for relation "team_members" violates check constraint "team_members_role_check"`)
		_, err = update(d, owner, role("member"), userIs(owner.User))
		wants(t, err, owner, `400 23514 a team must keep one owner`)
		_, err = remove(d, owner, query("team_members", userIs(owner.User)))
		wants(t, err, owner, `400 23514 a team must keep one owner`)
		affects(0)(remove(d, me, query("team_members", userIs(owner.User))))
		affects(0)(remove(d, other, query("team_members", userIs(me.User))))
		affects(1)(remove(d, me, query("team_members", userIs(me.User)))) // one may leave
		affects(1)(update(d, owner, role("owner"), userIs(admin.User)))
		affects(1)(update(d, owner, role("member"), userIs(owner.User)))
	})
}

func TestFunctions(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		theirs := dbtest.Team(t, d, "theirs")
		me, you := dbtest.Member(t, d, theirs, "member"), dbtest.Member(t, d, theirs, "member")
		anon := db.Identity{Role: db.Anon}
		text := func(v jsontext.Value, err error) (s string) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(v, &s); err != nil {
				t.Fatalf("%s: %v", v, err)
			}
			return s
		}
		team := text(calls(d, me, "create_team", `{"team_slug":"acme","team_name":"Acme"}`))
		_, err := calls(d, me, "create_team", `{"team_slug":"acme","team_name":"Acme"}`)
		wants(t, err, me, `409 23505 duplicate key value violates unique constraint "teams_slug_key"`)
		if e := Explain(err, me); e.Details == nil || *e.Details != "Key (slug)=(acme) already exists." {
			t.Errorf("details %v", e.Details)
		}
		_, err = calls(d, me, "create_team", `{"team_slug":"No Slug","team_name":"Acme"}`)
		wants(t, err, me, `400 23514 new row for relation "teams" violates check constraint "teams_slug_check"`)
		_, err = calls(d, me, "create_team", `{"team_slug":null,"team_name":"Acme"}`)
		wants(t, err, me, `400 23502 null value in column "slug" of relation "teams" violates not-null constraint`)
		_, err = calls(d, anon, "create_team", `{"team_slug":"x","team_name":"X"}`)
		wants(t, err, anon, `401 42501 permission denied for function create_team`)
		_, err = calls(d, me, "create_team", `{"slug":"x"}`)
		wants(t, err, me, `404 PGRST202 Could not find the function public.create_team(slug) in the schema cache`)
		_, err = calls(d, me, "team_pulse", `{"p_team":"x"}`)
		wants(t, err, me, `400 22P02 invalid input syntax for type uuid: "x"`)
		service := db.Identity{Role: db.Service}
		_, err = calls(d, service, "create_team", `{"team_slug":"x","team_name":"X"}`)
		wants(t, err, service, `403 42501 must be authenticated`)

		token := text(calls(d, me, "invite_member", `{"p_team":"`+team+`","p_email":"you@example.com"}`))
		_, err = calls(d, you, "invite_member", `{"p_team":"`+team+`","p_email":"you@example.com"}`)
		wants(t, err, you, `403 42501 only an owner or an admin can invite`)
		_, err = calls(d, me, "invite_member", `{"p_team":"`+team+`","p_email":"a@b.c","p_role":"owner"}`)
		wants(t, err, me, `400 23514 new row for relation "team_invites" violates check constraint "team_invites_role_check"`)
		if e := Explain(err, me); e.Details != nil {
			t.Errorf("details %s", *e.Details) // the row has the token's hash
		}
		if got := text(calls(d, you, "accept_invite", `{"p_token":"`+token+`"}`)); got != team {
			t.Errorf("accepted into %s, want %s", got, team)
		}
		_, err = calls(d, you, "accept_invite", `{"p_token":"`+token+`"}`)
		wants(t, err, you, `403 42501 the invitation is used up, expired or was never made`)
		invites := mustSelect(t, d, me, query("team_invites"))
		if invites.Total != 1 || strings.Contains(string(invites.Rows[0]), "token") {
			t.Errorf("invites %s", invites.Rows)
		}
		people, err := calls(d, you, "team_people", `{"p_team":"`+team+`"}`)
		if err != nil || strings.Count(string(people), `"email"`) != 2 {
			t.Errorf("people %s, %v", people, err)
		}
		id := uuid.MustParse(team)
		mustInsert(t, d, you, write(t, "ship_logs", id, `{"team_id":"%T","ingest_key":"k","repo_slug":"a/b","todos_completed":["a","b, c",null]}`))
		mustInsert(t, d, you, write(t, "eval_runs", id, strings.Replace(with(run, `"total_cost_usd":0.25`), "2026-11-20T10:00:00Z", dbtest.Day(1).Format("2006-01-02T15:04:05Z"), 1)))
		var pulse map[string]any
		got, err := calls(d, you, "team_pulse", `{"p_team":"`+team+`"}`)
		if err == nil {
			err = json.Unmarshal(got, &pulse)
		}
		if err != nil || pulse["members"] != 2.0 || pulse["runs"] != 1.0 || pulse["ships"] != 1.0 || pulse["last_ship_at"] == nil {
			t.Errorf("pulse %s, %v", got, err)
		}
		stranger := dbtest.Member(t, d, theirs, "member")
		got, err = calls(d, stranger, "team_pulse", `{"p_team":"`+team+`","p_days":30}`)
		if err == nil {
			err = json.Unmarshal(got, &pulse)
		}
		if err != nil || pulse["members"] != 0.0 || pulse["runs"] != 0.0 || pulse["ships"] != 0.0 || pulse["last_ship_at"] != nil {
			t.Errorf("a stranger's pulse %s, %v", got, err)
		}
		people, err = calls(d, stranger, "team_people", `{"p_team":"`+team+`"}`)
		if err != nil || string(people) != "[]" {
			t.Errorf("a stranger's people %s, %v", people, err)
		}
	})
}

func TestTokensOfCI(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team, theirs := dbtest.Team(t, d, "ours"), dbtest.Team(t, d, "theirs")
		bot := dbtest.Member(t, d, team, "ci")
		dbtest.Exec(t, d, `insert into team_members (team_id, user_id, role) values (?, ?, 'admin')`, theirs, bot.User)
		bot.Team, bot.Repo, bot.Scopes = team, "a/b", []string{"ingest"}
		none := func(w *postgrest.Write) error {
			return d.Update(ctx, bot, func(tx *db.Tx) error {
				_, err := Insert(ctx, tx, bot, w, false)
				return err
			})
		}
		if err := none(write(t, "eval_runs", team, with(run, ""))); err != nil {
			t.Fatal(err)
		}
		wants(t, none(write(t, "eval_runs", team, strings.Replace(with(run, `"ingest_key":"0123456789abcdefX"`), "a/b", "a/c", 1))), bot,
			`403 42501 new row violates row-level security policy for table "eval_runs"`)
		wants(t, none(write(t, "eval_runs", theirs, with(run, ""))), bot, `403 42501 new row violates row-level security policy for table "eval_runs"`)
		cost := `{"team_id":"%T","run_id":"20000000-0000-4000-8000-000000000001","model":"m","run_at":"2026-11-20"}`
		if err := none(write(t, "eval_costs", team, cost)); err != nil {
			t.Fatal(err)
		}
		dbtest.Exec(t, d, `update eval_runs set repo_slug = 'a/c'`)
		wants(t, none(write(t, "eval_costs", team, strings.Replace(cost, `"m"`, `"m2"`, 1))), bot, `403 42501 new row violates row-level security policy for table "eval_costs"`)
		_, err := selects(t, d, bot, query("eval_runs"))
		wants(t, err, bot, `403 42501 permission denied for table eval_runs`)
		_, err = insert(t, d, bot, write(t, "sync_heartbeats", team, `{"team_id":"%T"}`))
		wants(t, err, bot, `403 42501 permission denied for table sync_heartbeats`) // it would be read back
		_, err = calls(d, bot, "create_team", `{"team_slug":"x","team_name":"X"}`)
		wants(t, err, bot, `403 42501 permission denied for function create_team`)
		bot.Scopes = []string{"read"}
		if got := mustSelect(t, d, bot, query("eval_runs")); got.Total != 1 {
			t.Errorf("reads %d runs", got.Total)
		}
		if got := mustSelect(t, d, bot, query("team_members")); got.Total != 1 {
			t.Errorf("reads %d members, want those of its team", got.Total)
		}
		wants(t, none(write(t, "eval_costs", team, cost)), bot, `403 42501 permission denied for table eval_costs`)
		_, err = remove(d, bot, query("eval_runs"))
		wants(t, err, bot, `403 42501 permission denied for table eval_runs`)
	})
}

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
