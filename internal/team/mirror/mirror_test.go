package mirror

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

func (m *member) People(ctx context.Context, team uuid.UUID) (people []client.Person, err error) {
	return people, m.Send(ctx, client.Request{Method: http.MethodPost, Path: wire.TeamPeople, Body: map[string]any{"p_team": team}}, &people)
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

// all are a team's rows of a table as a service sees them, without stamps of the server.
func all(t *testing.T, d *db.DB, team uuid.UUID, tab *table.Table) string {
	t.Helper()
	var names []string
	for _, c := range tab.Columns {
		if !c.Hidden && c.Name != "created_at" && c.Name != "updated_at" {
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
		"select": {strings.Join(names, ",")}, tab.Team: {"eq." + team.String()}, "order": {orderOf(tab)}}}, &rows)
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
		dir := filepath.Join(t.TempDir(), "mirror")
		refresh := func() *Mirror {
			t.Helper()
			m, err := Open(t.Context(), dir, team, false)
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Refresh(t.Context(), from, func(string, int) {}); err != nil {
				t.Fatal(err)
			}
			return m
		}
		same := func(m *Mirror) {
			t.Helper()
			for _, tab := range table.All() {
				want := all(t, d, team, tab)
				switch tab.Name {
				case "session_transcripts", "team_channels", "team_invites", "deliveries", "sync_heartbeats", "audit_log":
					want = ""
				}
				if got := all(t, m.DB, team, tab); got != want {
					t.Errorf("%s:\n got %.300s\nwant %.300s", tab.Name, got, want)
				}
				if got := all(t, m.DB, other, tab); got != "" {
					t.Errorf("%s of another team: %s", tab.Name, got)
				}
			}
		}
		// A line that dies in the middle leaves a copy that the next refresh completes.
		m, err := Open(t.Context(), dir, team, false)
		if err != nil {
			t.Fatal(err)
		}
		from.failOn = "eval_payloads"
		if err := m.Refresh(t.Context(), from, func(string, int) {}); err == nil || !m.Fresh().IsZero() {
			t.Fatalf("a dead line: %v, fresh %s", err, m.Fresh())
		}
		if _, err := Open(t.Context(), dir, team, false); !errors.Is(err, ErrBusy) {
			t.Fatalf("a second process: %v", err)
		}
		m.Close()
		from.failOn = ""
		m = refresh()
		same(m)
		if left := all(t, m.DB, team, table.Find("team_members")); strings.Count(left, "\n") != 1 {
			t.Errorf("members: %s", left)
		}

		fill(t, d, team, dbtest.Member(t, d, team, "member"), 2)
		dbtest.Exec(t, d, `update alerts set state = 'resolved'`)
		if err := m.Refresh(t.Context(), from, func(string, int) {}); err != nil {
			t.Fatal(err)
		}
		same(m)
		m.Close()

		// A day later all of it is asked for again, and a copy that is broken is made anew.
		if err := os.WriteFile(filepath.Join(dir, "state.json"), []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
		dbtest.Exec(t, d, `delete from eval_runs where user_id = ?`, owner.User)
		m = refresh()
		defer m.Close()
		same(m)
	})
}
