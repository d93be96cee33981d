package quota_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/db/quota"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

var ctx = context.Background()

// limit gives a team a limit of one kind.
func limit(t *testing.T, d *db.DB, team uuid.UUID, kind quota.Kind, n int64) {
	t.Helper()
	err := d.Update(ctx, db.ServerItself, func(tx *db.Tx) error { return quota.Set(ctx, tx, team, quota.Limits{kind: n}) })
	if err != nil {
		t.Fatal(err)
	}
}

func used(t *testing.T, d *db.DB, team uuid.UUID, kind quota.Kind) int64 {
	t.Helper()
	var list []wire.Quota
	err := d.View(ctx, db.ServerItself, func(tx *db.Tx) (err error) {
		list, err = quota.Of(ctx, tx, team, time.Now())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range list {
		if q.Kind == string(kind) {
			return q.Used
		}
	}
	t.Fatalf("no %s", kind)
	return 0
}

// counters is what the triggers and writers counted, by month.
func counters(t *testing.T, d *db.DB, team uuid.UUID) string {
	t.Helper()
	var out []string
	err := d.View(ctx, db.ServerItself, func(tx *db.Tx) error {
		rows, err := tx.Query(ctx, `select month, sum(n_rows), sum(n_bytes) from cairn.team_usage where team_id = ? group by month
			having sum(n_rows) <> 0 or sum(n_bytes) <> 0 order by month`, team)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var month string
			var n, size int64
			if err := rows.Scan(&month, &n, &size); err != nil {
				return err
			}
			out = append(out, fmt.Sprintf("%q: %d rows, %d bytes", month, n, size))
		}
		return rows.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, "\n")
}

// exact checks that a count of the rows themselves corrects nothing.
func exact(t *testing.T, d *db.DB, team uuid.UUID, when string) string {
	t.Helper()
	before := counters(t, d, team)
	if err := quota.Count(ctx, d, team); err != nil {
		t.Fatal(err)
	}
	if after := counters(t, d, team); after != before {
		t.Errorf("%s: counted\n%s\nand there is\n%s", when, before, after)
	}
	return before
}

// aRun has so many cases with a result each, and of every second one a payload.
func aRun(team uuid.UUID, key string, at time.Time, cases, payload int) wire.EvalPush {
	key += "." + strings.Repeat("0", 63-len(key))
	p := wire.EvalPush{Team: team, Run: wire.EvalRun{ID: wire.RunID(team, key), RunAt: at, IngestKey: key, RepoSlug: "acme/app", Label: "main", Suite: "posts",
		TotalTests: cases, Passed: cases, Meta: jsontext.Value(`{"version": "1.2", "list": [1, 2]}`), Costs: []wire.EvalCost{{Model: "m1", Calls: 2}}}}
	for i := range cases {
		id := wire.CaseID("acme/app", "posts", fmt.Sprint("case ", i), "")
		p.Run.Cases = append(p.Run.Cases, wire.EvalCase{ID: id, Suite: "posts", Name: fmt.Sprint("case ", i)})
		r := wire.EvalResult{CaseID: id}
		if i%2 == 0 && payload > 0 {
			r.Payload = jsontext.Value(`{"output": "` + strings.Repeat("xyz ", payload/4) + `"}`)
		}
		p.Run.Results = append(p.Run.Results, r)
	}
	return p
}

// bodies are a row of each table that requests can insert into.
var bodies = map[string]string{
	"eval_runs":           `{"id":"$id","run_at":"$at","ingest_key":"$id","repo_slug":"a","label":"l","total_tests":0,"passed":0,"failed":0,"meta":{"a":"$long"}}`,
	"eval_results":        `{"run_id":"$run","run_at":"$at","case_id":$n,"status":0}`,
	"eval_payloads":       `{"run_id":"$run","run_at":"$at","case_id":$n,"payload":{"a":"$long"}}`,
	"eval_costs":          `{"run_id":"$run","run_at":"$at","model":"$id"}`,
	"eval_labels":         `{"run_id":"$run","case_id":$n,"criterion":"accuracy $n","pass":true}`,
	"retro_snapshots":     `{"ingest_key":"$id","repo_slug":"a","date":"2026-03-02","metrics":{"a":"$long"},"authors":{}}`,
	"qa_reports":          `{"ingest_key":"$id","repo_slug":"a","url":"u","report_markdown":"$long","issues":[1,2,{"a":"b"}]}`,
	"ship_logs":           `{"ingest_key":"$id","repo_slug":"a","version":"1","todos_completed":["$long","b"],"review_findings":{"a":"$long"}}`,
	"greptile_triage":     `{"ingest_key":"$id","repo_slug":"a","date":"2026-03-02","triage_type":"fp","file_pattern":"f"}`,
	"session_transcripts": `{"ingest_key":"$id","repo_slug":"a","session_id":"$id","messages":[{"text":"$long"}],"summary":"s"}`,
	"plan_snapshots":      `{"ingest_key":"$id","repo_slug":"a","detail":{"a":"$long"}}`,
	"spend_days":          `{"ingest_key":"$id","repo_slug":"a","day":"2026-03-02","source":"ledger","session":"$id","model":"m"}`,
	"usage_days":          `{"ingest_key":"$id","repo_slug":"a","date":"2026-03-02","tools":{"a":1}}`,
	"sync_heartbeats":     `{"hostname":"h"}`,
}

// A world is a team with a member, a token's repository and a run.
type world struct {
	d    *db.DB
	team uuid.UUID
	as   db.Identity
	run  wire.EvalPush
	n    int
}

func newWorld(t *testing.T, d *db.DB, slug string) *world {
	t.Helper()
	w := &world{d: d, team: dbtest.Team(t, d, slug)}
	w.as = dbtest.Member(t, d, w.team, "owner")
	w.run = aRun(w.team, "first", dbtest.Day(1), 2, 100)
	if _, err := ingest.Store(ctx, d, w.as, w.run); err != nil {
		t.Fatal(err)
	}
	return w
}

// insert writes a row as a request to its table does.
func (w *world) insert(name, query, body string) error {
	w.n++
	body = strings.NewReplacer("$id", uuid.NewString(), "$run", w.run.Run.ID.String(), "$at", w.run.Run.RunAt.Format(time.RFC3339Nano), "$n", fmt.Sprint(1000+w.n),
		"$long", strings.Repeat("lorem ", 2000)).Replace(body)
	body = `{"team_id":"` + w.team.String() + `",` + body[1:]
	write, bad := postgrest.ParseInsert(table.Find(name), query, []byte(body), postgrest.Preferences{})
	if bad != nil {
		return bad
	}
	return w.d.Update(ctx, w.as, func(tx *db.Tx) error { return rows.Insert(ctx, tx, w.as, write, false, &rows.Answer{}) })
}

func (w *world) invite(email string) error {
	return w.d.Update(ctx, w.as, func(tx *db.Tx) error {
		_, err := rows.Call(ctx, tx, w.as, "invite_member", map[string]jsontext.Value{"p_team": jsontext.Value(`"` + w.team.String() + `"`), "p_email": jsontext.Value(`"` + email + `"`)})
		return err
	})
}

func (w *world) delete(name, query string) error {
	q, bad := postgrest.ParseDelete(table.Find(name), query)
	if bad != nil {
		return bad
	}
	return w.d.Update(ctx, w.as, func(tx *db.Tx) error { return rows.Delete(ctx, tx, w.as, q, false, &rows.Answer{}) })
}

// ways are all ways by which a member's request stores something.
func (w *world) ways(t *testing.T) map[string]func() error {
	key := func() string { w.n++; return fmt.Sprintf("way%d", w.n) }
	staged := func(cases int) error {
		p := aRun(w.team, key(), dbtest.Day(1), cases, 100)
		body := fmt.Sprintf(`{"cases":[{"id":1,"suite":"posts","name":"part %s"}],"results":[{"case_id":1,"status":0,"payload":{"a":"b"}}]}`, p.Run.IngestKey)
		if err := ingest.StorePart(ctx, w.d, w.as, ingest.Part{Team: w.team, Key: p.Run.IngestKey, Body: jsontext.Value(body)}); err != nil {
			return err
		}
		p.Run.Cases, p.Run.Results, p.Run.Parts = nil, nil, 1
		p.Run.TotalTests, p.Run.Passed = 1, 1
		_, err := ingest.Store(ctx, w.d, w.as, p)
		return err
	}
	all := map[string]func() error{
		"push": func() error {
			_, err := ingest.Store(ctx, w.d, w.as, aRun(w.team, key(), dbtest.Day(1), 2, 100))
			return err
		},
		"push in the caller's transaction": func() error {
			return w.d.Update(ctx, w.as, func(tx *db.Tx) error {
				_, err := ingest.Push(ctx, tx, w.as, aRun(w.team, key(), dbtest.Day(40), 2, 100))
				return err
			})
		},
		"large push": func() error {
			_, err := ingest.Store(ctx, w.d, w.as, aRun(w.team, key(), dbtest.Day(1), 4_100, 40))
			return err
		},
		"push in parts": func() error { return staged(2) },
	}
	for name, body := range bodies {
		all["insert into "+name] = func() error { return w.insert(name, "", body) }
	}
	all["insert into eval_cases"] = func() error {
		name := key()
		return w.insert("eval_cases", "", fmt.Sprintf(`{"id":%d,"repo_slug":"a","name":"%s"}`, wire.CaseID("a", "", name, ""), name))
	}
	if w.d.Dialect() == db.PostgreSQL { // as a server of the version before does
		all["function"] = func() error {
			body := fmt.Sprintf(`{"id":"%s","run_at":"2026-03-02T00:00:00Z","ingest_key":"%s00000000000000000000","repo_slug":"a","label":"l","total_tests":0,"passed":0,"failed":0}`, uuid.New(), key())
			return w.d.Update(ctx, w.as, func(tx *db.Tx) error {
				_, err := tx.Exec(ctx, `select public.push_eval_run(?, ?::jsonb)`, w.team, body)
				return err
			})
		}
	}
	return all
}

// Every way in counts what it stores, to the row and byte, and is refused at the
// limit with the kind, the numbers and what to do; other teams are not.
func TestEveryWayIn(t *testing.T) {
	t.Parallel()
	for _, tab := range table.All() {
		if tab.Insert != table.Nobody && bodies[tab.Name] == "" && tab.Name != "eval_cases" && !strings.HasPrefix(tab.Name, "team_") {
			t.Errorf("members may insert into %s, and it is not among the ways", tab.Name)
		}
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, other := newWorld(t, d, "one"), newWorld(t, d, "other")
		for way, store := range w.ways(t) {
			before := used(t, d, w.team, quota.Rows)
			if err := store(); err != nil {
				t.Fatalf("%s: %v", way, err)
			}
			if used(t, d, w.team, quota.Rows) <= before {
				t.Errorf("%s: nothing was counted", way)
			}
			exact(t, d, w.team, way)
			for _, kind := range [...]quota.Kind{quota.Rows, quota.Bytes} {
				full := used(t, d, w.team, kind)
				limit(t, d, w.team, kind, full)
				state := counters(t, d, w.team)
				e := rows.Explain(store(), w.as)
				if kind == quota.Bytes && way == "insert into eval_results" {
					if e != nil {
						t.Errorf("%s: a row without texts at the limit of bytes: %v", way, e)
					}
				} else if e == nil || e.Status != 507 || e.Quota != string(kind) || e.Hint == nil || !strings.Contains(*e.Hint, "cairn serve team quota") ||
					!strings.Contains(e.Message, fmt.Sprintf("may store at most %d %s", full, kind)) {
					t.Errorf("%s at the limit of %s: %+v", way, kind, e)
				} else if after := counters(t, d, w.team); after != state {
					t.Errorf("%s: what was refused was counted: %s, before %s", way, after, state)
				}
				limit(t, d, w.team, kind, 0)
			}
			exact(t, d, w.team, way+", refused")
		}
		for way, store := range other.ways(t) {
			limit(t, d, w.team, quota.Rows, 1)
			if err := store(); err != nil {
				t.Errorf("%s of another team: %v", way, err)
			}
		}
	})
}

// Deletion gives room back, and works over the limit: so does a dropped month.
func TestRoomComesBack(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d, "one")
		for way, store := range w.ways(t) {
			if err := store(); err != nil {
				t.Fatalf("%s: %v", way, err)
			}
		}
		push := func(key string) error {
			_, err := ingest.Store(ctx, d, w.as, aRun(w.team, key, dbtest.Day(70), 2, 100))
			return err
		}
		if err := push("old"); err != nil {
			t.Fatal(err)
		}
		limit(t, d, w.team, quota.Rows, 3)
		if e := rows.Explain(push("more"), w.as); e == nil || e.Quota != "rows" {
			t.Fatalf("over the limit: %v", e)
		}
		dbtest.Exec(t, d, `update eval_runs set user_id = null where team_id = ?`, w.team) // somebody leaves
		if _, err := d.DropMonthsBefore(ctx, dbtest.Day(31)); err != nil {
			t.Fatal(err)
		}
		exact(t, d, w.team, "a month was dropped")
		for _, name := range [...]string{"eval_labels", "eval_runs", "retro_snapshots", "qa_reports", "ship_logs", "greptile_triage", "session_transcripts", "plan_snapshots", "usage_days", "spend_days"} {
			if err := w.delete(name, "team_id=eq."+w.team.String()); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			exact(t, d, w.team, "deleted from "+name)
		}
		limit(t, d, w.team, quota.Rows, used(t, d, w.team, quota.Rows)+7)
		if err := push("again"); err != nil {
			t.Errorf("there is room again: %v", err)
		}
		if dbtest.Exec(t, d, `delete from teams where id = ?`, w.team); counters(t, d, w.team) != "" {
			t.Errorf("of a deleted team there is %s", counters(t, d, w.team))
		}
	})
}
