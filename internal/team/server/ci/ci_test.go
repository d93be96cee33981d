package ci

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/server/access"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

const serverURL = "https://cairn.example"

// A world is a server with two teams.
type world struct {
	t        *testing.T
	db       *db.DB
	accounts *account.Accounts
	access   *access.Access
	handler  http.Handler
	inner    *handler
	log      bytes.Buffer
	team     uuid.UUID
	people   map[string]uuid.UUID // by role; "other" owns another team
}

// worlds runs a test on both databases.
func worlds(t *testing.T, c Config, test func(*testing.T, *world)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := &world{t: t, db: d, accounts: account.New(d), team: uuid.New(), people: map[string]uuid.UUID{}}
		other := uuid.New()
		w.do(`insert into teams (id, name, slug) values (?, 'One', 'one'), (?, 'Two', 'two')`, w.team, other)
		for _, role := range []string{"owner", "admin", "member", "other"} {
			w.people[role] = uuid.New()
			w.do(`insert into auth.users (id, email) values (?, ?)`, w.people[role], role+"@one.test")
			if role == "other" {
				w.do(`insert into team_members (team_id, user_id, role) values (?, ?, 'owner')`, other, w.people[role])
			} else {
				w.do(`insert into team_members (team_id, user_id, role) values (?, ?, ?)`, w.team, w.people[role], role)
			}
		}
		keys, err := access.NewKeys(bytes.Repeat([]byte("k"), access.MinSecret), serverURL+"/auth/v1")
		if err != nil {
			t.Fatal(err)
		}
		w.access = &access.Access{Keys: keys, Store: w.accounts}
		c.Store, c.Access, c.Log, c.URL = w.accounts, w.access, slog.New(slog.NewTextHandler(&w.log, nil)), serverURL
		w.inner = newHandler(c)
		w.handler = w.inner.routes()
		test(t, w)
	})
}

func (w *world) do(query string, args ...any) {
	w.t.Helper()
	ctx := context.Background()
	if err := w.db.Update(ctx, db.ServerItself, func(tx *db.Tx) error { _, err := tx.Exec(ctx, query, args...); return err }); err != nil {
		w.t.Fatal(err)
	}
}

// as is the access token of one of the people.
func (w *world) as(who string) string {
	token, _, err := w.access.Keys.Sign(access.Claims{RegisteredClaims: jwt.RegisteredClaims{Subject: w.people[who].String()}, Role: "authenticated"})
	if err != nil {
		w.t.Fatal(err)
	}
	return token
}

// ask sends a request and returns the answer's status and body. A text is sent
// as it is, "" is no body, and everything else as JSON.
func (w *world) ask(method, path, token string, body any) (int, []byte) {
	w.t.Helper()
	var in io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		in = strings.NewReader(b)
	default:
		data, err := json.Marshal(body)
		if err != nil {
			w.t.Fatal(err)
		}
		in = bytes.NewReader(data)
	}
	r := httptest.NewRequest(method, path, in)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	out := httptest.NewRecorder()
	w.handler.ServeHTTP(out, r)
	if out.Code >= 400 {
		var e map[string]any
		if json.Unmarshal(out.Body.Bytes(), &e) != nil || len(e) != 4 || e["code"] == "" || e["message"] == "" {
			w.t.Errorf("%s %s: %d %s, want PostgREST's shape", method, path, out.Code, out.Body)
		}
	}
	if strings.Contains(out.Body.String(), wire.TokenPrefix) && out.Header().Get("Cache-Control") != "no-store" {
		w.t.Error("an answer with a token may be kept")
	}
	return out.Code, out.Body.Bytes()
}

func decode[T any](t *testing.T, data []byte) (v T) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return v
}

func TestTokens(t *testing.T) {
	t.Parallel()
	worlds(t, Config{}, func(t *testing.T, w *world) {
		list := wire.Tokens + "?team_id=" + w.team.String()
		want := wire.NewToken{TeamID: w.team, Name: "nightly", Scopes: []string{"read", "ingest", "read"}, RepoSlug: "o/r"}
		status, data := w.ask("POST", wire.Tokens, w.as("admin"), want)
		made := decode[wire.Token](t, data)
		if status != 201 || !strings.HasPrefix(made.Token, wire.TokenPrefix) || strings.Join(made.Scopes, " ") != "ingest read" || made.ExpiresAt != nil {
			t.Fatalf("%d %s", status, data)
		}
		status, data = w.ask("GET", list, w.as("owner"), nil)
		if seen := decode[[]wire.Token](t, data); status != 200 || len(seen) != 1 || seen[0].ID != made.ID || seen[0].Prefix != made.Prefix || strings.Contains(string(data), made.Token) {
			t.Fatalf("%d %s", status, data)
		}
		service, _ := w.access.Keys.Public(db.Service)
		anon, _ := w.access.Keys.Public(db.Anon)
		one := wire.Tokens + "/" + made.ID.String()
		for _, x := range []struct {
			who, token          string
			makes, lists, takes int
		}{
			{"a member", w.as("member"), 403, 403, 404}, {"another team's owner", w.as("other"), 403, 403, 404},
			{"the token itself", made.Token, 403, 403, 403}, {"the service key", service, 403, 403, 403},
			{"the public key", anon, 401, 401, 401}, {"nobody", "", 401, 401, 401}, {"a forged token", w.as("owner") + "x", 401, 401, 401},
			{"an unknown token of CI", wire.TokenPrefix + strings.Repeat("0", 46), 401, 401, 401},
		} {
			if status, data := w.ask("POST", wire.Tokens, x.token, want); status != x.makes {
				t.Errorf("%s makes: %d %s", x.who, status, data)
			}
			if status, data := w.ask("GET", list, x.token, nil); status != x.lists {
				t.Errorf("%s lists: %d %s", x.who, status, data)
			}
			if status, data := w.ask("DELETE", one, x.token, nil); status != x.takes {
				t.Errorf("%s revokes: %d %s", x.who, status, data)
			}
		}
		if status, data := w.ask("DELETE", one, w.as("owner"), nil); status != 200 || decode[wire.Token](t, data).RevokedAt == nil {
			t.Errorf("%d %s", status, data)
		}
		if status, _ := w.ask("GET", list, made.Token, nil); status != 401 {
			t.Errorf("a revoked token: %d", status)
		}
		if strings.Contains(w.log.String(), made.Token) {
			t.Error("the token is in the log")
		}
	})
}

func TestBadRequests(t *testing.T) {
	t.Parallel()
	worlds(t, Config{}, func(t *testing.T, w *world) {
		good := func() map[string]any {
			return map[string]any{"team_id": w.team, "name": "n", "scopes": []string{"read"}}
		}
		with := func(key string, value any) map[string]any { m := good(); m[key] = value; return m }
		for name, x := range map[string]struct {
			method, path string
			body         any
			want         int
			code         string
		}{
			"scope":            {"POST", wire.Tokens, with("scopes", []string{"admin"}), 400, "22023"},
			"no scope":         {"POST", wire.Tokens, with("scopes", []string{}), 400, "22023"},
			"no name":          {"POST", wire.Tokens, with("name", " "), 400, "22023"},
			"control letter":   {"POST", wire.Tokens, with("name", "a\x1b[31m"), 400, "22023"},
			"long name":        {"POST", wire.Tokens, with("name", strings.Repeat("n", 101)), 400, "22023"},
			"repository":       {"POST", wire.Tokens, with("repo_slug", "a b"), 400, "22023"},
			"negative life":    {"POST", wire.Tokens, with("expires_in", -1), 400, "22023"},
			"long life":        {"POST", wire.Tokens, with("expires_in", int64(1)<<60), 400, "22023"},
			"no team":          {"POST", wire.Tokens, with("team_id", uuid.Nil), 400, "22023"},
			"unknown member":   {"POST", wire.Tokens, with("user_id", w.people["owner"]), 400, "PGRST102"},
			"wrong type":       {"POST", wire.Tokens, with("name", 1), 400, "PGRST102"},
			"no JSON":          {"POST", wire.Tokens, "{", 400, "PGRST102"},
			"two names":        {"POST", wire.Tokens, `{"name":"a","name":"b"}`, 400, "PGRST102"},
			"too large":        {"POST", wire.Tokens, strings.Repeat(" ", mostBody+1), 413, "PGRST102"},
			"list of nothing":  {"GET", wire.Tokens, nil, 400, "22023"},
			"method":           {"PUT", wire.Tokens, nil, 405, "PGRST117"},
			"method of one":    {"GET", wire.Tokens + "/x", nil, 405, "PGRST117"},
			"no id":            {"DELETE", wire.Tokens + "/x", nil, 404, "42704"},
			"no such token":    {"DELETE", wire.Tokens + "/" + uuid.NewString(), nil, 404, "42704"},
			"no such workflow": {"DELETE", wire.TokenWorkflows + "/" + uuid.NewString(), nil, 404, "42704"},
			"path":             {"GET", wire.Tokens + "/a/b", nil, 404, "PGRST125"},
			"issuer":           {"POST", wire.TokenWorkflows, map[string]any{"team_id": w.team, "issuer": "http://169.254.169.254", "repository": "o/r"}, 400, "22023"},
			"no owner":         {"POST", wire.TokenWorkflows, map[string]any{"team_id": w.team, "repository": "r"}, 400, "22023"},
			"wild repository":  {"POST", wire.TokenWorkflows, map[string]any{"team_id": w.team, "repository": "o/*"}, 400, "22023"},
			"branch for a ref": {"POST", wire.TokenWorkflows, map[string]any{"team_id": w.team, "repository": "o/r", "ref": "main"}, 400, "22023"},
			"star inside":      {"POST", wire.TokenWorkflows, map[string]any{"team_id": w.team, "repository": "o/r", "ref": "refs/*/main"}, 400, "22023"},
		} {
			status, data := w.ask(x.method, x.path, w.as("owner"), x.body)
			if e := decode[map[string]any](t, data); status != x.want || e["code"] != x.code {
				t.Errorf("%s: %d %s, want %d %s", name, status, data, x.want, x.code)
			}
		}
	})
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	worlds(t, Config{}, func(t *testing.T, w *world) {
		status, data := w.ask("POST", wire.Tokens, w.as("owner"), wire.NewToken{TeamID: w.team, Name: "n", Scopes: []string{"read"}, ExpiresIn: 60})
		made := decode[wire.Token](t, data)
		if status != 201 || made.ExpiresAt == nil || made.ExpiresAt.Sub(made.CreatedAt) != time.Minute {
			t.Fatalf("%d %s", status, data)
		}
	})
}

func (w *world) teams() (out []uuid.UUID) {
	ctx := context.Background()
	err := w.db.View(ctx, db.ServerItself, func(tx *db.Tx) error {
		rows, err := tx.Query(ctx, `select id from teams`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id uuid.UUID
			if err := rows.Scan(&id); err != nil {
				return err
			}
			out = append(out, id)
		}
		return rows.Err()
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}
