package replica

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/client"
	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/server/access"
	"cairn/internal/team/server/rest"
	"cairn/internal/team/table"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

// A member asks the server's own handler of tables, as a client would.
type member struct {
	t      *testing.T
	rest   http.Handler
	token  string
	failOn string // a table
	lacks  string // a table
	asked  int
}

func newMember(t *testing.T, d *db.DB, as db.Identity) *member {
	keys, err := access.NewKeys([]byte(strings.Repeat("k", 32)), "http://x/auth/v1")
	if err != nil {
		t.Fatal(err)
	}
	c := access.Claims{Role: string(db.Authenticated)}
	c.Subject = as.User.String()
	token, _, err := keys.Sign(c)
	if err != nil {
		t.Fatal(err)
	}
	a := &access.Access{Keys: keys, Store: account.New(d)}
	return &member{t: t, rest: rest.New(d, a, slog.New(slog.DiscardHandler)), token: token}
}

func (m *member) Send(ctx context.Context, r client.Request, out any) error {
	if m.failOn != "" && r.Path == wire.Rest+m.failOn {
		return errors.New("the line is dead")
	}
	if m.lacks != "" && r.Path == wire.Rest+m.lacks {
		return &client.Error{Kind: client.ErrRefused, Status: 404, Code: "PGRST205"}
	}
	m.asked++
	var body []byte
	if r.Body != nil {
		body, _ = json.Marshal(r.Body)
	}
	req := httptest.NewRequest(r.Method, r.Path+"?"+r.Query.Encode(), bytes.NewReader(body)).WithContext(ctx)
	req.Header.Set("Authorization", "Bearer "+m.token)
	req.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	m.rest.ServeHTTP(w, req)
	if w.Code >= 300 {
		return fmt.Errorf("%s?%s: %d %s", r.Path, r.Query.Encode(), w.Code, w.Body)
	}
	return json.Unmarshal(w.Body.Bytes(), out)
}

// fill makes runs and records of a team: by who is in it, and by who left.
func fill(t *testing.T, d *db.DB, team uuid.UUID, as db.Identity, n int) {
	t.Helper()
	for i := range n {
		key := fmt.Sprintf("%s-%032d", as.User, i)
		p := wire.EvalPush{Team: team, Run: wire.EvalRun{ID: wire.RunID(team, key), RunAt: time.Now().UTC().AddDate(0, 0, -i).Truncate(time.Microsecond), IngestKey: key,
			RepoSlug: "acme/app", Label: "main", Branch: "main", Suite: "posts", TotalTests: 2, Passed: 1, Failed: 1, TotalCostUSD: 0.25,
			Cases:   []wire.EvalCase{{ID: 7, Suite: "posts", Name: "a"}, {ID: -8, Suite: "posts", Name: "b"}},
			Results: []wire.EvalResult{{CaseID: 7}, {CaseID: -8, Status: 1, Payload: jsontext.Value(`{"error":"e"}`)}},
			Costs:   []wire.EvalCost{{Model: "m", Calls: 2, EstimatedCostUSD: 0.25}}}}
		if err := d.Update(t.Context(), as, func(tx *db.Tx) error { _, err := ingest.Push(t.Context(), tx, as, p); return err }); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range []string{
		`insert into ship_logs (team_id, id, ingest_key, user_id, repo_slug, author, title) values (?, ?, ?, ?, 'acme/app', 'Ada', 'a title')`,
		`insert into retro_snapshots (team_id, id, ingest_key, user_id, repo_slug, date, metrics) values (?, ?, ?, ?, 'acme/app', '2026-03-01', '{"commits": 3}')`,
		`insert into qa_reports (team_id, id, ingest_key, user_id, repo_slug, url) values (?, ?, ?, ?, 'acme/app', 'http://x')`,
		`insert into greptile_triage (team_id, id, ingest_key, user_id, repo_slug, date, triage_type, file_pattern) values (?, ?, ?, ?, 'acme/app', '2026-03-01', 'fp', '*')`,
		`insert into plan_snapshots (team_id, id, ingest_key, user_id, repo_slug, phases) values (?, ?, ?, ?, 'acme/app', 3)`,
		`insert into usage_days (team_id, id, ingest_key, user_id, repo_slug, date, tokens_before) values (?, ?, ?, ?, 'acme/app', '2026-03-01', 12345678901)`,
		`insert into spend_days (team_id, id, ingest_key, user_id, repo_slug, day, source, usd_micros) values (?, ?, ?, ?, 'acme/app', '2026-03-01', 'ledger', 12345678901)`,
		`insert into session_transcripts (team_id, id, ingest_key, user_id, repo_slug, session_id) values (?, ?, ?, ?, 'acme/app', 'secret ' || hex(randomblob(8)))`,
	} {
		if d.Dialect() == db.PostgreSQL {
			q = strings.ReplaceAll(q, "hex(randomblob(8))", "gen_random_uuid()")
		}
		dbtest.Exec(t, d, q, team, uuid.New(), uuid.NewString(), as.User)
	}
}

// all are a team's rows of a table as a service sees them, without when they were changed.
func all(t *testing.T, d *db.DB, team uuid.UUID, tab *table.Table) string {
	t.Helper()
	var names []string
	for _, c := range tab.Columns {
		if !c.Hidden && c.Name != "updated_at" && (c.Name != "created_at" || tab.Authored && tab.Name != "spend_days") {
			names = append(names, c.Name)
		}
	}
	keys, err := access.NewKeys([]byte(strings.Repeat("k", 32)), "http://x/auth/v1")
	if err != nil {
		t.Fatal(err)
	}
	service, err := keys.Public(db.Service)
	if err != nil {
		t.Fatal(err)
	}
	m := &member{t: t, token: service, rest: rest.New(d, &access.Access{Keys: keys, Store: account.New(d)}, slog.New(slog.DiscardHandler))}
	var rows []jsontext.Value
	err = m.Send(t.Context(), client.Request{Method: http.MethodGet, Path: wire.Rest + tab.Name, Query: map[string][]string{
		"select": {strings.Join(names, ",")}, tab.Team: {"eq." + team.String()}, "order": {strings.Join(tab.Key, ",")}}}, &rows)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, r := range rows {
		if err := r.Canonicalize(); err != nil { // the databases write JSON with other spaces
			t.Fatal(err)
		}
		b.Write(r)
		b.WriteByte('\n')
	}
	return b.String()
}

// The copy has the same rows as the server, with sums, but no transcripts, no
// secrets and nothing of another team; again it asks only for what is new.
func TestRefresh(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team, other := dbtest.Team(t, d, "acme"), dbtest.Team(t, d, "beta")
		owner, left := dbtest.Member(t, d, team, "owner"), dbtest.Member(t, d, team, "member")
		stranger := dbtest.Member(t, d, other, "owner")
		fill(t, d, team, owner, 60)
		fill(t, d, team, left, 1)
		fill(t, d, other, stranger, 1)
		dbtest.Exec(t, d, `insert into alerts (team_id, id, repo_slug, suite, branch, kind, state, p, expected, observed, cases) values (?, ?, 'a/b', 's', 'main', 'eval', 'firing', 0.001, 0.9, 0.5, 50)`, team, uuid.New())
		dbtest.Exec(t, d, `insert into team_channels (team_id, id, kind, name, target) values (?, ?, 'slack', 'n', 'https://hooks.example/secret')`, team, uuid.New())
		dbtest.Exec(t, d, `delete from team_members where user_id = ?`, left.User)
		from := newMember(t, d, owner)
		dir := filepath.Join(t.TempDir(), "copy")
		pages := Wish{Team: team, Pages: true}
		refresh := func(w Wish) *Replica {
			t.Helper()
			r, err := Open(t.Context(), dir, true)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Refresh(t.Context(), from, w); err != nil {
				t.Fatal(err)
			}
			return r
		}
		same := func(r *Replica, not ...string) {
			t.Helper()
			not = append(not, "session_transcripts", "team_channels", "team_invites", "deliveries", "sync_heartbeats", "audit_log")
			for _, tab := range table.All() {
				want := all(t, d, team, tab)
				if slices.Contains(not, tab.Name) {
					want = ""
				}
				if got := all(t, r.DB, team, tab); got != want {
					t.Errorf("%s:\n got %.300s\nwant %.300s", tab.Name, got, want)
				}
				if got := all(t, r.DB, other, tab); got != "" {
					t.Errorf("%s of another team: %s", tab.Name, got)
				}
			}
		}
		// A line that dies in the middle leaves a copy that the next refresh completes.
		r, err := Open(t.Context(), dir, true)
		if err != nil {
			t.Fatal(err)
		}
		from.failOn = "eval_payloads"
		if _, err := r.Refresh(t.Context(), from, pages); err == nil || !r.Fresh().IsZero() {
			t.Fatalf("a dead line: %v, fresh %s", err, r.Fresh())
		}
		r.Close()

		dir = filepath.Join(t.TempDir(), "another")
		// A pull needs no results; of one run they come when they are asked for.
		from.failOn, from.lacks = "", "usage_days"
		older, err := Open(t.Context(), filepath.Join(t.TempDir(), "older"), true)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := older.Refresh(t.Context(), from, Wish{Team: team}); err != nil || got.New != 61+2*6 || len(got.Skipped) != 1 || !strings.Contains(got.Skipped[0], "has no table usage_days") {
			t.Errorf("an older server: %+v, %v", got, err)
		}
		older.Close()
		from.lacks = ""
		r = refresh(Wish{Team: team})
		same(r, "eval_results", "eval_payloads", "eval_cases", "team_settings", "alerts")
		var runs []struct {
			ID uuid.UUID `json:"id"`
		}
		if err := r.Rows(t.Context(), "eval_runs", &runs); err != nil || len(runs) != 61 {
			t.Fatalf("%d runs, %v", len(runs), err)
		}
		for range 2 {
			from.asked = 0
			run, err := r.Run(t.Context(), from, runs[60].ID)
			if err != nil || len(run.Results) != 2 || string(run.Results[0].Payload) != `{"error":"e"}` || len(run.Costs) != 1 || len(run.Cases) != 2 {
				t.Errorf("%+v, %v", run, err)
			}
		}
		if from.asked != 0 {
			t.Errorf("a run that is here is asked for %d times", from.asked)
		}
		r.Close()

		r = refresh(pages)
		same(r)
		if left := all(t, r.DB, team, table.Find("team_members")); strings.Count(left, "\n") != 1 {
			t.Errorf("members: %s", left)
		}

		// What is new comes, to whichever of two processes asks, and they ask for no more than that.
		fill(t, d, team, dbtest.Member(t, d, team, "member"), 2)
		dbtest.Exec(t, d, `update alerts set state = 'resolved'`)
		second := refresh(pages)
		from.asked = 0
		if got, err := r.Refresh(t.Context(), from, pages); err != nil || got.New != 0 || from.asked > 20 {
			t.Errorf("%+v, %v, asked %d times", got, err, from.asked)
		}
		same(r)
		same(second)
		second.Close()

		// All of it is asked for again, and what is gone there goes here; a copy that is broken is made anew.
		dbtest.Exec(t, d, `delete from eval_runs where user_id = ?`, owner.User)
		dbtest.Exec(t, d, `delete from team_members where role = 'member'`)
		if got, err := r.Refresh(t.Context(), from, Wish{Team: team, Pages: true, Anew: true}); err != nil || got.New != 0 {
			t.Errorf("%+v, %v", got, err)
		}
		same(r)
		r.Close()
		if err := os.WriteFile(filepath.Join(dir, "team.db"), bytes.Repeat([]byte("no database"), 1000), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), dir, false); !errors.Is(err, ErrDamaged) {
			t.Errorf("a damaged copy: %v", err)
		}
		r = refresh(pages)
		same(r)
		r.Close()
	})
}
