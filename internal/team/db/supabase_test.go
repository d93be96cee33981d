package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	_ "github.com/jackc/pgx/v5/stdlib"

	"cairn/internal/team/db"
	"cairn/internal/team/table"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

// project makes a database as a Supabase project's and returns the URLs of its
// superuser, its owner and of the role by which requests come.
func project(t *testing.T) (super, owner, requests string) {
	t.Helper()
	if pgtest.Shared() == nil {
		t.Skip(pgtest.ErrMissing)
	}
	super, owner, requests, err := pgtest.Shared().Project()
	if err != nil {
		t.Fatal(err)
	}
	return super, owner, requests
}

func run(t *testing.T, url, script string) {
	t.Helper()
	if err := try(t, url, script); err != nil {
		t.Fatal(err)
	}
}

func try(t *testing.T, url, script string) error {
	t.Helper()
	pool, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	_, err = pool.Exec(script)
	return err
}

func migrated(t *testing.T, url string) (steps []string) {
	t.Helper()
	if err := db.MigrateSupabase(context.Background(), url, func(name string) { steps = append(steps, name) }); err != nil {
		t.Fatal(err)
	}
	return steps
}

// The steps and the text to paste do the same, once, in whatever order.
func TestSupabaseSteps(t *testing.T) {
	_, owner, _ := project(t)
	if steps := migrated(t, owner); len(steps) == 0 || slices.Contains(steps, "0001_auth.sql") {
		t.Errorf("steps %v; want those that are not of our server only", steps)
	}
	if steps := migrated(t, owner); len(steps) != 0 {
		t.Errorf("a second time: %v", steps)
	}
	run(t, owner, db.Script())

	_, pasted, _ := project(t)
	run(t, pasted, db.Script())
	run(t, pasted, db.Script())
	if steps := migrated(t, pasted); len(steps) != 0 {
		t.Errorf("after the text was pasted: %v", steps)
	}
	run(t, pasted, `insert into cairn.migrations values ('9999_later.sql', 'x')`)
	if err := try(t, pasted, db.Script()); err == nil || !strings.Contains(err.Error(), "newer version of cairn") {
		t.Errorf("a newer database: %v", err)
	}
	if err := db.MigrateSupabase(context.Background(), pasted, func(string) {}); !errors.Is(err, db.ErrNewer) {
		t.Errorf("a newer database: %v", err)
	}
	for _, m := range db.Migrations(db.PostgreSQL) {
		if strings.Contains(m.SQL, "$step$") {
			t.Errorf("%s has the mark that the script quotes it with", m.Name)
		}
	}
}

// What cannot be migrated is said in words, without the URL.
func TestSupabaseRefusals(t *testing.T) {
	super, owner, _ := project(t)
	plain, err := pgtest.Shared().Database()
	if err != nil {
		t.Fatal(err)
	}
	ours := dbtest.Postgres(t)
	run(t, super, `do $$ begin if not exists (select from pg_roles where rolname = 'stranger') then create role stranger login; end if; end $$`)
	u, _ := url.Parse(owner)
	u.User = url.UserPassword("stranger", "s3cret")
	port := *u
	port.Host = "127.0.0.1:1"
	nobody := *u
	nobody.User = url.UserPassword("nobody-here", "s3cret")
	none := *u
	none.Path = "/not-there"
	for _, c := range []struct {
		url  string
		want error
	}{
		{plain, db.ErrNotSupabase}, {ours, db.ErrNotSupabase}, {u.String(), db.ErrRights}, {port.String(), db.ErrUnreachable},
		{none.String(), db.ErrUnreachable}, {nobody.String(), db.ErrPassword},
	} {
		err := db.MigrateSupabase(context.Background(), c.url, func(string) {})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v; want %v", c.url, err, c.want)
		} else if strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "127.0.0.1") {
			t.Errorf("the error shows the URL: %v", err)
		}
	}
	if err := try(t, plain, db.Script()); err == nil || !strings.Contains(err.Error(), "not a Supabase project") {
		t.Errorf("the text in a plain database: %v", err)
	}
}

// member is a user of a project, signed in.
type member struct {
	id, team uuid.UUID
	as       db.Identity
}

func newMember(t *testing.T, owner string, d *db.DB, slug string) member {
	t.Helper()
	m := member{id: uuid.New()}
	run(t, owner, fmt.Sprintf(`insert into auth.users (id, email) values ('%s', '%s@acme.test')`, m.id, slug))
	m.as = db.Identity{Role: db.Authenticated, User: m.id, Claims: []byte(`{"role":"authenticated","sub":"` + m.id.String() + `"}`)}
	err := d.Update(context.Background(), m.as, func(tx *db.Tx) error {
		return tx.QueryRow(context.Background(), `select public.create_team(?, ?)`, slug, slug).Scan(&m.team)
	})
	if err != nil {
		t.Fatal(err)
	}
	run := uuid.NewString()
	for q, args := range map[string][]any{
		`select public.push_eval_run(?, ?::jsonb)`: {m.team, `{"id":"` + run + `","run_at":"` + time.Now().Format(time.RFC3339) + `","ingest_key":"` + run + `","repo_slug":"acme/app","label":"main",
			"total_tests":1,"passed":1,"failed":0,"cases":[{"id":7,"name":"a"}],"results":[{"case_id":7,"status":0,"payload":{"output":"secret"}}],"costs":[{"model":"m","calls":1}]}`},
		`insert into public.retro_snapshots (team_id, ingest_key, repo_slug, date, user_id) values (?, 'k', 'acme/app', '2026-01-01', ?)`:                                          {m.team, m.id},
		`insert into public.qa_reports (team_id, ingest_key, repo_slug, url, user_id) values (?, 'k', 'acme/app', 'https://a.test', ?)`:                                            {m.team, m.id},
		`insert into public.ship_logs (team_id, ingest_key, repo_slug, user_id) values (?, 'k', 'acme/app', ?)`:                                                                    {m.team, m.id},
		`insert into public.session_transcripts (team_id, ingest_key, repo_slug, session_id, user_id) values (?, 'k', 'acme/app', 's', ?)`:                                         {m.team, m.id},
		`insert into public.sync_heartbeats (team_id, user_id) values (?, ?)`:                                                                                                      {m.team, m.id},
		`insert into public.greptile_triage (team_id, ingest_key, repo_slug, date, triage_type, file_pattern, user_id) values (?, 'k', 'acme/app', '2026-01-01', 'fp', 'a.go', ?)`: {m.team, m.id},
		`insert into public.plan_snapshots (team_id, ingest_key, repo_slug, user_id) values (?, 'k', 'acme/app', ?)`:                                                               {m.team, m.id},
		`insert into public.usage_days (team_id, ingest_key, repo_slug, date, user_id) values (?, 'k', 'acme/app', '2026-01-01', ?)`:                                               {m.team, m.id},
		`insert into public.spend_days (team_id, ingest_key, repo_slug, day, source, user_id) values (?, 'k', 'acme/app', '2026-01-01', 'ledger', ?)`:                              {m.team, m.id},
		`insert into public.team_settings (team_id, timezone) values (?, 'UTC')`:                                                                                                   {m.team},
		`insert into public.team_channels (team_id, kind, name, target, user_id) values (?, 'slack', 'n', 'https://hooks.example/secret', ?)`:                                      {m.team, m.id},
		`select public.invite_member(?, 'new@acme.test', 'member')`:                                                                                                                {m.team},
	} {
		if err := m.do(d, q, args...); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	if err := m.do(d, `insert into public.eval_labels (team_id, run_id, case_id, pass) select team_id, id, 7, true from public.eval_runs where team_id = ?`, m.team); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m member) do(d *db.DB, query string, args ...any) error {
	return d.Update(context.Background(), m.as, func(tx *db.Tx) error {
		_, err := tx.Exec(context.Background(), query, args...)
		return err
	})
}

// notices makes what no member can: it comes from a job.
func notices(t *testing.T, super string, team uuid.UUID) {
	t.Helper()
	run(t, super, fmt.Sprintf(`insert into public.alerts (team_id, repo_slug, suite, branch, kind, state, p, expected, observed, cases) values ('%[1]s', 'a/b', 's', 'main', 'eval', 'firing', 0.001, 0.9, 0.5, 50);
		insert into public.deliveries (team_id, channel_id, event) select team_id, id, 'e' from public.team_channels where team_id = '%[1]s'`, team))
}

// see counts rows; what is denied has none.
func (m member) see(t *testing.T, d *db.DB, query string, args ...any) (n int, denied bool) {
	t.Helper()
	err := d.View(context.Background(), m.as, func(tx *db.Tx) error {
		return tx.QueryRow(context.Background(), query, args...).Scan(&n)
	})
	if err != nil && !strings.Contains(err.Error(), "42501") {
		t.Fatalf("%s: %v", query, err)
	}
	return n, err != nil
}

// On a project that gave everything to everybody, nobody gets past the policies:
// neither a stranger, nor a member of another team, nor by a partition's own name.
func TestSupabaseIsolation(t *testing.T) {
	super, owner, requests := project(t)
	migrated(t, owner)
	d, err := db.Open(context.Background(), requests, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	a, b := newMember(t, owner, d, "alpha"), newMember(t, owner, d, "beta")
	for _, team := range []uuid.UUID{a.team, b.team} { // what only the server makes
		notices(t, super, team)
	}
	stranger := member{as: db.Identity{Role: db.Anon, Claims: []byte(`{"role":"anon"}`)}}

	for _, tab := range table.All() {
		if tab.Name == "eval_cases" || tab.Name == "team_invites" {
			continue // below
		}
		own, denied := a.see(t, d, `select count(*) from public.`+tab.Name)
		if denied || own == 0 {
			t.Errorf("%s: a member sees %d rows of their team, denied %v", tab.Name, own, denied)
		}
		if n, _ := a.see(t, d, `select count(*) from public.`+tab.Name+` where `+tab.Team+` = ?`, b.team); n > 0 {
			t.Errorf("%s: %d rows of another team are seen", tab.Name, n)
		}
	}
	for _, tab := range table.All() {
		if _, denied := stranger.see(t, d, `select count(*) from public.`+tab.Name); !denied {
			t.Errorf("%s is open to anon", tab.Name)
		}
		for _, q := range []string{`truncate public.` + tab.Name + ` cascade`, `drop table public.` + tab.Name} {
			if a.do(d, q) == nil {
				t.Errorf("%s: done by a member", q)
			}
		}
		_ = a.do(d, `delete from public.`+tab.Name+` where `+tab.Team+` = ?`, b.team)
		_ = a.do(d, `update public.`+tab.Name+` set `+tab.Team+` = ? where `+tab.Team+` = ?`, a.team, b.team)
		_ = a.do(d, `update public.`+tab.Name+` set `+tab.Team+` = ? where `+tab.Team+` = ?`, b.team, a.team)
	}
	for _, q := range []string{
		`insert into public.team_members (team_id, user_id, role) values (?, auth.uid(), 'owner')`,
		`insert into public.ship_logs (team_id, ingest_key, repo_slug, user_id) values (?, 'x', 'acme/app', auth.uid())`,
		`insert into public.eval_results (team_id, run_id, run_at, case_id, status) select ?, gen_random_uuid(), now(), 7, 0`,
		`insert into public.eval_cases (team_id, id, repo_slug, name) values (?, 9, 'acme/app', 'x')`,
		`insert into public.eval_labels (team_id, run_id, case_id, pass) values (?, gen_random_uuid(), 7, true)`,
		`select public.invite_member(?, 'evil@acme.test', 'admin')`,
		`select public.push_eval_run(?, '{"id":"00000000-0000-4000-8000-000000000001","run_at":"2026-01-01T00:00:00Z","ingest_key":"0123456789abcdef","repo_slug":"a","label":"l","total_tests":0,"passed":0,"failed":0,"cases":[],"results":[],"costs":[]}')`,
	} {
		if err := a.do(d, q, b.team); err == nil || !strings.Contains(err.Error(), "42501") {
			t.Errorf("%s: %v", q, err)
		}
	}
	if n, _ := a.see(t, d, `select count(*) from public.team_people(?)`, b.team); n > 0 {
		t.Error("the members of another team are told")
	}
	if n, _ := a.see(t, d, `select count(*) from public.team_invites`); n != 1 {
		t.Errorf("an owner sees %d invitations, 1 is theirs", n)
	}
	for _, q := range []string{
		`select token_hash from public.team_invites`, `select * from cairn.migrations`, `select cairn.drop_months_before(now())`,
		`select * from auth.users`, `create table public.mine (x int)`, `set role service_role`,
	} {
		if q == `set role service_role` {
			continue // the gateway chooses the role by the token, and no request reaches SQL
		}
		if err := a.do(d, q); err == nil {
			t.Errorf("%s: done by a member", q)
		}
	}

	everything, err := sql.Open("pgx", super)
	if err != nil {
		t.Fatal(err)
	}
	defer everything.Close()
	for _, name := range list(t, everything, `select format('%I.%I', n.nspname, c.relname) from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r'`) {
		for _, who := range []member{a, stranger} {
			if _, denied := who.see(t, d, `select count(*) from `+name); !denied {
				t.Errorf("the partition %s is open to %s", name, who.as.Role)
			}
		}
	}
	if open := list(t, everything, `select distinct table_schema || '.' || table_name from information_schema.role_table_grants where grantee in ('anon', 'PUBLIC') and table_schema in ('public', 'cairn')`); len(open) > 0 {
		t.Errorf("granted to anon: %v", open)
	}
	if open := list(t, everything, `select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('public', 'cairn') and p.prorettype <> 'trigger'::regtype and has_function_privilege('anon', p.oid, 'execute')`); len(open) > 0 {
		t.Errorf("anon may call: %v", open)
	}
	// After all this beta has what it had.
	for _, tab := range table.All() {
		var n int
		if err := everything.QueryRow(`select count(*) from public.`+tab.Name+` where `+tab.Team+` = $1`, b.team).Scan(&n); err != nil || n == 0 {
			t.Errorf("%s: %d rows of the other team are left, %v", tab.Name, n, err)
		}
	}
}

func list(t *testing.T, pool *sql.DB, query string) (out []string) {
	t.Helper()
	rows, err := pool.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}
