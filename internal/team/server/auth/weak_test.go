package auth

import (
	"strings"
	"testing"

	"cairn/internal/team/db/account"
)

// Nobody can choose a password that others would guess, by any way; one that
// was chosen before keeps working.
func TestWeakPasswords(t *testing.T) {
	t.Parallel()
	each(t, func(c *Config) { c.Signup = true }, func(t *testing.T, s *site) {
		s.t = t
		base := s.listen(t)
		old, err := s.accounts.CreateUser(t.Context(), account.NewUser{Email: "ada@acme.test", Password: "password", Confirmed: true})
		if err != nil {
			t.Fatal(err)
		}
		session := s.signIn("ada@acme.test", "password")
		s.want("an old password", session, 200, "")
		for _, weak := range []string{"password", "12345678", "aaaaaaaa", "acme-test", "Acme2026"} {
			set := map[string]any{"email": "ada@acme.test", "password": weak}
			for what, r := range map[string]reply{
				"sign up":         s.call("POST", "/auth/v1/signup", "", map[string]any{"email": "new@acme.test", "password": weak}),
				"change":          s.call("PUT", "/auth/v1/user", session.text("access_token"), map[string]any{"password": weak}),
				"admin sets":      s.call("PUT", "/auth/v1/admin/users/"+old.ID.String(), s.service, set),
				"admin makes":     s.call("POST", "/auth/v1/admin/users", s.service, map[string]any{"email": "new@acme.test", "password": weak}),
				"admin's sign up": s.call("POST", "/auth/v1/admin/generate_link", s.service, map[string]any{"type": "signup", "email": "new@acme.test", "password": weak}),
			} {
				if r.status != 422 || r.text("error_code") != "weak_password" || !strings.Contains(r.body, `"reasons":["pwned"]`) {
					t.Errorf("%s with %q: %d %s", what, weak, r.status, r.body)
				}
			}
		}
		s.want("the old password after all of it", s.signIn("ada@acme.test", "password"), 200, "")

		v := visit(t, base)
		on := v.get("/join?token=" + s.invite(old.ID, "acme", "new@acme.test"))
		if r := v.post("/join", on, map[string]string{"password": "Team-Acme1"}); r.status != 422 || !strings.Contains(r.body, "easy to guess. Choose") {
			t.Errorf("join: %d", r.status)
		}
		on = v.get("/claim?token=x")
		if r := v.post("/claim", on, map[string]string{"email": "x@y.test", "team": "Rocket Crew", "password": "rocketcrew"}); r.status != 422 || !strings.Contains(r.body, "easy to guess. Choose") {
			t.Errorf("claim: %d", r.status)
		}
	})
}
