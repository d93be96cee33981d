package rows

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/test/dbtest"
)

func userIs(user uuid.UUID) postgrest.Filter {
	return on("team_members", "user_id", postgrest.Eq, user.String())
}

func TestRoles(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team, theirs := dbtest.Team(t, d, "ours"), dbtest.Team(t, d, "theirs")
		owner, admin, me := dbtest.Member(t, d, team, "owner"), dbtest.Member(t, d, team, "admin"), dbtest.Member(t, d, team, "member")
		other := dbtest.Member(t, d, theirs, "owner")
		role := func(r string) *postgrest.Write { return write(t, "team_members", team, `{"role":"`+r+`"}`) }
		affects := func(want int64) func(*answer, error) {
			return func(a *answer, err error) {
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

// TestOwnersLeaveAtOnce: one of them stays, whoever comes first.
func TestOwnersLeaveAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for n := range 20 {
			team := dbtest.Team(t, d, fmt.Sprintf("team-%d", n))
			var work sync.WaitGroup
			for _, owner := range [...]db.Identity{dbtest.Member(t, d, team, "owner"), dbtest.Member(t, d, team, "owner")} {
				work.Go(func() {
					var err error
					if n%2 == 0 {
						_, err = remove(d, owner, query("team_members", userIs(owner.User)))
					} else {
						_, err = update(d, owner, write(t, "team_members", team, `{"role":"member"}`), userIs(owner.User))
					}
					if err != nil {
						wants(t, err, owner, `400 23514 a team must keep one owner`)
					}
				})
			}
			work.Wait()
			if left := dbtest.Count(t, d, `select count(*) from team_members where team_id = ? and role = 'owner'`, team); left != 1 {
				t.Fatalf("%d owners are left", left)
			}
		}
	})
}

func TestFunctions(t *testing.T) {
	t.Parallel()
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
		if e := Explain(err, me); e.Details != nil {
			t.Errorf("details %v", *e.Details)
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

		address := you.User.String() + "@example.com"
		token := text(calls(d, me, "invite_member", `{"p_team":"`+team+`","p_email":"somebody-else@example.com"}`))
		_, err = calls(d, you, "accept_invite", `{"p_token":"`+token+`"}`)
		wants(t, err, you, `403 42501 the invitation is for another address: sign in with the address that was invited`)
		token = text(calls(d, me, "invite_member", `{"p_team":"`+team+`","p_email":" `+strings.ToUpper(address)+`"}`))
		_, err = calls(d, you, "accept_invite", `{"p_token":"`+token+`"}`)
		wants(t, err, you, `403 42501 confirm your e-mail address before you accept an invitation to it`)
		dbtest.Exec(t, d, `update auth.users set email_confirmed_at = ? where id = ?`, dbtest.Day(0), you.User)
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
		_, err = calls(d, me, "invite_member", `{"p_team":"`+team+`","p_email":"`+address+`","p_role":"admin"}`)
		wants(t, err, me, `409 23505 `+address+` is already a member of the team`)
		invites := mustSelect(t, d, me, query("team_invites"))
		if invites.Total != 2 || strings.Contains(string(invites.Rows[0]), "token") {
			t.Errorf("invites %s", invites.Rows)
		}
		people, err := calls(d, you, "team_people", `{"p_team":"`+team+`"}`)
		if err != nil || strings.Count(string(people), `"email"`) != 2 {
			t.Errorf("people %s, %v", people, err)
		}
		id := uuid.MustParse(team)
		mustInsert(t, d, you, write(t, "ship_logs", id, `{"team_id":"%T","ingest_key":"k","repo_slug":"a/b","todos_completed":["a","b, c",null]}`))
		mustInsert(t, d, you, write(t, "eval_runs", id, strings.Replace(with(run, `"total_cost_usd":0.25`), "2026-11-20T10:00:00Z", dbtest.Day(1).Format("2006-01-02T15:04:05Z"), 1)))
		dbtest.Member(t, d, id, "ci") // no person
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
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team, theirs := dbtest.Team(t, d, "ours"), dbtest.Team(t, d, "theirs")
		bot := dbtest.Member(t, d, team, "ci")
		dbtest.Exec(t, d, `insert into team_members (team_id, user_id, role) values (?, ?, 'admin')`, theirs, bot.User)
		bot.Team, bot.Repo, bot.Scopes = team, "a/b", []string{"ingest"}
		none := func(w *postgrest.Write) error {
			return d.Update(ctx, bot, func(tx *db.Tx) error {
				return Insert(ctx, tx, bot, w, false, NewAnswer(0))
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
		push := `{"p_team":"` + team.String() + `","p_run":{"id":"20000000-0000-4000-8000-000000000007","run_at":"2026-11-20T10:00:00Z","ingest_key":"0123456789abcdef7","repo_slug":"a/b","label":"x","total_tests":1,"passed":1,"failed":0,
			"cases":[{"id":7,"name":"n"}],"results":[{"case_id":7,"status":0,"payload":{"output":"o"}}],"costs":[{"model":"m","calls":2}]}}`
		if got, err := calls(d, bot, "push_eval_run", push); err != nil || !strings.Contains(string(got), `"duplicate":false`) {
			t.Errorf("pushed %s, %v", got, err)
		}
		bot.Scopes = []string{"read"}
		_, err = calls(d, bot, "push_eval_run", push)
		wants(t, err, bot, `403 42501 permission denied for function push_eval_run`)
		for name, want := range map[string]int64{"eval_runs": 1, "eval_cases": 1, "eval_results": 1, "eval_payloads": 1, "eval_costs": 1, "daily_evals": 1} { // those of a/b, see above
			if n := mustSelect(t, d, bot, query(name)).Total; n != want {
				t.Errorf("%s: %d rows, want %d", name, n, want)
			}
		}
		everywhere := bot
		everywhere.Repo = ""
		for name, want := range map[string]int64{"eval_runs": 2, "eval_results": 1, "eval_costs": 2} {
			if n := mustSelect(t, d, everywhere, query(name)).Total; n != want {
				t.Errorf("%s with a token of no repository: %d rows, want %d", name, n, want)
			}
		}
		whole := `{"p_team":"` + team.String() + `","p_days":4000}`
		if got, err := calls(d, everywhere, "team_pulse", whole); err != nil || !strings.Contains(strings.ReplaceAll(string(got), " ", ""), `"runs":2`) {
			t.Errorf("the pulse is %s, %v", got, err)
		}
		if got := mustSelect(t, d, everywhere, query("team_members")); got.Total != 1 {
			t.Errorf("reads %d members, want those of its team", got.Total)
		}
		wants(t, none(write(t, "eval_costs", team, cost)), bot, `403 42501 permission denied for table eval_costs`)
		_, err = remove(d, bot, query("eval_runs"))
		wants(t, err, bot, `403 42501 permission denied for table eval_runs`)
	})
}

// Who is invited has an address that an account can have: no text of any length
// or kind, which no quota would count.
func TestInvitedAddress(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "a")
		me := dbtest.Member(t, d, team, "owner")
		long := strings.Repeat("a", 300)
		for _, address := range []string{long + "@example.com", "a@" + long, "no address", "a@b@c", "@example.com", "a\r\nBcc: x@example.com", "<b>@example.com", "a\u202eb@example.com", ""} {
			args, err := json.Marshal(map[string]any{"p_team": team, "p_email": address})
			if err != nil {
				t.Fatal(err)
			}
			_, err = calls(d, me, "invite_member", string(args))
			if e := Explain(err, me); e == nil || e.Status != 400 || e.Code != "22023" || len(e.Message) > 100 {
				t.Errorf("%.20q: %v", address, e)
			}
			if d.Dialect() != db.PostgreSQL {
				continue
			}
			err = d.Update(ctx, me, func(tx *db.Tx) error { // past this package
				var token string
				return tx.QueryRow(ctx, `select public.invite_member(?, ?)`, team, address).Scan(&token)
			})
			if err == nil || !strings.Contains(err.Error(), "22023") {
				t.Errorf("%.20q in the database: %v", address, err)
			}
		}
		for _, address := range []string{" Ada@Example.com ", "ada+x@example.com", "ö@exämple.org", "o'neill@example.com"} {
			args, _ := json.Marshal(map[string]any{"p_team": team, "p_email": address})
			if _, err := calls(d, me, "invite_member", string(args)); err != nil {
				t.Errorf("%q: %v", address, err)
			}
		}
	})
}
