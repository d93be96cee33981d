package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"cairn/test/dbtest"
)

// A mail's code and link, as its reader has them.
func (s *site) lastMail(t *testing.T) (link, code string) {
	t.Helper()
	s.settle()
	if len(s.mails) == 0 {
		t.Fatal("no mail was sent")
	}
	text := s.mails[len(s.mails)-1].text
	i := strings.Index(text, s.config.SiteURL)
	link, _, _ = strings.Cut(text[i:], "\n")
	for _, word := range strings.Fields(text) {
		if len(word) == 6 && strings.Trim(word, "0123456789") == "" {
			code = word
		}
	}
	return link, code
}

func TestOTP(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *site) {
		s.t = t
		s.person("ada@acme.test")
		ask := func(body map[string]any) reply {
			return s.call("POST", "/auth/v1/otp?redirect_to="+url.QueryEscape("http://127.0.0.1:5000/cb"), "", body)
		}
		verify := func(body map[string]any) reply { return s.call("POST", "/auth/v1/verify", "", body) }
		s.want("otp", ask(map[string]any{"email": "ada@acme.test"}), 200, "")
		_, code := s.lastMail(t)
		soon := ask(map[string]any{"email": "ada@acme.test"})
		s.want("too soon", soon, 429, "over_email_send_rate_limit")
		if soon.header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
		s.want("wrong code", verify(map[string]any{"type": "email", "email": "ada@acme.test", "token": "x"}), 403, "otp_expired")
		s.want("code", verify(map[string]any{"type": "email", "email": "Ada@acme.test", "token": code}), 200, "")
		s.want("code again", verify(map[string]any{"type": "email", "email": "ada@acme.test", "token": code}), 403, "otp_expired")
		sent := len(s.mails)
		for range 2 * mailing.burst {
			s.pass(mailPause)
			if last := ask(map[string]any{"email": "ada@acme.test"}); last.status != 200 {
				s.want("too many for one address", last, 429, "over_request_rate_limit")
				break
			}
		}
		if n := len(s.mails) - sent; n > mailing.burst {
			t.Errorf("%d mails in a few minutes", n)
		}
		s.pass(mailing.interval)
		for body, want := range map[string]string{
			`{"email":"nobody@acme.test"}`:                     "422 signup_disabled",
			`{"email":"nobody@acme.test","create_user":false}`: "422 otp_disabled",
			`{"email":"nobody"}`:                               "400 validation_failed",
			`{}`:                                               "400 validation_failed",
			`{"phone":"123"}`:                                  "400 phone_provider_disabled",
			`{"email":"ada@acme.test","code_challenge":"x","code_challenge_method":"s256"}`:                  "400 validation_failed",
			`{"email":"ada@acme.test","code_challenge":"` + challenge + `","code_challenge_method":"plain"}`: "400 validation_failed",
		} {
			r := s.call("POST", "/auth/v1/otp", "", body)
			if got := fmt.Sprint(r.status, " ", r.header.Get("X-Sb-Error-Code")); got != want {
				t.Errorf("%s: %s, want %s", body, got, want)
			}
		}
		for body, want := range map[string]int{
			`{"type":"email","token":"123456"}`: 400, `{"token":"x"}`: 400, `{"type":"sms","token":"x","phone":"1"}`: 400,
			`{"type":"email","token_hash":"x","email":"a@b.cd"}`: 400, `{"type":"email","token_hash":"x"}`: 403, `{"type":"email"}`: 400,
		} {
			if r := s.call("POST", "/auth/v1/verify", "", body); r.status != want {
				t.Errorf("%s: %d %s", body, r.status, r.body)
			}
		}
	})
}

// verifier and its challenge: RFC 7636, appendix B.
const (
	verifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
)

func TestMailLinkPKCE(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *site) {
		s.t = t
		s.person("ada@acme.test")
		s.want("otp", s.call("POST", "/auth/v1/otp?redirect_to="+url.QueryEscape("http://127.0.0.1:5000/cb?state=s1"), "",
			map[string]any{"email": "ada@acme.test", "create_user": false, "code_challenge": challenge, "code_challenge_method": "s256"}), 200, "")
		link, _ := s.lastMail(t)
		r := s.call("GET", link, "", nil)
		to, _ := url.Parse(r.header.Get("Location"))
		if r.status != 303 || to.Host != "127.0.0.1:5000" || to.Query().Get("state") != "s1" || to.Query().Get("code") == "" || to.Fragment != "" {
			t.Fatalf("the link leads to %d %s", r.status, to)
		}
		exchange := func(code, verifier string) reply {
			return s.call("POST", "/auth/v1/token?grant_type=pkce", "", map[string]string{"auth_code": code, "code_verifier": verifier})
		}
		s.want("exchange", exchange(to.Query().Get("code"), verifier), 200, "")
		s.want("exchange again", exchange(to.Query().Get("code"), verifier), 404, "flow_state_not_found")
		s.want("nothing", exchange("", ""), 400, "validation_failed")
		s.pass(2 * time.Minute)
		s.call("POST", "/auth/v1/otp", "", map[string]any{"email": "ada@acme.test", "code_challenge": challenge, "code_challenge_method": "s256"})
		link, _ = s.lastMail(t)
		to, _ = url.Parse(s.call("GET", link, "", nil).header.Get("Location"))
		s.want("a thief of the code", exchange(to.Query().Get("code"), verifier+"x"), 400, "bad_code_verifier")
		s.want("after the thief", exchange(to.Query().Get("code"), verifier), 404, "flow_state_not_found")
	})
}

func TestRedirect(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), func(c *Config) {
		c.RedirectAllow = []string{"https://app.example/cb", "https://dash.example/x/**"}
	})
	srv, err := newServer(s.config)
	if err != nil {
		t.Fatal(err)
	}
	for to, want := range map[string]bool{
		"http://127.0.0.1:1234/cb": true, "http://localhost:9/": true, "http://[::1]:80/x": true, "http://127.8.9.1:1/": true,
		"http://team.test/signin/code": true, "https://app.example/cb?state=1": true, "https://dash.example/x/y/z": true,
		"https://127.0.0.1/": false, "http://app.example/cb": false, "https://app.example/cb/more": false, "https://dash.example/xy": false,
		"https://dash.example/x/../y": false, "https://dash.example/x/%2e%2e/y": false, "https://app.example.evil.test/cb": false, "https://evil.test/": false,
		"//evil.test": false, "/relative": false, "javascript:alert(1)": false, "http://127.0.0.1@evil.test/": false, "http://evil.test#http://127.0.0.1": false,
		"http://127.0.0.1\\@evil.test/": false, "http://localhost.evil.test/": false, "data:text/html,x": false, "http://127.0.0.1:1/\r\nX: y": false, "": false,
		"http://127.0.0.1:1/" + strings.Repeat("x", mostRedirect): false, // it would be kept
	} {
		if _, got := srv.mayRedirect(to); got != want {
			t.Errorf("%q allowed: %v", to, got)
		}
	}
	for _, bad := range []string{"app.example", "https://*.example/", "ftp://a.example/", "https://u:p@a.example/"} {
		if _, err := parseAllowance(bad); err == nil {
			t.Errorf("pattern %q is taken", bad)
		}
	}
}

func TestInvitation(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *site) {
		s.t = t
		ada, in := s.person("ada@acme.test")
		accept := func(body map[string]string, bearer string) reply {
			return s.call("POST", "/auth/v1/verify", bearer, body)
		}
		token := s.invite(ada.ID, "acme", "new@acme.test")
		s.want("another address", accept(map[string]string{"type": "invite", "token": token, "email": "x@acme.test"}, ""), 403, "otp_expired")
		r := accept(map[string]string{"type": "invite", "token_hash": token}, "")
		s.want("a new user", r, 200, "")
		if r.text("user.email") != "new@acme.test" {
			t.Errorf("joined as %s", r.body)
		}
		s.want("twice", accept(map[string]string{"type": "invite", "token": token}, ""), 403, "otp_expired")
		bob, _ := s.person("bob@acme.test")
		token = s.invite(bob.ID, "evil", "ada@acme.test")
		s.want("somebody's account", accept(map[string]string{"type": "invite", "token": token}, ""), 422, "user_already_exists")
		s.want("signed in", accept(map[string]string{"type": "invite", "token": token}, in.text("access_token")), 200, "")
	})
}

func TestClaimAPI(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *site) {
		s.t = t
		token, err := s.accounts.NewClaim(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		claim := func(token, email string) reply {
			return s.call("POST", "/cairn/v1/claim", "", map[string]string{"token": token, "email": email})
		}
		s.want("guessed", claim("x", "ada@acme.test"), 403, "otp_expired")
		s.want("no address", claim(token, "ada"), 400, "validation_failed")
		r := claim(token, "ada@acme.test")
		s.want("claim", r, 200, "")
		s.want("who", s.call("GET", "/auth/v1/user", r.text("access_token"), nil), 200, "")
		s.want("again", claim(token, "eve@acme.test"), 403, "otp_expired")
	})
}

func TestSignup(t *testing.T) {
	t.Parallel()
	each(t, func(c *Config) { c.Signup = true }, func(t *testing.T, s *site) {
		s.t = t
		sign := func(email, password string) reply {
			return s.call("POST", "/auth/v1/signup", "", map[string]string{"email": email, "password": password})
		}
		fresh := sign("ada@acme.test", "longenough1")
		s.want("signup", fresh, 200, "")
		s.want("not confirmed", s.signIn("ada@acme.test", "longenough1"), 400, "email_not_confirmed")
		again := sign("ada@acme.test", "longenough2")
		s.want("an address that is taken", again, 200, "")
		var was, is any
		_ = json.Unmarshal([]byte(fresh.body), &was)
		_ = json.Unmarshal([]byte(again.body), &is)
		(&comparison{t: t}).shape("an address that is taken", "", was, is)
		if n := len(s.mails); n != 1 {
			t.Errorf("%d mails", n)
		}
		stamps := map[string]bool{}
		for _, path := range []string{"created_at", "updated_at", "confirmation_sent_at"} {
			stamps[fresh.text(path)] = true
		}
		if len(stamps) != 1 {
			t.Errorf("times tell that the account is new: %s", fresh.body)
		}
		link, _ := s.lastMail(t)
		if r := s.call("GET", link, "", nil); r.status != 303 || !strings.Contains(r.header.Get("Location"), "#access_token=") {
			t.Errorf("confirm: %d %s", r.status, r.header.Get("Location"))
		}
		s.want("confirmed", s.signIn("ada@acme.test", "longenough1"), 200, "")
		s.want("weak", sign("b@acme.test", "short"), 422, "")
		s.want("too long", sign("b@acme.test", strings.Repeat("x", 73)), 400, "validation_failed")
		s.want("no password", sign("b@acme.test", ""), 400, "validation_failed")
		s.want("no address", sign("", "longenough1"), 422, "anonymous_provider_disabled")
		for range joining.burst {
			sign("", "")
			sign("c@acme.test", "longenough1")
		}
		s.want("too many", sign("d@acme.test", "longenough1"), 429, "over_request_rate_limit")
	})
}

func TestUserAPI(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *site) {
		s.t = t
		ada, one := s.person("ada@acme.test")
		two := s.signIn("ada@acme.test", "correct-horse")
		put := func(body string) reply { return s.call("PUT", "/auth/v1/user", one.text("access_token"), body) }
		if r := put(`{"data":{"a":1,"b":2}}`); r.status != 200 || r.field("user_metadata.a") != 1.0 {
			t.Errorf("metadata: %s", r.body)
		}
		if r := put(`{"data":{"a":null}}`); r.field("user_metadata.a") != nil || r.field("user_metadata.b") != 2.0 {
			t.Errorf("null removes: %s", r.body)
		}
		s.want("app metadata is not the user's", put(`{"app_metadata":{"role":"admin"}}`), 200, "")
		if u, _ := s.accounts.User(context.Background(), ada.ID); u.App["role"] != nil {
			t.Error("a user wrote its own app_metadata")
		}
		s.want("another address", put(`{"email":"bob@acme.test"}`), 422, "email_address_not_authorized")
		s.want("weak", put(`{"password":"x"}`), 422, "")
		s.want("password", put(`{"password":"another-horse"}`), 200, "")
		s.want("the other session", s.call("GET", "/auth/v1/user", two.text("access_token"), nil), 403, "session_not_found")
		s.want("this session", s.call("GET", "/auth/v1/user", one.text("access_token"), nil), 200, "")
		s.want("service key is nobody", s.call("GET", "/auth/v1/user", s.service, nil), 403, "bad_jwt")
		if err := s.accounts.DeleteUser(context.Background(), ada.ID); err != nil {
			t.Fatal(err)
		}
		s.want("deleted", s.call("GET", "/auth/v1/user", one.text("access_token"), nil), 403, "user_not_found")
	})
}

func TestAdminAPI(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *site) {
		s.t = t
		ada, in := s.person("ada@acme.test")
		path := "/auth/v1/admin/users/" + ada.ID.String()
		for _, who := range []struct {
			bearer string
			status int
			code   string
		}{{"", 401, "no_authorization"}, {s.anon, 403, "not_admin"}, {in.text("access_token"), 403, "not_admin"}, {"x", 403, "bad_jwt"}} {
			for _, call := range [][2]string{{"GET", "/auth/v1/admin/users"}, {"POST", "/auth/v1/admin/users"}, {"GET", path}, {"PUT", path}, {"DELETE", path},
				{"POST", "/auth/v1/admin/generate_link"}, {"POST", "/auth/v1/invite"}} {
				s.want(call[0]+" "+call[1], s.call(call[0], call[1], who.bearer, `{"email":"ada@acme.test","type":"magiclink"}`), who.status, who.code)
			}
		}
		admin := func(method, path, body string) reply { return s.call(method, path, s.service, body) }
		s.want("not an id", admin("GET", "/auth/v1/admin/users/x", ""), 404, "validation_failed")
		s.want("page 0", admin("GET", "/auth/v1/admin/users?page=0", ""), 400, "validation_failed")
		s.want("no address", admin("POST", "/auth/v1/admin/users", `{}`), 400, "validation_failed")
		s.want("a bad hash", admin("POST", "/auth/v1/admin/users", `{"email":"h@acme.test","password_hash":"x"}`), 400, "validation_failed")
		s.want("change", admin("PUT", path, `{"app_metadata":{"x":1},"email":"Ada2@acme.test"}`), 200, "")
		s.want("ban for nonsense", admin("PUT", path, `{"ban_duration":"soon"}`), 400, "validation_failed")
		s.want("ban", admin("PUT", path, `{"ban_duration":"24h"}`), 200, "")
		s.want("banned", s.signIn("ada2@acme.test", "correct-horse"), 400, "user_banned")
		s.want("banned session", s.call("GET", "/auth/v1/user", in.text("access_token"), nil), 403, "session_not_found")
		s.want("lift", admin("PUT", path, `{"ban_duration":"none"}`), 200, "")
		s.want("lifted", s.signIn("ada2@acme.test", "correct-horse"), 200, "")
		s.want("link of an unknown kind", admin("POST", "/auth/v1/admin/generate_link", `{"type":"x","email":"ada2@acme.test"}`), 400, "validation_failed")
		s.want("recovery of nobody", admin("POST", "/auth/v1/admin/generate_link", `{"type":"recovery","email":"n@acme.test"}`), 404, "user_not_found")
		s.want("recovery", admin("POST", "/auth/v1/admin/generate_link", `{"type":"recovery","email":"ada2@acme.test"}`), 200, "")
		s.want("own scope", s.call("POST", "/auth/v1/logout?scope=x", s.signIn("ada2@acme.test", "correct-horse").text("access_token"), nil), 400, "validation_failed")
	})
}

// A mailer that is slow, or takes nothing, does not tell who has an account: the
// answer is there before anybody is looked up.
func TestMailTellsNothing(t *testing.T) {
	t.Parallel()
	each(t, func(c *Config) { c.Mailer = make(stuckMailer) }, func(t *testing.T, s *site) {
		s.t = t
		s.person("ada@acme.test")
		banned, _ := s.person("eve@acme.test")
		if _, err := s.accounts.Ban(t.Context(), banned.ID, s.now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		v := visit(t, s.listen(t))
		on := v.get(signinPath("http://127.0.0.1:5000/cb?state=s1"))
		answers := map[string]bool{}
		for _, name := range []string{"ada", "eve", "nobody"} {
			r := v.post("/signin", on, map[string]string{"way": "mail", "email": name + "@acme.test"})
			answers[fmt.Sprint(r.status, strings.ReplaceAll(r.body, name+"@", "x@"))] = true
			s.want("recover "+name, s.call("POST", "/auth/v1/recover", "", map[string]string{"email": name + "@acme.test"}), 200, "")
		}
		if len(answers) != 1 {
			t.Errorf("%d different pages", len(answers))
		}
		close(s.config.Mailer.(stuckMailer))
	})
}

// A stuckMailer takes no mail before it is closed.
type stuckMailer chan struct{}

func (m stuckMailer) Send(ctx context.Context, _, _, _, _ string) error {
	select {
	case <-m:
	case <-ctx.Done():
	}
	return errors.New("the mail server takes nothing")
}
