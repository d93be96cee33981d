package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"cairn/internal/team/dashboard"
	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/server/access"
	"cairn/internal/team/server/auth"
	"cairn/internal/team/server/auth/provider"
	"cairn/internal/team/wire"
)

// A configured provider is told to clients and is where browsers are sent.
func TestProviders(t *testing.T) {
	gh, err := provider.New(provider.Config{Name: "github", ID: "client", Secret: "hush"})
	if err != nil {
		t.Fatal(err)
	}
	s, _ := made(t, Config{Providers: []auth.Provider{gh}})
	running(t, s)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	get := func(path string) (status int, location, body string) {
		resp, err := client.Get(s.URL() + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		data, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, resp.Header.Get("Location"), string(data)
	}
	if _, _, about := get(wire.Server); !strings.Contains(about, `"github"`) {
		t.Errorf("about: %s", about)
	}
	if _, _, settings := get(wire.Auth + "settings"); !strings.Contains(settings, `"github":true`) {
		t.Errorf("settings: %s", settings)
	}
	if status, location, body := get(wire.Auth + "authorize?provider=github"); status != 302 || !strings.HasPrefix(location, "https://github.com/login/oauth/authorize?") {
		t.Errorf("authorize: %d %s %s", status, location, body)
	}
}

// A token of CI is made, does what its scopes let it do in its team only, and stops.
func TestTokenOfCI(t *testing.T) {
	s, _ := made(t, Config{})
	running(t, s)
	ctx := context.Background()
	u, err := s.accounts.CreateUser(ctx, account.NewUser{Email: "ada@acme.test", Confirmed: true})
	if err != nil {
		t.Fatal(err)
	}
	team, other := uuid.New(), uuid.New()
	err = s.db.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		for slug, id := range map[string]uuid.UUID{"one": team, "two": other} {
			if _, err := tx.Exec(ctx, `insert into teams (id, name, slug) values (?, ?, ?)`, id, slug, slug); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, `insert into team_members (team_id, user_id, role) values (?, ?, 'owner')`, team, u.ID)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	owner, _, err := s.keys.Sign(access.Claims{RegisteredClaims: jwt.RegisteredClaims{Subject: u.ID.String()}, Role: "authenticated"})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path, token string, body any) (int, string) {
		t.Helper()
		data, _ := json.Marshal(body)
		r, _ := http.NewRequest(method, s.URL()+path, bytes.NewReader(data))
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(text)
	}
	token := func(scopes ...string) wire.Token {
		t.Helper()
		var made wire.Token
		status, text := ask("POST", wire.Tokens, owner, wire.NewToken{TeamID: team, Name: "ci", Scopes: scopes})
		if err := json.Unmarshal([]byte(text), &made); err != nil || status != 201 {
			t.Fatalf("%d %s", status, text)
		}
		return made
	}
	ship := func(team uuid.UUID) map[string]any {
		return map[string]any{"team_id": team, "repo_slug": "o/r", "ingest_key": uuid.NewString(), "version": "1"}
	}
	ingest, read := token("ingest"), token("read")
	for _, x := range []struct {
		what, method, path, token string
		body                      any
		want                      func(status int, text string) bool
	}{
		{"ingest writes", "POST", "/rest/v1/ship_logs", ingest.Token, ship(team), func(n int, _ string) bool { return n == 201 }},
		{"ingest into another team", "POST", "/rest/v1/ship_logs", ingest.Token, ship(other), func(n int, _ string) bool { return n == 403 }},
		{"ingest reads", "GET", "/rest/v1/ship_logs", ingest.Token, nil, func(n int, text string) bool { return n == 403 || n == 200 && strings.TrimSpace(text) == "[]" }},
		{"read reads", "GET", "/rest/v1/ship_logs", read.Token, nil, func(n int, text string) bool { return n == 200 && strings.Contains(text, `"o/r"`) }},
		{"read writes", "POST", "/rest/v1/ship_logs", read.Token, ship(team), func(n int, _ string) bool { return n == 403 }},
		{"it revokes", "DELETE", wire.Tokens + "/" + ingest.ID.String(), ingest.Token, nil, func(n int, _ string) bool { return n == 403 }},
		{"the owner revokes", "DELETE", wire.Tokens + "/" + ingest.ID.String(), owner, nil, func(n int, _ string) bool { return n == 200 }},
		{"revoked", "POST", "/rest/v1/ship_logs", ingest.Token, ship(team), func(n int, _ string) bool { return n == 401 }},
	} {
		if status, text := ask(x.method, x.path, x.token, x.body); !x.want(status, text) {
			t.Errorf("%s: %d %s", x.what, status, text)
		}
	}
}

// Nothing that a token of CI can ask for has a person's mail address in it, and
// one of a single repository gets no page and no digest.
func TestNoAddressOnPagesForCI(t *testing.T) {
	s, _ := made(t, Config{})
	running(t, s)
	ctx := context.Background()
	team, now := uuid.New(), time.Now().UTC()
	var ada account.User
	for _, email := range []string{"ada@acme.test", "ada@other.test"} {
		u, err := s.accounts.CreateUser(ctx, account.NewUser{Email: email, Confirmed: true})
		if err != nil {
			t.Fatal(err)
		}
		err = s.db.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
			if _, err := tx.Exec(ctx, `insert into teams (id, name, slug) values (?, 'acme', 'acme') on conflict do nothing`, team); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `insert into team_members (team_id, user_id, role) values (?, ?, 'owner')`, team, u.ID); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `insert into usage_days (team_id, ingest_key, user_id, repo_slug, date, turns) values (?, ?, ?, 'o/r', ?, 3)`, team, uuid.NewString(), u.ID, now.Format(time.DateOnly)); err != nil {
				return err
			}
			for _, author := range []string{"", "Git"} { // the first has an address and no name
				for _, at := range []time.Time{now, now.AddDate(0, 0, -3)} {
					if _, err := tx.Exec(ctx, `insert into ship_logs (team_id, ingest_key, user_id, occurred_at, repo_slug, title, author, author_email) values (?, ?, ?, ?, 'o/r', 't', ?, 'git@nobody.test')`, team, uuid.NewString(), u.ID, at, author); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		ada = u
	}
	tokens := map[string]string{}
	for _, repo := range []string{"", "o/r"} {
		made, err := s.accounts.MakeToken(ctx, ada.ID, wire.NewToken{TeamID: team, Name: "ci" + repo, Scopes: []string{wire.ScopeRead}, RepoSlug: repo})
		if err != nil {
			t.Fatal(err)
		}
		tokens[repo] = made.Token
	}
	get := func(path, token string) (int, string) {
		t.Helper()
		r, _ := http.NewRequest(http.MethodGet, s.URL()+path, nil)
		r.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(text)
	}
	paths := []string{wire.Digest + "?team_id=" + team.String()}
	for _, view := range dashboard.Views() {
		paths = append(paths, "/t/acme/"+view, "/t/acme/"+view+".json")
	}
	shown := 0
	for _, path := range paths {
		status, text := get(path, tokens[""])
		for _, address := range []string{"ada@", "git@", ".test"} {
			if strings.Contains(text, address) {
				t.Errorf("%s shows %s", path, address)
			}
		}
		if status == http.StatusOK && strings.Contains(text, "ada 2") && strings.Contains(text, "ada 1") {
			shown++
		}
		if status, _ := get(path, tokens["o/r"]); status != http.StatusUnauthorized && status != http.StatusForbidden {
			t.Errorf("%s: %d for a token of one repository", path, status)
		}
	}
	if shown == 0 {
		t.Error("no page shows the two people, so that nothing was tried")
	}
}
