package rows

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
)

// What the rows of the two repositories have, and nothing else.
const (
	ourRow, theirRow = "40000000-0000-4000-8000-000000000001", "40000000-0000-4000-8000-000000000002"
	theirRepo        = "x/other"
	address          = "@"
)

var theirCase = wire.CaseID(theirRepo, "", "n", "")

// ofTheirs is rowOf with another repository, key and case.
func ofTheirs(name string) string {
	return strings.NewReplacer("a/b", theirRepo, `"k"`, `"k2"`, `"s"`, `"s2"`, fmt.Sprint(ourCase), fmt.Sprint(theirCase)).Replace(rowOf(name, theirRow))
}

// aTokenOfCI fills every table with rows of two repositories and returns a
// token for the first.
func aTokenOfCI(t *testing.T, d *db.DB) (team uuid.UUID, bot, owner db.Identity) {
	t.Helper()
	team = dbtest.Team(t, d, "acme")
	owner, bot = dbtest.Member(t, d, team, "owner"), dbtest.Member(t, d, team, "ci")
	bot.Team, bot.Repo, bot.Scopes = team, "a/b", []string{wire.ScopeRead, wire.ScopeIngest}
	if _, err := calls(d, owner, "invite_member", `{"p_team":"`+team.String()+`","p_email":"new@example.com"}`); err != nil {
		t.Fatal(err)
	}
	for _, tab := range table.All() {
		row := rowOf(tab.Name, ourRow)
		if row == "" {
			continue
		}
		with := map[string]string{"ship_logs": `,"author_email":"git@example.com"`, "retro_snapshots": `,"authors":{"Ada":{"email":"git@example.com"}}`}[tab.Name]
		mustInsert(t, d, owner, write(t, tab.Name, team, strings.TrimSuffix(row, "}")+with+"}"))
		if tab.Repo == table.ByRepo || tab.Repo == table.ByRun {
			mustInsert(t, d, owner, write(t, tab.Name, team, ofTheirs(tab.Name)))
		}
	}
	mustInsert(t, d, bot, write(t, "sync_heartbeats", team, `{"team_id":"%T","hostname":"runner"}`))
	notices(t, d, team, ourRow)
	dbtest.Exec(t, d, `insert into alerts (team_id, id, repo_slug, suite, branch, kind, state, p, expected, observed, cases) values (?, ?, ?, 's', 'main', 'eval', 'firing', 0.001, 0.9, 0.5, 50)`, team, uuid.New(), theirRepo)
	return team, bot, owner
}

// mustBeOurs checks what a token of one repository got.
func mustBeOurs(t *testing.T, what, text string, owner db.Identity) {
	t.Helper()
	for _, other := range []string{theirRepo, theirRow, address} {
		if strings.Contains(text, other) {
			t.Errorf("%s shows %s: %s", what, other, text)
		}
	}
	if strings.Contains(what, "team_members") && strings.Contains(text, owner.User.String()) {
		t.Errorf("%s shows another member: %s", what, text)
	}
}

// TestOneRepository: a token of CI for one repository reads and writes that
// repository alone, in every table of the registry and in every function. A
// table whose scope is not decided fails here.
func TestOneRepository(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team, bot, owner := aTokenOfCI(t, d)
		for _, tab := range table.All() {
			all := query(tab.Name)
			a, err := selects(t, d, bot, all)
			if tab.Repo == table.Undecided {
				t.Errorf("%s: nobody decided what a token of one repository reaches", tab.Name)
			}
			if tab.Repo == table.Shared && tab.Name != "teams" {
				t.Errorf("%s: only the team's own row is shared with tokens of one repository", tab.Name)
			}
			readable := tab.Repo != table.Whole && tab.Read == table.Members
			if !readable {
				wants(t, err, bot, "403 42501 permission denied for table "+tab.Name)
				continue
			}
			if err != nil || len(a.Rows) == 0 || a.Total != int64(len(a.Rows)) {
				t.Errorf("%s: %d rows of %d, %v; want those of the repository", tab.Name, len(a.Rows), a.Total, err)
				continue
			}
			everything := mustSelect(t, d, owner, all)
			if tab.Repo != table.Shared && everything.Total <= a.Total {
				t.Errorf("%s: there are no others' rows that the token could see", tab.Name)
			}
			for _, r := range a.Rows {
				mustBeOurs(t, tab.Name, string(r), owner)
			}
			for _, rel := range tab.Relations {
				q := query(tab.Name)
				q.Select = []postgrest.Item{embed(tab.Name, rel.Name, query(rel.Name))}
				if a, err := selects(t, d, bot, q); err != nil {
					wants(t, err, bot, "403 42501 permission denied for table "+rel.Name)
				} else {
					for _, r := range a.Rows {
						mustBeOurs(t, tab.Name+" with "+rel.Name, string(r), owner)
					}
				}
			}
			if tab.Insert != table.Members {
				continue
			}
			if row := ofTheirs(tab.Name); tab.Repo == table.ByRepo || tab.Repo == table.ByRun {
				row = strings.NewReplacer(`"k2"`, `"k3"`, `"s2"`, `"s3"`, `"model":"m"`, `"model":"m2"`, `"case_id":2,`, `"case_id":3,`, `"id":2,`, `"id":3,`).Replace(row)
				if tab.Name != "eval_costs" && tab.Column("run_id") == nil {
					row = strings.ReplaceAll(row, theirRow, uuid.NewString())
				}
				_, err := insert(t, d, bot, write(t, tab.Name, team, row))
				wants(t, err, bot, `403 42501 new row violates row-level security policy for table "`+tab.Name+`"`)
			}
		}
		// Neither can a result be put to another's case, nor a case be taken before its repository comes.
		for name, row := range map[string]string{
			"eval_results":  `{"team_id":"%T","run_id":"` + ourRow + `","case_id":` + fmt.Sprint(theirCase) + `,"status":0,"run_at":"2026-11-20"}`,
			"eval_payloads": `{"team_id":"%T","run_id":"` + ourRow + `","case_id":` + fmt.Sprint(theirCase) + `,"run_at":"2026-11-20","payload":{}}`,
			"eval_cases":    fmt.Sprintf(`{"team_id":"%%T","id":%d,"repo_slug":"a/b","name":"n"}`, wire.CaseID(theirRepo, "", "n", "")),
		} {
			_, err := insert(t, d, bot, write(t, name, team, row))
			wants(t, err, bot, `403 42501 new row violates row-level security policy for table "`+name+`"`)
		}
		arguments := map[string]string{
			"create_team": `{"team_slug":"x","team_name":"X"}`, "team_pulse": `{"p_team":"%T","p_days":4000}`, "team_people": `{"p_team":"%T"}`,
			"invite_member": `{"p_team":"%T","p_email":"a@b.c"}`, "accept_invite": `{"p_token":"x"}`,
			"push_eval_part": `{"p_team":"%T","p_key":"0123456789abcdef7","p_part":0,"p_body":{}}`, // the run says of which repository it is
			"push_eval_run":  `{"p_team":"%T","p_run":{"id":"` + uuid.NewString() + `","run_at":"2026-11-20T10:00:00Z","ingest_key":"0123456789abcdef7","repo_slug":"` + theirRepo + `","label":"x","total_tests":0,"passed":0,"failed":0}}`,
		}
		for _, f := range Functions {
			args, ok := arguments[f.Name]
			if !ok {
				t.Errorf("%s: nobody decided what a token of one repository gets from it", f.Name)
				continue
			}
			got, err := calls(d, bot, f.Name, strings.ReplaceAll(args, "%T", team.String()))
			switch {
			case f.Token == "":
				wants(t, err, bot, "403 42501 permission denied for function "+f.Name)
			case f.Name == "push_eval_run":
				wants(t, err, bot, "403 42501 the token is for another repository")
			case err != nil:
				t.Errorf("%s: %v", f.Name, err)
			default:
				mustBeOurs(t, f.Name, string(got), owner)
			}
		}
		// Nor does it learn by its key that another repository's run is there.
		var theirs string
		for _, r := range lists(t, d, `select ingest_key from eval_runs where repo_slug = '`+theirRepo+`'`) {
			theirs = r[0]
		}
		_, err := calls(d, bot, "push_eval_run", `{"p_team":"`+team.String()+`","p_run":{"id":"`+wire.RunID(team, theirs).String()+`","run_at":"2026-11-20T10:00:00Z","ingest_key":"`+theirs+`","repo_slug":"a/b","label":"x","total_tests":0,"passed":0,"failed":0}}`)
		wants(t, err, bot, `409 23505 duplicate key value violates unique constraint "eval_runs_pkey"`)
		pulse, err := calls(d, bot, "team_pulse", `{"p_team":"`+team.String()+`","p_days":4000}`)
		if text := strings.ReplaceAll(string(pulse), " ", ""); err != nil || !strings.Contains(text, `"members":null,"runs":1,`) || !strings.Contains(text, `"ships":1,`) {
			t.Errorf("the pulse of one repository is %s, %v", pulse, err)
		}
	})
}

// TestNoAddressForCI: nor does a token of CI for the whole team read anybody's mail address.
func TestNoAddressForCI(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team, bot, _ := aTokenOfCI(t, d)
		bot.Repo = ""
		for _, tab := range table.All() {
			q := query(tab.Name)
			a, err := selects(t, d, bot, q)
			if err != nil {
				wants(t, err, bot, "403 42501 permission denied for table "+tab.Name)
				continue
			}
			for _, r := range a.Rows {
				if strings.Contains(string(r), address) {
					t.Errorf("%s shows %s", tab.Name, r)
				}
			}
			for i := range tab.Columns {
				c := &tab.Columns[i]
				if !c.Address {
					continue
				}
				named, filtered, sorted := query(tab.Name), query(tab.Name), query(tab.Name)
				named.Select = show(tab.Name, c.Name)
				filtered.Where = []postgrest.Filter{{Not: true, Any: []postgrest.Filter{{All: []postgrest.Filter{{Column: column(tab.Name, c.Name), Op: postgrest.Is, Values: []string{"null"}}}}}}}
				sorted.Order = []postgrest.Order{{Column: column(tab.Name, c.Name)}}
				for _, q := range []*postgrest.Query{named, filtered, sorted} {
					_, err := selects(t, d, bot, q)
					wants(t, err, bot, "403 42501 permission denied for column "+c.Name+" of table "+tab.Name)
				}
			}
		}
		for _, f := range Functions {
			if got, err := calls(d, bot, f.Name, `{"p_team":"`+team.String()+`"}`); err == nil && strings.Contains(string(got), address) {
				t.Errorf("%s shows %s", f.Name, got)
			}
		}
	})
}

// TestOneRepositoryBehind: PostgreSQL keeps a token of one repository inside of
// it even for a statement that forgets to, and knows no table, view or function
// that the registry does not.
func TestOneRepositoryBehind(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if d.Dialect() != db.PostgreSQL {
			return
		}
		team, bot, owner := aTokenOfCI(t, d)
		bot.Scopes = nil
		for _, tab := range table.All() {
			err := d.View(ctx, bot, func(tx *db.Tx) error {
				var n int
				var text string
				columns := `row_to_json(t)::text`
				if tab.Name == "team_invites" {
					columns = `email`
				}
				if err := tx.QueryRow(ctx, "select count(*), coalesce(string_agg("+columns+", ' '), '') from "+tab.Name+" t").Scan(&n, &text); err != nil {
					return err
				}
				text = strings.ReplaceAll(text, "git@example.com", "") // columns are the server's to leave out
				mustBeOurs(t, tab.Name+" behind", text, owner)
				if none := tab.Repo == table.Whole || tab.Read != table.Members; none != (n == 0) && tab.Read != table.AuthorOrAdmins {
					t.Errorf("%s: %d rows", tab.Name, n)
				}
				return nil
			})
			if err != nil {
				t.Errorf("%s: %v", tab.Name, err)
			}
		}
		err := d.View(ctx, bot, func(tx *db.Tx) error {
			var n int
			if err := tx.QueryRow(ctx, `select count(*) from public.team_people(?)`, team).Scan(&n); err != nil || n != 0 {
				t.Errorf("team_people: %d people, %v", n, err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		err = d.Update(ctx, bot, func(tx *db.Tx) error {
			_, err := tx.Exec(ctx, `insert into eval_costs (team_id, run_id, model, run_at) values (?, ?, 'new', now())`, team, uuid.MustParse(theirRow))
			return err
		})
		wants(t, err, bot, `403 42501 new row violates row-level security policy "one_repository" for table "eval_costs"`)
		for _, r := range lists(t, d, `select c.relname, (select count(*) from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname and p.policyname = 'one_repository' and p.permissive = 'RESTRICTIVE' and p.cmd = 'ALL'),
			coalesce((select string_agg(p.policyname, ' ') from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname and p.qual ~ 'IN \( SELECT cairn\.my_teams'), '')
			from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')`) {
			if table.Find(r[0]) == nil || r[1] != "1" {
				t.Errorf("public.%s is not in the registry, or has no restrictive policy one_repository", r[0])
			}
			if r[2] != "" {
				t.Errorf("public.%s: %s asks by a subselect, which no index can answer; write team_id = any (array(select …))", r[0], r[2])
			}
		}
		for _, r := range lists(t, d, `select proname from pg_proc where pronamespace = 'public'::regnamespace`) {
			if !slices.ContainsFunc(Functions[:], func(f Function) bool { return f.Name == r[0] }) {
				t.Errorf("public.%s() is not in the list of functions", r[0])
			}
		}
	})
}
