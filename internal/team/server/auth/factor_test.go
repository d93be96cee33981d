package auth

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/pquerna/otp/totp"

	"cairn/internal/team/db/account"
)

// factor gives a session a verified second factor, and returns the session
// that the server answers with.
func (s *site) factor(access string) (id, secret string, session reply) {
	s.t.Helper()
	s.pass(30*time.Second - time.Duration(s.now().UnixNano()%int64(30*time.Second))) // a code is good until its half minute ends
	made := s.call("POST", "/auth/v1/factors", access, map[string]string{"factor_type": "totp", "friendly_name": "phone"})
	s.want("enroll", made, 200, "")
	if !strings.HasPrefix(made.text("totp.qr_code"), "<svg ") || !strings.HasPrefix(made.text("totp.uri"), "otpauth://totp/cairn%20team.test:") {
		s.t.Errorf("enrolled: %s", made.text("totp.uri"))
	}
	id, secret = made.text("id"), made.text("totp.secret")
	return id, secret, s.prove(access, id, secret)
}

func (s *site) prove(access, id, secret string) reply {
	s.t.Helper()
	challenge := s.call("POST", "/auth/v1/factors/"+id+"/challenge", access, nil)
	s.want("challenge", challenge, 200, "")
	return s.call("POST", "/auth/v1/factors/"+id+"/verify", access, map[string]string{"challenge_id": challenge.text("id"), "code": s.totp(secret)})
}

func (s *site) totp(secret string) string {
	code, err := totp.GenerateCode(secret, s.now())
	if err != nil {
		s.t.Fatal(err)
	}
	s.used = code
	return code
}

// may says whether a token is good for anything: whether Identify takes it.
func (s *site) may(access string) bool {
	r, _ := http.NewRequest("GET", "/rest/v1/teams", nil)
	r.Header.Set("Authorization", "Bearer "+access)
	_, _, err := s.config.Access.Identify(r)
	return err == nil
}

func TestSecondFactor(t *testing.T) {
	t.Parallel()
	each(t, func(c *Config) { c.Signup = true }, func(t *testing.T, s *site) {
		s.t = t
		_, other := s.person("ada@acme.test")
		first := s.signIn("ada@acme.test", "correct-horse")
		id, secret, full := s.factor(first.text("access_token"))
		s.want("verify", full, 200, "")
		if s.may(other.text("access_token")) {
			t.Error("a session without the factor goes on")
		}
		if !s.may(full.text("access_token")) {
			t.Error("the session with the factor does not")
		}
		claims, _, err := s.keys.Verify(full.text("access_token"))
		if err != nil || claims.AAL != "aal2" || len(claims.AMR) != 2 || claims.AMR[0].Method != "totp" || claims.AMR[1].Method != "password" {
			t.Errorf("%+v, %v", claims, err)
		}
		s.want("the refresh token from before", s.refresh(first.text("refresh_token")), 400, "refresh_token_not_found")
		again := s.refresh(full.text("refresh_token"))
		if claims, _, err = s.keys.Verify(again.text("access_token")); err != nil || claims.AAL != "aal2" {
			t.Errorf("refreshed: %+v, %v", claims, err)
		}

		// Every way in ends before the factor.
		token, _, err := s.accounts.Issue(context.Background(), account.Ticket{Kind: account.MagicLink, User: uuid.MustParse(claims.Subject), Email: "ada@acme.test"})
		if err != nil {
			t.Fatal(err)
		}
		byLink := s.call("POST", "/auth/v1/verify", "", map[string]string{"type": "magiclink", "token_hash": token})
		_, code, err := s.accounts.Issue(context.Background(), account.Ticket{Kind: account.Recovery, User: uuid.MustParse(claims.Subject), Email: "ada@acme.test"})
		if err != nil {
			t.Fatal(err)
		}
		byCode := s.call("POST", "/auth/v1/verify", "", map[string]string{"type": "recovery", "email": "ada@acme.test", "token": code})
		byPassword := s.signIn("ada@acme.test", "correct-horse")
		for what, r := range map[string]reply{"link": byLink, "code": byCode, "password": byPassword, "refresh": s.refresh(byPassword.text("refresh_token"))} {
			s.want(what, r, 200, "")
			half := r.text("access_token")
			if s.may(half) {
				t.Errorf("%s gets in without the factor", what)
			}
			s.want(what+": who it is", s.call("GET", "/auth/v1/user", half, nil), 200, "")
			s.want(what+": another password", s.call("PUT", "/auth/v1/user", half, map[string]string{"password": "another-horse"}), 401, "insufficient_aal")
			s.want(what+": another factor", s.call("POST", "/auth/v1/factors", half, map[string]string{"factor_type": "totp"}), 401, "insufficient_aal")
			s.want(what+": no factor", s.call("DELETE", "/auth/v1/factors/"+id, half, nil), 401, "insufficient_aal")
		}
		half := byLink.text("access_token")
		s.want("the same code again", s.prove(half, id, secret), 422, "mfa_verification_failed")
		s.pass(time.Minute)
		second := s.prove(half, id, secret)
		if s.want("the next code", second, 200, ""); !s.may(second.text("access_token")) {
			t.Error("with the next code nothing is allowed")
		}
		list := s.call("GET", "/auth/v1/admin/users/"+claims.Subject+"/factors", s.service, nil)
		if s.want("admin", list, 200, ""); strings.Contains(list.body, secret) || !strings.Contains(list.body, `"status":"verified"`) {
			t.Errorf("%s", list.body)
		}
		if me := s.call("GET", "/auth/v1/user", second.text("access_token"), nil); strings.Contains(me.body, secret) || me.field("factors") == nil {
			t.Errorf("%s", me.body)
		}

		// Nobody touches another's.
		_, eve := s.person("eve@acme.test")
		s.want("another's challenge", s.call("POST", "/auth/v1/factors/"+id+"/challenge", eve.text("access_token"), nil), 404, "mfa_factor_not_found")
		s.want("another's factor", s.call("DELETE", "/auth/v1/factors/"+id, eve.text("access_token"), nil), 404, "mfa_factor_not_found")

		wrong := 0
		for range account.MostFactorTries + 1 {
			challenge := s.call("POST", "/auth/v1/factors/"+id+"/challenge", second.text("access_token"), nil)
			r := s.call("POST", "/auth/v1/factors/"+id+"/verify", second.text("access_token"), map[string]string{"challenge_id": challenge.text("id"), "code": "000000"})
			if r.status == 422 {
				wrong++
			} else if r.status != 429 || r.header.Get("Retry-After") == "" {
				t.Errorf("a wrong code: %d %s", r.status, r.body)
			}
		}
		if wrong != account.MostFactorTries {
			t.Errorf("%d tries", wrong)
		}
		s.want("unenroll", s.call("DELETE", "/auth/v1/factors/"+id, second.text("access_token"), nil), 200, "")
		if !s.may(s.signIn("ada@acme.test", "correct-horse").text("access_token")) {
			t.Error("without a factor a password is not enough")
		}
	})
}

// The pages ask for the code before they send anybody on.
func TestSecondFactorPages(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *site) {
		s.t = t
		_, session := s.person("ada@acme.test")
		_, secret, _ := s.factor(session.text("access_token"))
		v := visit(t, s.listen(t))
		on := v.get(signinPath("http://127.0.0.1:5000/cb?state=s1"))
		password := map[string]string{"way": "password", "email": "ada@acme.test", "password": "correct-horse"}
		ask := v.post("/signin", on, password)
		if ask.status != 200 || ask.header.Get("Location") != "" || !strings.Contains(ask.body, `name="half"`) {
			t.Fatalf("after the password: %d %s", ask.status, ask.header.Get("Location"))
		}
		if r := v.post("/signin/second", ask, map[string]string{"code": s.used}); r.status != 422 || r.header.Get("Location") != "" {
			t.Errorf("a code that was used: %d", r.status)
		}
		s.pass(time.Minute)
		stranger := visit(t, s.config.SiteURL)
		form := stranger.get(signinPath("http://127.0.0.1:5000/cb?state=s1"))
		half := regexp.MustCompile(`name="half" value="([^"]*)"`).FindStringSubmatch(ask.body)[1]
		for what, r := range map[string]reply{
			"in another browser":   stranger.post("/signin/second", form, map[string]string{"half": half, "code": s.totp(secret)}),
			"without the password": v.post("/signin/second", on, map[string]string{"code": s.totp(secret)}),
			"a half of one's own":  v.post("/signin/second", on, map[string]string{"half": strings.ToUpper(half), "code": s.totp(secret)}),
			"to another address":   v.post("/signin/second", ask, map[string]string{"redirect_to": "https://evil.test/", "code": s.totp(secret)}),
		} {
			if r.status < 400 || r.header.Get("Location") != "" {
				t.Errorf("%s: %d %s", what, r.status, r.header.Get("Location"))
			}
		}
		code := s.totp(secret)
		r := v.post("/signin/second", ask, map[string]string{"code": code[:3] + " " + code[3:]})
		if to, _ := url.Parse(r.header.Get("Location")); r.status != 303 || to.Host != "127.0.0.1:5000" || to.Query().Get("state") != "s1" {
			t.Fatalf("with the code: %d %s", r.status, to)
		}
		got := s.exchange(r.header.Get("Location"))
		if claims, _, err := s.keys.Verify(got.text("access_token")); err != nil || claims.AAL != "aal2" || !s.may(got.text("access_token")) {
			t.Errorf("%+v, %v", claims, err)
		}

		late := v.post("/signin", on, password)
		s.pass(halfLife)
		if r := v.post("/signin/second", late, map[string]string{"code": s.totp(secret)}); r.status != 403 || r.header.Get("Location") != "" {
			t.Errorf("too late: %d", r.status)
		}
	})
}

func (s *site) refresh(token string) reply {
	return s.call("POST", "/auth/v1/token?grant_type=refresh_token", "", map[string]string{"refresh_token": token})
}

// TestFactorMadeInAdvance: a factor that somebody who knew the password began
// before the user had one is worth nothing after that.
func TestFactorMadeInAdvance(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *site) {
		s.t = t
		_, stolen := s.person("ada@acme.test")
		theirs := s.call("POST", "/auth/v1/factors", stolen.text("access_token"), map[string]string{"factor_type": "totp", "friendly_name": "tablet"})
		s.want("enroll", theirs, 200, "")
		_, _, full := s.factor(s.signIn("ada@acme.test", "correct-horse").text("access_token"))
		half := s.signIn("ada@acme.test", "correct-horse").text("access_token")
		s.want("the one from before", s.prove(half, theirs.text("id"), theirs.text("totp.secret")), 404, "mfa_factor_not_found")
		if s.may(half) {
			t.Error("it opens the account")
		}
		s.want("by who has shown the other", s.prove(full.text("access_token"), theirs.text("id"), theirs.text("totp.secret")), 200, "")
	})
}
