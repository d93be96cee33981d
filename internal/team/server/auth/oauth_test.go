package auth

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// oauthSite runs a test with a provider; gh is GitHub, corp an OpenID Connect issuer.
func oauthSite(t *testing.T, change func(*Config), test func(*testing.T, *site, *fake)) {
	f := newFake(t)
	each(t, func(c *Config) {
		c.Providers = []Provider{f.provider("github"), f.provider("corp")}
		if change != nil {
			change(c)
		}
	}, func(t *testing.T, s *site) {
		s.t = t
		f.set(func() {
			f.claims, f.userinfo, f.down, f.signWith = map[string]any{}, map[string]any{}, "", f.key
			f.user = map[string]any{"id": 42, "login": "ada", "name": "Ada", "avatar_url": "https://avatars.test/42"}
			f.emails = []map[string]any{{"email": "old@acme.test", "verified": true}, {"email": "Ada@acme.test", "primary": true, "verified": true}}
		})
		test(t, s, f)
	})
}

func signupOn(c *Config) { c.Signup = true }

func TestOAuth(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"github", "corp"} {
		t.Run(name, func(t *testing.T) {
			oauthSite(t, signupOn, func(t *testing.T, s *site, f *fake) {
				b := s.browser()
				verifier := strings.Repeat("v", 50)
				sum := sha256.Sum256([]byte(verifier))
				state := b.start(f, name, "&code_challenge_method=s256&code_challenge="+base64.RawURLEncoding.EncodeToString(sum[:]))
				to := b.arrive(state, "good")
				if to.Host != "127.0.0.1:4321" || to.Path != "/back" || b.ended(to) != "code" || len(b.cookies) != 0 {
					t.Fatalf("ended at %s, cookies %v", to, b.cookies)
				}
				code := to.Query().Get("code")
				s.want("another verifier", s.call("POST", "/auth/v1/token?grant_type=pkce", "", map[string]string{"auth_code": uuid.NewString(), "code_verifier": verifier}), 404, "flow_state_not_found")
				in := s.call("POST", "/auth/v1/token?grant_type=pkce", "", map[string]string{"auth_code": code, "code_verifier": verifier})
				s.want("exchange", in, 200, "")
				if in.text("user.email") != "ada@acme.test" || in.text("user.app_metadata.provider") != name || in.text("user.user_metadata.name") != "Ada" || in.text("user.email_confirmed_at") == "" {
					t.Errorf("%s", in.body)
				}
				if strings.Contains(in.body, "hush") || strings.Contains(in.body, `"at"`) {
					t.Error("the provider's token or our secret is in the session")
				}
				// The second time it is the same user, without PKCE, whatever the address is now.
				f.set(func() {
					f.claims = map[string]any{"email": "ada@new.test", "email_verified": nil}
					f.emails = []map[string]any{{"email": "ada@new.test", "primary": true, "verified": false}}
				})
				if got := b.ended(b.arrive(b.start(f, name, ""), "good")); got != "ada@acme.test" {
					t.Errorf("the second time: %s", got)
				}
			})
		})
	}
}

// Nobody signs in as somebody else by a link, and a state is good once.
func TestOAuthState(t *testing.T) {
	t.Parallel()
	oauthSite(t, signupOn, func(t *testing.T, s *site, f *fake) {
		b, victim := s.browser(), s.browser()
		state := b.start(f, "corp", "")
		bad := "invalid_request bad_oauth_state"
		for what, x := range map[string]string{"unknown": strings.Repeat("a", 32), "empty": "", "short": "abc", "with a line": state + "\r\nX: y", "cut": state[:len(state)-1]} {
			if got := b.ended(b.arrive(x, "good")); got != bad {
				t.Errorf("%s state: %s", what, got)
			}
		}
		if got := victim.ended(victim.arrive(state, "good")); got != bad {
			t.Errorf("in another browser: %s", got)
		}
		victim.cookies[(&server{}).cookie(state, 0).Name] = strings.Repeat("b", len(state))
		if got := victim.ended(victim.arrive(state, "good")); got != bad {
			t.Errorf("in a browser with another sign-in: %s", got)
		}
		kept := maps.Clone(b.cookies)
		other := b.start(f, "corp", "") // in another tab; the provider remembers only this one
		if got := b.ended(b.arrive(other, "good")); got != "ada@acme.test" {
			t.Errorf("the second tab: %s", got)
		}
		f.consent(f.URL + "/authorize?" + f.asked.Encode())
		if got := b.ended(b.arrive(state, "good")); got != "server_error unexpected_failure" { // the code is of the other tab's verifier
			t.Errorf("another sign-in's code: %s", got)
		}
		b.cookies = kept
		if got := b.ended(b.arrive(state, "good")); got != bad {
			t.Errorf("a second time: %s", got)
		}
		late := b.start(f, "corp", "")
		s.pass(time.Hour)
		if got := b.ended(b.arrive(late, "good")); got != bad {
			t.Errorf("after an hour: %s", got)
		}
	})
}

func TestOAuthRefused(t *testing.T) {
	t.Parallel()
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	oauthSite(t, signupOn, func(t *testing.T, s *site, f *fake) {
		for _, x := range []struct {
			what, provider string
			change         func()
			query          string // instead of the code
			want           string
		}{
			{"its keys are down, and not known yet", "corp", func() { f.down = "/keys" }, "", "server_error unexpected_failure"},
			{"not verified", "corp", func() { f.claims["email_verified"] = false }, "", "access_denied provider_email_needs_verification"},
			{"nothing said of verified", "corp", func() { f.claims["email_verified"] = nil }, "", "access_denied provider_email_needs_verification"},
			{"no address", "corp", func() { f.claims["email"] = nil; f.userinfo = map[string]any{"sub": "person-1"} }, "", "access_denied provider_email_needs_verification"},
			{"address of another in userinfo", "corp", func() {
				f.claims["email"] = nil
				f.userinfo = map[string]any{"sub": "person-2", "email": "x@acme.test", "email_verified": true}
			}, "", "server_error unexpected_failure"},
			{"not an address", "corp", func() { f.claims["email"] = "a@b.test, c@d.test" }, "", "access_denied provider_email_needs_verification"},
			{"another nonce", "corp", func() { f.claims["nonce"] = "x" }, "", "server_error unexpected_failure"},
			{"no nonce", "corp", func() { f.claims["nonce"] = nil }, "", "server_error unexpected_failure"},
			{"another audience", "corp", func() { f.claims["aud"] = "other" }, "", "server_error unexpected_failure"},
			{"another issuer", "corp", func() { f.claims["iss"] = "https://evil.test" }, "", "server_error unexpected_failure"},
			{"expired", "corp", func() { f.claims["exp"] = time.Now().Add(-time.Hour).Unix() }, "", "server_error unexpected_failure"},
			{"no subject", "corp", func() { f.claims["sub"] = nil }, "", "server_error unexpected_failure"},
			{"another key", "corp", func() { f.signWith = stranger }, "", "server_error unexpected_failure"},
			{"the provider is down", "corp", func() { f.down = "/token" }, "", "server_error unexpected_failure"},
			{"its userinfo is down", "corp", func() { f.claims["email"] = nil; f.down = "/userinfo" }, "", "server_error unexpected_failure"},
			{"another issuer's answer", "corp", func() {}, "code=good&iss=https%3A%2F%2Fevil.test", "invalid_request bad_oauth_callback"},
			{"wrong code", "corp", func() {}, "code=bad", "server_error unexpected_failure"},
			{"no code", "corp", func() {}, "", "invalid_request bad_oauth_callback"},
			{"denied", "corp", func() {}, "error=access_denied&error_description=%3Cb%3Ecall+me%3C%2Fb%3E", "access_denied bad_oauth_callback"},
			{"wrong code at GitHub", "github", func() {}, "code=bad", "server_error unexpected_failure"},
			{"not verified at GitHub", "github", func() { f.emails[1]["verified"] = false }, "", "access_denied provider_email_needs_verification"},
			{"no address at GitHub", "github", func() { f.emails = nil }, "", "access_denied provider_email_needs_verification"},
			{"no number at GitHub", "github", func() { f.user = map[string]any{} }, "", "server_error unexpected_failure"},
			{"GitHub is down", "github", func() { f.down = "/api/v3/user/emails" }, "", "server_error unexpected_failure"},
		} {
			f.set(func() {
				f.claims, f.down, f.signWith = map[string]any{}, "", f.key
				f.user, f.emails = map[string]any{"id": 42, "login": "ada"}, []map[string]any{{"email": "old@acme.test", "verified": true}, {"email": "ada@acme.test", "primary": true, "verified": true}}
				x.change()
			})
			b := s.browser()
			state := b.start(f, x.provider, "")
			query := x.query
			if query == "" && x.what != "no code" {
				query = "code=good"
			}
			r := b.get("/auth/v1/callback?state=" + state + "&" + query)
			to, err := url.Parse(r.header.Get("Location"))
			if err != nil || to.Host != "127.0.0.1:4321" || b.ended(to) != x.want {
				t.Errorf("%s: %d %s, want %s", x.what, r.status, r.header.Get("Location"), x.want)
			}
			if strings.Contains(to.String(), "hush") || strings.Contains(to.String(), "call+me") {
				t.Errorf("%s: %s", x.what, to)
			}
		}
		if n, _ := s.users(); n != 0 {
			t.Errorf("%d users were made", n)
		}
	})
}

func (s *site) users() (int, error) {
	_, n, err := s.accounts.Users(context.Background(), 1, 10)
	return n, err
}

// Without sign-up an address must be known, invited or of the team's domain.
func TestOAuthWhoMay(t *testing.T) {
	t.Parallel()
	oauthSite(t, func(c *Config) { c.SignupDomains = []string{"Team.example"} }, func(t *testing.T, s *site, f *fake) {
		sub := 0
		try := func(email string) string {
			sub++
			f.set(func() { f.claims = map[string]any{"sub": "p" + strings.Repeat("x", sub), "email": email} })
			b := s.browser()
			return b.ended(b.arrive(b.start(f, "corp", ""), "good"))
		}
		no := "access_denied signup_disabled"
		for _, email := range []string{"eve@else.test", "eve@sub.team.example", "eve@notteam.example", "eve@team.example.evil.test"} {
			if got := try(email); got != no {
				t.Errorf("%s: %s", email, got)
			}
		}
		if got := try("ada@team.example"); got != "ada@team.example" {
			t.Errorf("of the domain: %s", got)
		}
		u, _ := s.person("bob@else.test")
		if got := try("BOB@else.test"); got != "bob@else.test" {
			t.Errorf("known: %s", got)
		}
		if ids, err := s.accounts.Identities(t.Context(), u.ID); err != nil || len(ids) != 2 || ids[1].Provider != "corp" {
			t.Errorf("linked: %+v, %v", ids, err)
		}
		s.want("the password of a proven account stays", s.signIn("bob@else.test", "correct-horse"), 200, "")
		s.invited("cyd@else.test", time.Hour)
		s.invited("dan@else.test", -time.Hour)
		if got := try("Cyd@else.test"); got != "cyd@else.test" {
			t.Errorf("invited: %s", got)
		}
		if got := try("dan@else.test"); got != no {
			t.Errorf("invited too long ago: %s", got)
		}
		if _, err := s.accounts.Ban(t.Context(), u.ID, time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if got := try("bob@else.test"); got != "access_denied user_banned" {
			t.Errorf("banned: %s", got)
		}
	})
}

// invited makes an invitation that ends after some time.
func (s *site) invited(email string, life time.Duration) {
	s.t.Helper()
	ctx := context.Background()
	err := s.db.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		team := uuid.New()
		if _, err := tx.Exec(ctx, `insert into teams (id, name, slug) values (?, 'T', ?)`, team, "t-"+team.String()[:8]); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `insert into team_invites (team_id, email, token_hash, expires_at) values (?, ?, ?, ?)`, team, email, team.String(), time.Now().Add(life))
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// An account that somebody made for another's address, to look into it later,
// is the other's alone from the first sign-in on.
func TestOAuthMadeInAdvance(t *testing.T) {
	t.Parallel()
	oauthSite(t, signupOn, func(t *testing.T, s *site, f *fake) {
		s.want("sign up", s.call("POST", "/auth/v1/signup", "", map[string]string{"email": "ada@acme.test", "password": "attackers-own"}), 200, "")
		b := s.browser()
		if got := b.ended(b.arrive(b.start(f, "corp", ""), "good")); got != "ada@acme.test" {
			t.Fatal(got)
		}
		s.want("the attacker's password", s.signIn("ada@acme.test", "attackers-own"), 400, "invalid_credentials")
	})
}

func TestAuthorize(t *testing.T) {
	t.Parallel()
	oauthSite(t, nil, func(t *testing.T, s *site, f *fake) {
		for _, q := range []string{"", "?provider=", "?provider=google", "?provider=nobody", "?provider=GitHub"} {
			s.want(q, s.call("GET", "/auth/v1/authorize"+q, "", nil), 400, "validation_failed")
		}
		s.want("method", s.call("GET", "/auth/v1/authorize?provider=corp&code_challenge=x&code_challenge_method=plain", "", nil), 400, "validation_failed")
		if r := s.call("GET", "/auth/v1/settings", "", nil); r.field("external.github") != true || r.field("external.corp") != true || r.field("external.google") != false {
			t.Errorf("settings: %s", r.body)
		}
		// Who wants to end elsewhere ends at the server.
		b := s.browser()
		r := b.get("/auth/v1/authorize?provider=corp&redirect_to=" + url.QueryEscape("https://evil.test/x"))
		if to := b.arrive(f.consent(r.header.Get("Location")), "bad"); to.Host != "team.test" {
			t.Errorf("sent to %s", to)
		}
	})
}

func TestAuthorizeDown(t *testing.T) {
	t.Parallel()
	oauthSite(t, nil, func(t *testing.T, s *site, f *fake) {
		f.set(func() { f.down = "/.well-known/openid-configuration" })
		b := s.browser()
		r := b.get("/auth/v1/authorize?provider=corp")
		s.want("down", r, 503, "unexpected_failure")
		if r.header.Get("Retry-After") == "" || !strings.Contains(r.body, "Corp cannot be reached") || strings.Contains(r.body, "hush") || len(b.cookies) != 0 {
			t.Errorf("%v %s", r.header, r.body)
		}
	})
}

// Who pastes a code sees why there is none, in words of the server.
func TestOAuthCodePage(t *testing.T) {
	t.Parallel()
	oauthSite(t, nil, func(t *testing.T, s *site, f *fake) {
		r := s.call("GET", "/signin/code?error=access_denied&error_code=signup_disabled&error_description=call+555", "", nil)
		if r.status != 400 || !strings.Contains(r.body, "Ask an admin of the team for an invitation.") || strings.Contains(r.body, "555") {
			t.Errorf("%d %s", r.status, r.body)
		}
	})
}
