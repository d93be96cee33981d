package admin

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/db/audit"
	"cairn/internal/team/server/access"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

// A world is a team with everybody, and another one.
type world struct {
	t       *testing.T
	db      *db.DB
	team    uuid.UUID
	people  map[string]uuid.UUID // by role; "other" owns the other team
	tokens  map[string]string    // further ways to ask
	access  *access.Access
	handler http.Handler
}

func each(t *testing.T, test func(*world)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := &world{t: t, db: d, team: dbtest.Team(t, d, "one"), people: map[string]uuid.UUID{}, tokens: map[string]string{}}
		other := dbtest.Team(t, d, "two")
		for _, role := range []string{"owner", "admin", "member"} {
			w.people[role] = dbtest.Member(t, d, w.team, role).User
		}
		w.people["other"] = dbtest.Member(t, d, other, "owner").User
		keys, err := access.NewKeys(bytes.Repeat([]byte("k"), access.MinSecret), "https://cairn.example/auth/v1")
		if err != nil {
			t.Fatal(err)
		}
		accounts := account.New(d)
		w.access = &access.Access{Keys: keys, Store: accounts}
		for _, role := range []db.Role{db.Anon, db.Service} {
			w.tokens[string(role)], _ = keys.Public(role)
		}
		ci, err := accounts.MakeToken(context.Background(), w.people["owner"], wire.NewToken{TeamID: w.team, Name: "n", Scopes: []string{"ingest", "read"}})
		if err != nil {
			t.Fatal(err)
		}
		w.tokens["ci"], w.tokens["nobody"] = ci.Token, ""
		w.handler = New(Config{DB: d, Access: w.access, Log: slog.New(slog.DiscardHandler), Version: "1.2.3"})
		test(w)
	})
}

func (w *world) ask(who, method, path, body string) *httptest.ResponseRecorder {
	w.t.Helper()
	out := httptest.NewRecorder()
	w.handler.ServeHTTP(out, w.request(who, method, path, body))
	return out
}

func (w *world) request(who, method, path, body string) *http.Request {
	w.t.Helper()
	token, known := w.tokens[who]
	if !known {
		var err error
		token, _, err = w.access.Keys.Sign(access.Claims{RegisteredClaims: jwt.RegisteredClaims{Subject: w.people[who].String()}, Role: "authenticated"})
		if err != nil {
			w.t.Fatal(err)
		}
	}
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r = r.WithContext(db.WithOrigin(r.Context(), &db.Origin{Actor: db.ActorAnonymous, Address: "192.0.2.7"}))
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return r
}

// TestWho: what each of them may.
func TestWho(t *testing.T) {
	each(t, func(w *world) {
		one := wire.Teams + "one"
		for _, c := range []struct {
			who                               string
			see, rename, export, mine, delete int
		}{
			{"admin", 200, 403, 403, 200, 403}, {"member", 200, 403, 403, 200, 403}, {"other", 404, 404, 404, 404, 404},
			{"ci", 200, 403, 403, 403, 403}, {"service_role", 403, 403, 403, 403, 403}, {"anon", 401, 401, 401, 401, 401}, {"nobody", 401, 401, 401, 401, 401},
			{"owner", 200, 200, 200, 200, 200},
		} {
			for _, x := range []struct {
				method, path, body string
				want               int
			}{
				{"GET", one, "", c.see}, {"PATCH", one, `{"name":"Other"}`, c.rename}, {"GET", one + "/export", "", c.export},
				{"GET", one + "/export?person=me", "", c.mine}, {"GET", one + "/export?person=" + w.people["owner"].String() + "@example.com", "", c.export},
				{"DELETE", one + "?confirm=one", "", c.delete},
			} {
				if got := w.ask(c.who, x.method, x.path, x.body); got.Code != x.want {
					w.t.Errorf("%s: %s %s: %d %s, want %d", c.who, x.method, x.path, got.Code, got.Body, x.want)
				}
			}
		}
	})
}

// TestRenamed: the team is found by its old slug, and by nothing else.
func TestRenamed(t *testing.T) {
	each(t, func(w *world) {
		for name, x := range map[string]struct {
			body string
			want int
		}{
			"nothing": {`{}`, 400}, "a word": {`{"slugs":"x"}`, 400}, "no slug": {`{"slug":"A B"}`, 400}, "taken": {`{"slug":"two"}`, 409},
			"a long name": {`{"name":"` + strings.Repeat("n", 101) + `"}`, 400}, "no JSON": {`{`, 400},
		} {
			if got := w.ask("owner", "PATCH", wire.Teams+"one", x.body); got.Code != x.want {
				w.t.Errorf("%s: %d %s", name, got.Code, got.Body)
			}
		}
		if got := w.ask("owner", "PATCH", wire.Teams+"one", `{"slug":"uno","name":"The One"}`); got.Code != 200 {
			w.t.Fatal(got.Code, got.Body)
		}
		for _, name := range []string{"one", "uno", w.team.String()} {
			var team wire.Team
			got := w.ask("member", "GET", wire.Teams+name, "")
			if err := json.Unmarshal(got.Body.Bytes(), &team); err != nil || team != (wire.Team{ID: w.team, Slug: "uno", Name: "The One", Role: "member"}) {
				w.t.Errorf("%s: %d %s", name, got.Code, got.Body)
			}
			if got := w.ask("other", "GET", wire.Teams+name, ""); got.Code != 404 {
				w.t.Errorf("%s for another: %d", name, got.Code)
			}
		}
	})
}

// TestDeleted: without its slug nothing is deleted; then it is gone, for its owner, too.
func TestDeleted(t *testing.T) {
	each(t, func(w *world) {
		for _, confirm := range []string{"", "?confirm=two", "?confirm=" + w.team.String()} {
			if got := w.ask("owner", "DELETE", wire.Teams+w.team.String()+confirm, ""); got.Code != 400 {
				w.t.Errorf("%q: %d", confirm, got.Code)
			}
		}
		got := w.ask("owner", "DELETE", wire.Teams+"one?confirm=one", "")
		var d wire.Deletion
		if err := json.Unmarshal(got.Body.Bytes(), &d); err != nil || got.Code != 200 || !d.Done {
			w.t.Fatalf("%d %s", got.Code, got.Body)
		}
		for path, want := range map[string]int{wire.Teams + "one": 404, wire.Teams + w.team.String(): 404, wire.Deletions + d.ID.String(): 200, wire.Deletions + uuid.NewString(): 404, wire.Deletions + "x": 404} {
			if got := w.ask("owner", "GET", path, ""); got.Code != want {
				w.t.Errorf("%s: %d, want %d", path, got.Code, want)
			}
		}
		if got := w.ask("owner", "DELETE", wire.Teams+w.team.String()+"?confirm=one", ""); got.Code != 404 {
			w.t.Errorf("again: %d", got.Code)
		}
		if got := w.ask("ci", "GET", wire.Teams+"one", ""); got.Code != 401 {
			w.t.Errorf("its token: %d", got.Code)
		}
	})
}

// TestExported: an owner gets the team, a member themselves with their account;
// both leave an entry.
func TestExported(t *testing.T) {
	each(t, func(w *world) {
		files := func(who, query string) (names []string) {
			w.t.Helper()
			got := w.ask(who, "GET", wire.Teams+"one/export"+query, "")
			archive, err := zip.NewReader(bytes.NewReader(got.Body.Bytes()), int64(got.Body.Len()))
			if err != nil || got.Header().Get("Content-Type") != "application/zip" {
				w.t.Fatalf("%s %s: %d, %v", who, query, got.Code, err)
			}
			for _, f := range archive.File {
				names = append(names, f.Name)
			}
			return names
		}
		if got := files("owner", ""); slices.Contains(got, "account.ndjson") || !slices.Contains(got, "eval_cases.ndjson") {
			w.t.Errorf("a team: %v", got)
		}
		if got := files("member", "?person=me"); !slices.Contains(got, "account.ndjson") || slices.Contains(got, "eval_cases.ndjson") {
			w.t.Errorf("oneself: %v", got)
		}
		member := w.people["member"].String() + "@example.com"
		if got := files("member", "?person="+member); !slices.Contains(got, "account.ndjson") {
			w.t.Errorf("oneself by address: %v", got)
		}
		if got := files("owner", "?person="+member); slices.Contains(got, "account.ndjson") || slices.Contains(got, "sessions.ndjson") {
			w.t.Errorf("a member: %v", got)
		}
		if got := w.ask("owner", "GET", wire.Teams+"one/export?person=stranger@example.com", ""); got.Code != 404 {
			w.t.Errorf("a stranger: %d", got.Code)
		}
		var entries []audit.Entry
		err := w.db.View(context.Background(), db.ServerItself, func(tx *db.Tx) (err error) {
			entries, err = audit.List(context.Background(), tx, audit.Filter{Team: audit.ID(w.team), Most: 4})
			return err
		})
		if err != nil {
			w.t.Fatal(err)
		}
		for i, want := range []struct{ action, by, of string }{{audit.PersonExported, "owner", "member"}, {audit.PersonExported, "member", "member"}, {audit.PersonExported, "member", "member"}, {audit.TeamExported, "owner", ""}} {
			e := entries[i]
			if e.Action != want.action || e.User != audit.ID(w.people[want.by]) || e.Object != audit.ID(w.people[want.of]) || e.Address != "192.0.2.7" {
				w.t.Errorf("%d: %+v, want %+v", i, e, want)
			}
		}
	})
}

// slowReader reads nothing until it is told to.
type slowReader struct {
	*httptest.ResponseRecorder
	begun sync.Once
	began chan struct{}
	read  chan struct{}
}

func (s *slowReader) Write(p []byte) (int, error) {
	s.begun.Do(func() { close(s.began) })
	<-s.read
	return s.ResponseRecorder.Write(p)
}

// TestExportsOfOne: who reads an export slowly keeps nobody else from theirs.
func TestExportsOfOne(t *testing.T) {
	each(t, func(w *world) {
		slow := &slowReader{ResponseRecorder: httptest.NewRecorder(), began: make(chan struct{}), read: make(chan struct{})}
		done := make(chan struct{})
		go func() {
			defer close(done)
			w.handler.ServeHTTP(slow, w.request("owner", "GET", wire.Teams+"one/export", ""))
		}()
		<-slow.began
		if got := w.ask("owner", "GET", wire.Teams+"one/export", ""); got.Code != http.StatusTooManyRequests {
			w.t.Errorf("a second one: %d", got.Code)
		}
		if got := w.ask("member", "GET", wire.Teams+"one/export?person=me", ""); got.Code != http.StatusOK {
			w.t.Errorf("of another: %d", got.Code)
		}
		close(slow.read)
		<-done
		if got := w.ask("owner", "GET", wire.Teams+"one/export", ""); got.Code != http.StatusOK {
			w.t.Errorf("afterwards: %d", got.Code)
		}
	})
}
