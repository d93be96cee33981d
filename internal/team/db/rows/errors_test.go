package rows

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
	"cairn/test/dbtest"
)

func update(d *db.DB, as db.Identity, w *postgrest.Write, where ...postgrest.Filter) (*answer, error) {
	w.Where = where
	return answered(func(a *Answer) error {
		return d.Update(ctx, as, func(tx *db.Tx) error { return Update(ctx, tx, as, w, true, a) })
	})
}

func remove(d *db.DB, as db.Identity, q *postgrest.Query) (*answer, error) {
	return answered(func(a *Answer) error {
		return d.Update(ctx, as, func(tx *db.Tx) error { return Delete(ctx, tx, as, q, false, a) })
	})
}

func calls(d *db.DB, as db.Identity, name, args string) (out jsontext.Value, err error) {
	w := map[string]jsontext.Value{}
	d2 := jsontext.NewDecoder(strings.NewReader(args))
	d2.ReadToken()
	for d2.PeekKind() == '"' {
		t, _ := d2.ReadToken()
		key := t.String()
		v, _ := d2.ReadValue()
		w[key] = v.Clone()
	}
	err = d.Update(ctx, as, func(tx *db.Tx) error {
		out, err = Call(ctx, tx, as, name, w)
		return err
	})
	return out, err
}

const run = `{"team_id":"%T","id":"20000000-0000-4000-8000-000000000001","run_at":"2026-11-20T10:00:00Z","ingest_key":"0123456789abcdef","repo_slug":"a/b","label":"x","total_tests":3,"passed":1,"failed":2`

// with adds members to an object that is open at its end.
func with(open, more string) string {
	if more != "" {
		more = "," + more
	}
	return open + more + "}"
}

// TestInsertErrors: PostgreSQL says these itself where the message names a
// constraint, so SQLite is held to its words.
func TestInsertErrors(t *testing.T) {
	t.Parallel()
	report := `{"team_id":"%T","ingest_key":"k9","repo_slug":"a/b","url":"u"`
	tests := []struct{ name, table, row, want string }{
		{"null", "eval_runs", with(run, `"label":null`), `400 23502 null value in column "label" of relation "eval_runs" violates not-null constraint`},
		{"left out", "qa_reports", `{"team_id":"%T","ingest_key":"k9","url":"u"}`, `400 23502 null value in column "repo_slug" of relation "qa_reports" violates not-null constraint`},
		{"counts", "eval_runs", with(run, `"passed":99`), `400 23514 new row for relation "eval_runs" violates check constraint "eval_runs_check"`},
		{"negative", "eval_runs", with(run, `"passed":-1,"failed":4`), `400 23514 new row for relation "eval_runs" violates check constraint "eval_runs_passed_check"`},
		{"scope", "eval_runs", with(run, `"scope":"half"`), `400 23514 new row for relation "eval_runs" violates check constraint "eval_runs_scope_check"`},
		{"key", "eval_runs", with(run, `"ingest_key":"short"`), `400 23514 new row for relation "eval_runs" violates check constraint "eval_runs_ingest_key_check"`},
		{"score", "qa_reports", with(report, `"health_score":100.5`), `400 23514 new row for relation "qa_reports" violates check constraint "qa_reports_health_score_check"`},
		{"twice", "qa_reports", with(report, `"ingest_key":"taken"`), `409 23505 duplicate key value violates unique constraint "qa_reports_ingest"`},
		{"same id", "qa_reports", with(report, `"id":"30000000-0000-4000-8000-000000000001"`), `409 23505 duplicate key value violates unique constraint "qa_reports_pkey"`},
		{"no run", "eval_costs", `{"team_id":"%T","run_id":"20000000-0000-4000-8000-00000000dead","model":"m","run_at":"2026-11-20"}`,
			`409 23503 insert or update on table "eval_costs" violates foreign key constraint "eval_costs_team_id_run_id_fkey"`},
		{"no run of a result", "eval_results", `{"team_id":"%T","run_id":"20000000-0000-4000-8000-00000000dead","case_id":1,"status":0,"run_at":"2026-11-20"}`,
			`409 23503 insert or update on table "eval_results" violates foreign key constraint "eval_results_team_id_run_id_fkey"`},
		{"status", "eval_results", `{"team_id":"%T","run_id":"20000000-0000-4000-8000-00000000dead","case_id":1,"status":4,"run_at":"2026-11-20"}`,
			`400 23514 new row for relation "eval_results" violates check constraint "eval_results_status_check"`},
		{"no uuid", "qa_reports", with(report, `"id":"x"`), `400 22P02 invalid input syntax for type uuid: "x"`},
		{"no int", "eval_runs", with(run, `"attempt":"many"`), `400 22P02 invalid input syntax for type integer: "many"`},
		{"fraction", "eval_runs", with(run, `"attempt":1.5`), `400 22P02 invalid input syntax for type integer: "1.5"`},
		{"large int", "eval_runs", with(run, `"attempt":99999999999`), `400 22003 value "99999999999" is out of range for type integer`},
		{"large decimal", "eval_runs", with(run, `"total_cost_usd":1e9`), `400 22003 numeric field overflow`},
		{"no decimal", "eval_runs", with(run, `"total_cost_usd":"free"`), `400 22P02 invalid input syntax for type numeric: "free"`},
		{"no time", "eval_runs", with(run, `"run_at":"soon"`), `400 22007 invalid input syntax for type timestamp with time zone: "soon"`},
		{"no moment", "eval_runs", with(run, `"run_at":"infinity"`), `400 22007 invalid input syntax for type timestamp with time zone: "infinity"`},
		{"no such day", "retro_snapshots", `{"team_id":"%T","ingest_key":"k9","repo_slug":"a/b","date":"2026-02-30"}`, `400 22008 date/time field value out of range: "2026-02-30"`},
		{"no bool", "eval_runs", with(run, `"git_dirty":"maybe"`), `400 22P02 invalid input syntax for type boolean: "maybe"`},
		{"list", "ship_logs", `{"team_id":"%T","ingest_key":"k9","repo_slug":"a/b","todos_completed":"a,b"}`, `400 22P02 expected JSON array of texts`},
		{"null byte", "qa_reports", with(report, `"mode":"a\u0000b"`), `400 22P05 unsupported Unicode escape sequence`},
		{"null byte in JSON", "qa_reports", with(report, `"issues":{"a":"\u0000"}`), `400 22P05 unsupported Unicode escape sequence`},
		{"by hand only", "daily_evals", `{"team_id":"%T","day":"2026-01-01","repo_slug":"a","label":"b","suite":"c"}`, `403 42501 permission denied for table daily_evals`},
		{"a member", "team_members", `{"team_id":"%T","user_id":"20000000-0000-4000-8000-000000000001","role":"owner"}`, `403 42501 permission denied for table team_members`},
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		me := dbtest.Member(t, d, team, "member")
		mustInsert(t, d, me, write(t, "qa_reports", team, `{"team_id":"%T","id":"30000000-0000-4000-8000-000000000001","ingest_key":"taken","repo_slug":"a/b","url":"u"}`))
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				_, err := insert(t, d, me, write(t, test.table, team, test.row))
				wants(t, err, me, test.want)
				if e := Explain(err, me); e != nil && strings.HasPrefix(e.Code, "23") && e.Code != "23503" && e.Details != nil {
					t.Errorf("details %q tell what row-level security hides", *e.Details)
				}
			})
		}
	})
}

// TestForbidden holds what somebody may not do, in each role.
func TestForbidden(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ours, theirs := dbtest.Team(t, d, "ours"), dbtest.Team(t, d, "theirs")
		me, other := dbtest.Member(t, d, ours, "member"), dbtest.Member(t, d, theirs, "owner")
		admin := dbtest.Member(t, d, ours, "admin")
		dbtest.Member(t, d, ours, "owner")
		anon := db.Identity{Role: db.Anon}
		rls := `403 42501 new row violates row-level security policy for table "qa_reports"`
		report := `{"team_id":"%T","id":"30000000-0000-4000-8000-000000000001","ingest_key":"k","repo_slug":"a/b","url":"u"`

		_, err := selects(t, d, anon, query("qa_reports"))
		wants(t, err, anon, "401 42501 permission denied for table qa_reports")
		_, err = insert(t, d, anon, write(t, "qa_reports", ours, with(report, "")))
		wants(t, err, anon, "401 42501 permission denied for table qa_reports")
		_, err = insert(t, d, me, write(t, "qa_reports", theirs, with(report, "")))
		wants(t, err, me, rls)
		_, err = insert(t, d, me, write(t, "qa_reports", ours, with(report, `"user_id":"`+admin.User.String()+`"`)))
		wants(t, err, me, rls)
		_, err = insert(t, d, me, write(t, "qa_reports", ours, `{"ingest_key":"k","repo_slug":"a/b","url":"u"}`))
		wants(t, err, me, rls)
		// One row of others spoils them all.
		_, err = insert(t, d, me, write(t, "qa_reports", ours, with(report, ""), `{"team_id":"`+theirs.String()+`","ingest_key":"k2","repo_slug":"a/b","url":"u"}`))
		wants(t, err, me, rls)
		same(t, mustSelect(t, d, me, query("qa_reports")).Rows, `[]`)

		mustInsert(t, d, me, write(t, "qa_reports", ours, with(report, "")))
		mustInsert(t, d, other, write(t, "qa_reports", theirs, with(report, `"url":"theirs"`)))
		set := func(team uuid.UUID, row string) *postgrest.Write { return write(t, "qa_reports", team, row) }
		// Rows of others are as if they were not there.
		a, err := update(d, admin, set(ours, `{"url":"x"}`))
		if err != nil || a.Affected != 0 {
			t.Errorf("an admin changed %v rows of a member (%v)", a, err)
		}
		a, err = update(d, me, set(ours, `{"url":"x"}`))
		if err != nil || a.Affected != 1 {
			t.Errorf("I changed %v rows (%v), want my own", a, err)
		}
		_, err = update(d, me, set(theirs, `{"team_id":"%T"}`))
		wants(t, err, me, rls)
		_, err = update(d, me, set(ours, `{"user_id":"`+admin.User.String()+`"}`))
		wants(t, err, me, rls)
		a, err = update(d, me, set(theirs, `{"team_id":"%T"}`), on("qa_reports", "url", postgrest.Eq, "theirs"))
		if err != nil || a.Affected != 0 {
			t.Errorf("their row: %v (%v)", a, err)
		}
		_, err = update(d, me, write(t, "eval_runs", ours, `{"label":"x"}`))
		wants(t, err, me, "403 42501 permission denied for table eval_runs")
		a, err = remove(d, me, query("qa_reports"))
		if err != nil || a.Affected != 0 {
			t.Errorf("a member deleted %v (%v)", a, err)
		}
		a, err = remove(d, admin, query("qa_reports"))
		if err != nil || a.Affected != 1 {
			t.Errorf("an admin deleted %v (%v), want the one row of ours", a, err)
		}
		got := mustSelect(t, d, other, query("qa_reports", on("qa_reports", "url", postgrest.Eq, "theirs")))
		if got.Total != 1 {
			t.Errorf("their row is gone")
		}
	})
}

func TestFilterErrors(t *testing.T) {
	t.Parallel()
	f := func(name, path string, op postgrest.Op, values ...string) *postgrest.Query {
		return query(name, on(name, path, op, values...))
	}
	tests := []struct {
		q    *postgrest.Query
		want string
	}{
		{f("eval_runs", "id", postgrest.Eq, "x"), `400 22P02 invalid input syntax for type uuid: "x"`},
		{f("eval_runs", "passed", postgrest.In, "1", "x"), `400 22P02 invalid input syntax for type integer: "x"`},
		{f("eval_runs", "passed", postgrest.Gt, "3000000000"), `400 22003 value "3000000000" is out of range for type integer`},
		{f("eval_runs", "run_at", postgrest.Gt, "x"), `400 22007 invalid input syntax for type timestamp with time zone: "x"`},
		{f("daily_evals", "day", postgrest.Gt, "2026-13-01"), `400 22008 date/time field value out of range: "2026-13-01"`},
		{f("eval_runs", "passed", postgrest.Is, "true"), `400 42804 argument of IS TRUE must be type boolean, not type integer`},
		{f("eval_runs", "label", postgrest.Eq, "a\x00"), `400 22021 invalid byte sequence for encoding "UTF8"`},
		{f("eval_runs", "team_id", postgrest.Eq, "' or 1=1 --"), `400 22P02 invalid input syntax for type uuid: "' or 1=1 --"`},
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		me := dbtest.Member(t, d, dbtest.Team(t, d, "acme"), "member")
		for _, test := range tests {
			_, err := selects(t, d, me, test.q)
			wants(t, err, me, test.want)
		}
	})
}

func TestUpserts(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		me, other := dbtest.Member(t, d, team, "member"), dbtest.Member(t, d, team, "owner")
		report := func(resolution, url string) *postgrest.Write {
			w := write(t, "qa_reports", team, `{"team_id":"%T","ingest_key":"k","repo_slug":"a/b","url":"`+url+`"}`)
			w.Resolution, w.OnConflict = resolution, []string{"team_id", "ingest_key"}
			return w
		}
		mustInsert(t, d, me, report(ignore, "first"))
		a := mustInsert(t, d, me, report(ignore, "second"))
		if a.Affected != 0 || len(a.Rows) != 0 {
			t.Errorf("ignored: %v", a)
		}
		a = mustInsert(t, d, me, report(merge, "third"))
		if a.Affected != 1 {
			t.Errorf("merged: %v", a)
		}
		q := query("qa_reports")
		q.Select = show("qa_reports", "url")
		same(t, mustSelect(t, d, me, q).Rows, `[{"url":"third"}]`)
		_, err := insert(t, d, other, report(merge, "fourth"))
		wants(t, err, other, `403 42501 new row violates row-level security policy (USING expression) for table "qa_reports"`)
		w := report(merge, "x")
		w.OnConflict = []string{"url"}
		_, err = insert(t, d, me, w)
		wants(t, err, me, "400 42P10 there is no unique or exclusion constraint matching the ON CONFLICT specification")
		twice := report(merge, "x")
		twice.Rows = append(twice.Rows, twice.Rows[0])
		_, err = insert(t, d, me, twice)
		wants(t, err, me, "400 21000 ON CONFLICT DO UPDATE command cannot affect row a second time")
		runs := write(t, "eval_runs", team, with(run, ""))
		runs.Resolution = merge
		_, err = insert(t, d, me, runs)
		wants(t, err, me, "403 42501 permission denied for table eval_runs")
		channel := write(t, "team_channels", team, `{"team_id":"%T","id":"40000000-0000-4000-8000-000000000001","kind":"slack","name":"n","target":"https://hooks.example/a"}`)
		mustInsert(t, d, other, channel)
		channel.Resolution = merge // no update may set a target, so no upsert may
		_, err = insert(t, d, other, channel)
		wants(t, err, other, "403 42501 permission denied for table team_channels")
		runs.Resolution = ignore
		mustInsert(t, d, me, runs)
		if a := mustInsert(t, d, me, runs); a.Affected != 0 {
			t.Errorf("a run was stored twice")
		}
	})
}

func TestRegistryHasKeys(t *testing.T) {
	t.Parallel()
	for _, tab := range table.All() {
		for _, c := range append(append([]string{tab.Team}, tab.Key...), tab.Updatable...) {
			if tab.Column(c) == nil {
				t.Errorf("%s has no column %s", tab.Name, c)
			}
		}
	}
}

// What PostgreSQL says of a full disk names a file of the database.
func TestFullDisk(t *testing.T) {
	full := &pgconn.PgError{Code: "53100", Message: `could not extend file "base/5/16575": No space left on device`}
	wants(t, full, db.Identity{}, "503 53100 the disk is full")
}
