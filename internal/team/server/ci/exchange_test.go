package ci

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"cairn/internal/team/db"
	"cairn/internal/team/server/issuer"
	"cairn/internal/team/wire"
)

// A provider is a local issuer of OIDC tokens.
type provider struct {
	*httptest.Server
	mu   sync.Mutex
	keys map[string]*rsa.PrivateKey // published, by id
	down bool
	asks int
}

func newProvider(t *testing.T) *provider {
	p := &provider{keys: map[string]*rsa.PrivateKey{"first": newKey(t)}}
	p.Server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.Close)
	return p
}

func newKey(t *testing.T) *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (p *provider) set(f func()) { p.mu.Lock(); defer p.mu.Unlock(); f() }

func (p *provider) serve(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asks++
	if p.down {
		http.Error(w, "no", http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if strings.HasSuffix(r.URL.Path, "/openid-configuration") {
		json.NewEncoder(w).Encode(map[string]any{"issuer": p.URL, "jwks_uri": p.URL + "/keys", "id_token_signing_alg_values_supported": []string{"RS256"}})
		return
	}
	var list []map[string]string
	for id, key := range p.keys {
		list = append(list, map[string]string{"kty": "RSA", "alg": "RS256", "use": "sig", "kid": id,
			"n": base64.RawURLEncoding.EncodeToString(key.N.Bytes()), "e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(key.E)).Bytes())})
	}
	json.NewEncoder(w).Encode(map[string]any{"keys": list})
}

// token signs what a run on main says, with changes; nil takes a claim away.
func (p *provider) token(t *testing.T, id string, key *rsa.PrivateKey, changes map[string]any) string {
	c := jwt.MapClaims{"iss": p.URL, "aud": serverURL, "sub": "repo:o/r:ref:refs/heads/main", "repository": "o/r", "repository_id": "7",
		"ref": "refs/heads/main", "event_name": "push", "jti": rand.Text(), "iat": time.Now().Unix(), "nbf": time.Now().Unix(), "exp": time.Now().Add(5 * time.Minute).Unix()}
	maps.Copy(c, changes)
	maps.DeleteFunc(c, func(_ string, v any) bool { return v == nil })
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, c)
	token.Header["kid"] = id
	text, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// trust makes the team trust a workflow and returns it.
func (w *world) trust(repository, ref string, scopes ...string) wire.Workflow {
	w.t.Helper()
	status, data := w.ask("POST", wire.TokenWorkflows, w.as("owner"), wire.NewWorkflow{TeamID: w.team, Repository: repository, Ref: ref, Scopes: scopes})
	if status != 201 {
		w.t.Fatalf("trust %s %s: %d %s", repository, ref, status, data)
	}
	return decode[wire.Workflow](w.t, data)
}

func TestExchange(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	key := p.keys["first"]
	worlds(t, Config{Issuers: []string{p.URL}}, func(t *testing.T, w *world) {
		trusted := w.trust("O/R", "refs/heads/main")
		if status, data := w.ask("POST", wire.TokenWorkflows, w.as("owner"), wire.NewWorkflow{TeamID: w.team, Repository: "O/R", Ref: "refs/heads/main"}); status != 409 {
			t.Errorf("twice: %d %s", status, data)
		}
		status, data := w.ask("POST", wire.TokenGitHub, "", wire.GitHubToken{Token: p.token(t, "first", key, nil)})
		made := decode[wire.Token](t, data)
		if status != 201 || made.TeamID != w.team || made.RepoSlug != "o/r" || strings.Join(made.Scopes, " ") != "ingest" ||
			made.ExpiresAt == nil || time.Until(*made.ExpiresAt) > time.Hour || time.Until(*made.ExpiresAt) < 14*time.Minute {
			t.Fatalf("%d %s", status, data)
		}
		as, err := w.accounts.CIToken(t.Context(), made.Token)
		if err != nil || as.Team != w.team || as.Repo != "o/r" || as.User != made.UserID {
			t.Fatalf("%+v, %v", as, err)
		}
		// Another run acts as the same bot; the slug may be given, also with a slash behind the audience.
		status, data = w.ask("POST", wire.TokenGitHub, "", wire.GitHubToken{Team: "one", Token: p.token(t, "first", key, map[string]any{"aud": []string{"x", serverURL + "/"}})})
		second := decode[wire.Token](t, data)
		if status != 201 || second.UserID != made.UserID || second.Token == made.Token {
			t.Errorf("%d %s", status, data)
		}
		if status, data := w.ask("DELETE", wire.Tokens+"/"+second.ID.String(), w.as("admin"), nil); status != 200 {
			t.Errorf("%d %s", status, data)
		}
		if _, err := w.accounts.CIToken(t.Context(), second.Token); !errors.Is(err, db.ErrToken) {
			t.Errorf("the revoked one of two tokens: %v", err)
		}
		if _, err := w.accounts.CIToken(t.Context(), made.Token); err != nil {
			t.Errorf("the other one: %v", err)
		}

		none := strings.Split(p.token(t, "first", key, nil), ".")
		none[0] = base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`))
		secret := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{"iss": p.URL, "aud": serverURL, "exp": time.Now().Add(time.Hour).Unix()})
		hmac, _ := secret.SignedString(key.N.Bytes())
		for name, x := range map[string]struct {
			token string
			team  string
			want  int
			says  string
		}{
			"wrong audience":         {p.token(t, "first", key, map[string]any{"aud": "https://other.example"}), "", 401, "audience"},
			"no audience":            {p.token(t, "first", key, map[string]any{"aud": nil}), "", 401, "audience"},
			"wrong repository":       {p.token(t, "first", key, map[string]any{"repository": "o/other"}), "", 403, "no team trusts"},
			"a name's beginning":     {p.token(t, "first", key, map[string]any{"repository": "o/r-evil"}), "", 403, "no team trusts"},
			"a fork":                 {p.token(t, "first", key, map[string]any{"repository": "evil/r"}), "", 403, "no team trusts"},
			"wrong branch":           {p.token(t, "first", key, map[string]any{"ref": "refs/heads/main2"}), "", 403, "no team trusts"},
			"pull request":           {p.token(t, "first", key, map[string]any{"ref": "refs/pull/3/merge", "event_name": "pull_request"}), "", 403, "no team trusts"},
			"against main":           {p.token(t, "first", key, map[string]any{"event_name": "pull_request_target"}), "", 403, "no team trusts"},
			"another repository now": {p.token(t, "first", key, map[string]any{"repository_id": "8"}), "", 403, "not the one that it was"},
			"wrong team":             {p.token(t, "first", key, nil), "two", 403, "no team trusts"},
			"expired":                {p.token(t, "first", key, map[string]any{"exp": time.Now().Add(-time.Hour).Unix()}), "", 401, "expired"},
			"without an end":         {p.token(t, "first", key, map[string]any{"exp": nil}), "", 401, "not accepted"},
			"from the future":        {p.token(t, "first", key, map[string]any{"nbf": time.Now().Add(time.Hour).Unix()}), "", 401, "not accepted"},
			"no repository":          {p.token(t, "first", key, map[string]any{"repository": nil}), "", 401, "does not name"},
			"no id":                  {p.token(t, "first", key, map[string]any{"jti": nil}), "", 401, "does not name"},
			"after another workflow": {p.token(t, "first", key, map[string]any{"event_name": "workflow_run"}), "", 403, "no team trusts"},
			"on anybody's word":      {p.token(t, "first", key, map[string]any{"event_name": "issue_comment"}), "", 403, "no team trusts"},
			"no event":               {p.token(t, "first", key, map[string]any{"event_name": nil}), "", 403, "no team trusts"},
			"of two hosts":           {p.token(t, "first", key, map[string]any{"project_path": "o/r", "project_id": "7", "ref_type": "branch", "pipeline_source": "push"}), "", 401, "does not name"},
			"no number":              {p.token(t, "first", key, map[string]any{"repository_id": nil}), "", 401, "does not name"},
			"another issuer":         {p.token(t, "first", key, map[string]any{"iss": "https://evil.example"}), "", 401, "issuer"},
			"another key":            {p.token(t, "first", newKey(t), nil), "", 401, "signature"},
			"alg none":               {none[0] + "." + none[1] + ".", "", 401, "not accepted"},
			"alg none, signed":       {strings.Join(none, "."), "", 401, "not accepted"},
			"public key as a secret": {hmac, "", 401, "not accepted"},
			"no token":               {"", "", 401, "not a token"},
			"no token at all":        {"a.b.c", "", 401, "not a token"},
		} {
			status, data := w.ask("POST", wire.TokenGitHub, "", wire.GitHubToken{Token: x.token, Team: x.team})
			if status != x.want || !strings.Contains(string(data), x.says) {
				t.Errorf("%s: %d %s, want %d", name, status, data, x.want)
			}
		}

		status, data = w.ask("GET", wire.TokenWorkflows+"?team_id="+w.team.String(), w.as("admin"), nil)
		if list := decode[[]wire.Workflow](t, data); status != 200 || len(list) != 1 || list[0].ID != trusted.ID || list[0].Repository != "O/R" {
			t.Errorf("%d %s", status, data)
		}
		for _, who := range [...]string{"member", "other"} {
			if status, data := w.ask("DELETE", wire.TokenWorkflows+"/"+trusted.ID.String(), w.as(who), nil); status != 404 {
				t.Errorf("%s takes the trust away: %d %s", who, status, data)
			}
		}
		if status, data := w.ask("DELETE", wire.TokenWorkflows+"/"+trusted.ID.String(), w.as("admin"), nil); status != 204 {
			t.Errorf("%d %s", status, data)
		}
		if _, err := w.accounts.CIToken(t.Context(), made.Token); err == nil {
			t.Error("a token outlives the trust that it came from")
		}
	})
}

func TestExchangeRefs(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	key := p.keys["first"]
	worlds(t, Config{Issuers: []string{p.URL}}, func(t *testing.T, w *world) {
		w.trust("o/any", "")
		w.trust("o/tags", "refs/tags/*")
		w.trust("o/pulls", "refs/pull/*", "ingest", "read")
		for _, x := range []struct {
			repository, ref, event string
			want                   int
		}{
			{"o/any", "refs/heads/x", "push", 201}, {"o/any", "refs/tags/v1", "push", 201},
			{"o/any", "refs/pull/1/merge", "pull_request", 403}, {"o/any", "refs/pull/1/merge", "push", 403}, {"o/any", "refs/heads/main", "pull_request_target", 403},
			{"o/tags", "refs/tags/v1", "push", 201}, {"o/tags", "refs/heads/x", "push", 403}, {"o/tags", "refs/tagsx/v1", "push", 403},
			{"o/pulls", "refs/pull/1/merge", "pull_request", 201}, {"o/pulls", "refs/heads/main", "pull_request_target", 201}, {"o/pulls", "refs/heads/main", "push", 403},
		} {
			token := p.token(t, "first", key, map[string]any{"repository": x.repository, "ref": x.ref, "event_name": x.event})
			if status, data := w.ask("POST", wire.TokenGitHub, "", wire.GitHubToken{Token: token}); status != x.want {
				t.Errorf("%v: %d %s", x, status, data)
			}
		}
	})
}

func TestExchangeTwoTeams(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	worlds(t, Config{Issuers: []string{p.URL}}, func(t *testing.T, w *world) {
		w.trust("o/r", "")
		was := w.team
		w.do(`update team_members set role = 'owner' where user_id = ?`, w.people["other"])
		status, data := w.ask("GET", wire.TokenWorkflows+"?team_id="+was.String(), w.as("other"), nil)
		if status != 403 {
			t.Errorf("another team's owner lists: %d %s", status, data)
		}
		w.do(`insert into team_members (team_id, user_id, role) select id, ?, 'owner' from teams where slug = 'two'`, w.people["owner"])
		w.do(`update teams set slug = 'second' where slug = 'two'`)
		two := w.team
		for _, m := range w.teams() {
			if m != was {
				two = m
			}
		}
		w.team = two
		w.trust("o/r", "")
		token := func() string { return p.token(t, "first", p.keys["first"], nil) }
		if status, data := w.ask("POST", wire.TokenGitHub, "", wire.GitHubToken{Token: token()}); status != 400 || !strings.Contains(string(data), "several teams") {
			t.Errorf("%d %s", status, data)
		}
		for _, name := range []string{"second", two.String()} {
			status, data := w.ask("POST", wire.TokenGitHub, "", wire.GitHubToken{Token: token(), Team: name})
			if status != 201 || decode[wire.Token](t, data).TeamID != two {
				t.Errorf("%s: %d %s", name, status, data)
			}
		}
	})
}

func TestExchangeKeys(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	first := p.keys["first"]
	worlds(t, Config{Issuers: []string{p.URL}}, func(t *testing.T, w *world) {
		p.set(func() { p.down, p.keys = true, map[string]*rsa.PrivateKey{"first": first} })
		w.trust("o/r", "")
		ask := func(id string, key *rsa.PrivateKey) (int, string) {
			status, data := w.ask("POST", wire.TokenGitHub, "", wire.GitHubToken{Token: p.token(t, id, key, nil)})
			return status, string(data)
		}
		for range 2 {
			if status, data := ask("first", first); status != 503 || !strings.Contains(data, "cannot be reached") {
				t.Errorf("the issuer is down: %d %s", status, data)
			}
		}
		p.set(func() { p.down = false })
		w.inner.issuers[0] = issuer.New(p.URL, nil) // as if a while had gone by
		if status, data := ask("first", first); status != 201 {
			t.Errorf("up again: %d %s", status, data)
		}
		second := newKey(t)
		p.set(func() { p.down, p.keys["second"] = true, second })
		if status, data := ask("first", first); status != 201 {
			t.Errorf("down, with the key known: %d %s", status, data)
		}
		if status, data := ask("second", second); status != 503 {
			t.Errorf("down, with the key unknown: %d %s", status, data)
		}
		p.set(func() { p.down = false; delete(p.keys, "first") })
		// The library answers who asks before it has put the new keys in the place of the old.
		soon := func(want int, id string, key *rsa.PrivateKey) {
			t.Helper()
			status, data := ask(id, key)
			for end := time.Now().Add(10 * time.Second); status != want && time.Now().Before(end); status, data = ask(id, key) {
				time.Sleep(time.Millisecond)
			}
			if status != want {
				t.Errorf("the key %s: %d %s", id, status, data)
			}
		}
		soon(201, "second", second)
		soon(401, "first", first)
		var before, after int
		p.set(func() { before = p.asks })
		for range 50 {
			ask("nobody's", first)
		}
		p.set(func() { after = p.asks })
		if after-before > 15 {
			t.Errorf("a stranger made the server ask the issuer %d times", after-before)
		}
	})
}

// A token that leaks, or is sent twice, is worth nothing any more, however many
// send it at once; one that was refused may be sent again.
func TestExchangeOnce(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	worlds(t, Config{Issuers: []string{p.URL}}, func(t *testing.T, w *world) {
		token := p.token(t, "first", p.keys["first"], nil)
		if status, data := w.ask("POST", wire.TokenGitHub, "", wire.GitHubToken{Token: token}); status != 403 {
			t.Fatalf("before anybody trusts it: %d %s", status, data)
		}
		w.trust("o/r", "")
		var wg sync.WaitGroup
		var mu sync.Mutex
		got := map[int]int{}
		for range 10 {
			wg.Go(func() {
				status, _ := w.ask("POST", wire.TokenGitHub, "", wire.GitHubToken{Token: token})
				mu.Lock()
				got[status]++
				mu.Unlock()
			})
		}
		wg.Wait()
		if got[201] != 1 || got[401] != 9 {
			t.Errorf("ten at once: %v", got)
		}
		status, data := w.ask("POST", wire.TokenGitHub, "", wire.GitHubToken{Token: token})
		if status != 401 || !strings.Contains(string(data), "used before") {
			t.Errorf("again: %d %s", status, data)
		}
		if status, data := w.ask("POST", wire.TokenGitHub, "", wire.GitHubToken{Token: p.token(t, "first", p.keys["first"], nil)}); status != 201 {
			t.Errorf("the next one: %d %s", status, data)
		}
	})
}

func TestExchangeGitLab(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	key := p.keys["first"]
	worlds(t, Config{Issuers: []string{GitHubIssuer, p.URL}}, func(t *testing.T, w *world) {
		trust := func(project, ref string) {
			status, data := w.ask("POST", wire.TokenWorkflows, w.as("owner"), wire.NewWorkflow{TeamID: w.team, Issuer: p.URL, Repository: project, Ref: ref})
			if status != 201 {
				t.Fatalf("%s: %d %s", project, status, data)
			}
		}
		trust("group/sub/app", "refs/heads/main")
		trust("group/tags", "refs/tags/*")
		trust("group/requests", "refs/merge-requests/*")
		for name, x := range map[string]struct {
			project, kind, ref, source string
			want                       int
		}{
			"main":                    {"group/sub/app", "branch", "main", "push", 201},
			"a schedule":              {"group/sub/app", "branch", "main", "schedule", 201},
			"another branch":          {"group/sub/app", "branch", "topic", "push", 403},
			"a tag of that name":      {"group/sub/app", "tag", "main", "push", 403},
			"a ref in the branch":     {"group/sub/app", "branch", "refs/heads/main", "push", 403},
			"a merge request":         {"group/sub/app", "branch", "main", "merge_request_event", 403},
			"a merge request's child": {"group/sub/app", "branch", "main", "parent_pipeline", 403},
			"from GitHub":             {"group/sub/app", "branch", "main", "external_pull_request_event", 403},
			"no source":               {"group/sub/app", "branch", "main", "", 403},
			"another project":         {"group/app", "branch", "main", "push", 403},
			"no kind":                 {"group/sub/app", "", "main", "push", 401},
			"tags":                    {"group/tags", "tag", "v1", "push", 201},
			"no tag":                  {"group/tags", "branch", "v1", "push", 403},
			"requests":                {"group/requests", "branch", "topic", "merge_request_event", 201},
		} {
			token := p.token(t, "first", key, map[string]any{"repository": nil, "repository_id": nil, "event_name": nil,
				"project_path": x.project, "project_id": "22", "ref_type": x.kind, "ref": x.ref, "pipeline_source": x.source})
			status, data := w.ask("POST", wire.TokenGitLab, "", wire.GitHubToken{Token: token})
			if status != x.want {
				t.Errorf("%s: %d %s, want %d", name, status, data, x.want)
			}
			if made := decode[wire.Token](t, data); name == "main" && made.RepoSlug != "sub/app" {
				t.Errorf("the token is for %s", made.RepoSlug)
			}
		}
	})
}
