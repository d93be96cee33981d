package auth

import (
	"errors"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db/account"
	"cairn/test/dbtest"
)

// withPages is a server whose pages remember who is signed in by a cookie.
func withPages(c *Config) {
	c.Start = func(w http.ResponseWriter, _ *http.Request, f account.Flow) error {
		if f.User == uuid.Nil {
			return errors.New("nobody signs in")
		}
		second := ""
		if !f.SecondFactor.IsZero() {
			second = "+second"
		}
		http.SetCookie(w, &http.Cookie{Name: "pages", Value: f.User.String() + second, Path: "/"})
		return nil
	}
	c.Signed = func(r *http.Request) (uuid.UUID, bool) {
		cookie, err := r.Cookie("pages")
		if err != nil {
			return uuid.Nil, false
		}
		id, err := uuid.Parse(strings.TrimSuffix(cookie.Value, "+second"))
		return id, err == nil
	}
}

// pages is who the browser is signed in as.
func (v *visitor) pages() string {
	base, _ := url.Parse(v.base)
	for _, c := range v.client.Jar.Cookies(base) {
		if c.Name == "pages" {
			return c.Value
		}
	}
	return ""
}

// navigate opens an address as a browser does.
func (v *visitor) navigate(path, from string) reply {
	r, _ := http.NewRequest("GET", v.base+path, nil)
	r.Header.Set("Accept", "text/html")
	if from != "" {
		r.Header.Set("Sec-Fetch-Mode", "navigate")
		r.Header.Set("Sec-Fetch-Site", from)
	}
	return v.do(r)
}

// A link of a mail signs a browser in to the pages, once; where another site's
// page led to it, only after the person said so.
func TestLinkInBrowser(t *testing.T) {
	t.Parallel()
	each(t, withPages, func(t *testing.T, s *site) {
		s.t = t
		ada, _ := s.person("ada@acme.test")
		bob, session := s.person("bob@acme.test")
		_, secret, _ := s.factor(session.text("access_token"))
		s.pass(time.Minute) // the code was used
		base := s.listen(t)
		link := func(to account.User) string {
			t.Helper()
			token, _, err := s.accounts.Issue(t.Context(), account.Ticket{Kind: account.MagicLink, User: to.ID, Email: to.Email})
			if err != nil {
				t.Fatal(err)
			}
			return strings.TrimPrefix(Link(base, account.MagicLink, token, base), base)
		}
		for _, from := range []string{"", "none", "same-origin"} {
			v, path := visit(t, base), link(ada)
			if r := v.navigate(path, from); r.status != 303 || r.header.Get("Location") != "/" || v.pages() != ada.ID.String() {
				t.Errorf("from %q: %d %s, signed in as %q", from, r.status, r.header.Get("Location"), v.pages())
			}
			again := visit(t, base)
			if r := again.navigate(path, from); r.status < 400 || again.pages() != "" || !strings.Contains(r.body, "used before or is too old") {
				t.Errorf("from %q again: %d, signed in as %q", from, r.status, again.pages())
			}
		}
		if r := visit(t, base).get(link(ada)); r.status != 303 || !strings.Contains(r.header.Get("Location"), "access_token=") {
			t.Errorf("a program: %d %s", r.status, r.header.Get("Location"))
		}

		v, path := visit(t, base), link(ada)
		asked := v.navigate(path, "cross-site")
		if asked.status != 200 || v.pages() != "" {
			t.Fatalf("from another site: %d, signed in as %q", asked.status, v.pages())
		}
		if r := visit(t, base).post("/signin/link", asked, nil); r.status < 400 {
			t.Errorf("in another browser: %d", r.status)
		}
		if r := v.post("/signin/link", asked, map[string]string{"type": "carrier-pigeon"}); r.status < 400 || v.pages() != "" {
			t.Errorf("of no kind: %d", r.status)
		}
		if r := v.post("/signin/link", asked, nil); r.status != 303 || v.pages() != ada.ID.String() {
			t.Errorf("after the question: %d, signed in as %q", r.status, v.pages())
		}

		// With a second factor the link is half of the way.
		v = visit(t, base)
		half := v.navigate(link(bob), "none")
		if half.status != 200 || v.pages() != "" || !strings.Contains(half.body, `name="half"`) {
			t.Fatalf("with a second factor: %d, signed in as %q", half.status, v.pages())
		}
		if r := v.post("/signin/second", half, map[string]string{"code": "000000"}); r.status != 422 || v.pages() != "" {
			t.Errorf("a wrong code: %d, signed in as %q", r.status, v.pages())
		}
		if r := v.post("/signin/second", half, map[string]string{"code": s.totp(secret)}); r.status != 303 || v.pages() != bob.ID.String()+"+second" {
			t.Errorf("the code: %d, signed in as %q", r.status, v.pages())
		}
	})
}

// Who is signed in switches the second factor on with its first code and off
// with another; sessions that never showed it end.
func TestFactorPage(t *testing.T) {
	t.Parallel()
	each(t, withPages, func(t *testing.T, s *site) {
		s.t = t
		ada, session := s.person("ada@acme.test")
		base := s.listen(t)
		v := visit(t, base)
		for what, r := range map[string]reply{"looked at": v.get(factorPath), "sent": v.post(factorPath, reply{}, map[string]string{"way": "begin"})} {
			if r.status != 303 || r.header.Get("Location") != "/enter?next="+factorPath {
				t.Errorf("%s by nobody: %d %s", what, r.status, r.header.Get("Location"))
			}
		}
		u, _ := url.Parse(base)
		v.client.Jar.SetCookies(u, []*http.Cookie{{Name: "pages", Value: ada.ID.String(), Path: "/"}})
		has := func() bool {
			t.Helper()
			has, err := s.accounts.HasFactor(t.Context(), ada.ID)
			if err != nil {
				t.Fatal(err)
			}
			return has
		}
		off := v.get(factorPath)
		if off.status != 200 || !strings.Contains(off.body, "It is off") || !strings.Contains(off.body, "ada@acme.test") {
			t.Fatalf("%d %s", off.status, off.body)
		}
		if r := v.post(factorPath, reply{}, map[string]string{"way": "begin"}); r.status < 400 {
			t.Errorf("from a page that is not ours: %d", r.status)
		}
		if r := v.post(factorPath, off, map[string]string{"way": "sideways"}); r.status < 400 {
			t.Errorf("neither on nor off: %d", r.status)
		}
		enroll := v.post(factorPath, off, map[string]string{"way": "begin"})
		found := regexp.MustCompile(`id="secret">([^<]+)<`).FindStringSubmatch(enroll.body)
		if found == nil || !strings.Contains(enroll.body, "<svg ") || has() {
			t.Fatalf("%d %s", enroll.status, enroll.body)
		}
		groups := strings.Split(html.UnescapeString(found[1]), " ")
		for _, group := range groups[:len(groups)-1] {
			if len(group) != 4 {
				t.Errorf("hard to type: %s", found[1])
			}
		}
		secret := strings.Join(groups, "")
		for what, fields := range map[string]map[string]string{
			"a wrong code":   {"way": "verify", "code": "000000"},
			"no factor":      {"way": "verify", "code": s.totp(secret), "token": "x"},
			"another's":      {"way": "verify", "code": s.totp(secret), "token": uuid.NewString()},
			"without a code": {"way": "verify"},
			"off before on":  {"way": "remove", "code": s.totp(secret)},
		} {
			if r := v.post(factorPath, enroll, fields); r.status < 400 || has() {
				t.Errorf("%s: %d", what, r.status)
			}
		}
		if r := v.post(factorPath, enroll, map[string]string{"way": "verify", "code": s.totp(secret)}); r.status != 303 || !has() || v.pages() != ada.ID.String()+"+second" {
			t.Fatalf("switched on: %d, signed in as %q: %s", r.status, v.pages(), r.body)
		}
		s.want("a session without it", s.refresh(session.text("refresh_token")), 400, "refresh_token_not_found")

		on := v.get(factorPath)
		if !strings.Contains(on.body, "It is on") {
			t.Errorf("%s", on.body)
		}
		if r := v.post(factorPath, on, map[string]string{"way": "begin"}); strings.Contains(r.body, `id="secret"`) {
			t.Error("a second one replaces the first without its code")
		}
		if r := v.post(factorPath, on, map[string]string{"way": "remove", "code": s.used}); r.status != 422 || !has() {
			t.Errorf("off with a code that was used: %d", r.status)
		}
		s.pass(time.Minute)
		if r := v.post(factorPath, on, map[string]string{"way": "remove", "code": s.totp(secret)}); r.status != 200 || has() || !strings.Contains(r.body, "It is off") {
			t.Errorf("off: %d %s", r.status, r.body)
		}
	})
}

// Who is signed in to the pages joins a team without a password, by the
// invitation to their own address only.
func TestJoinSignedIn(t *testing.T) {
	t.Parallel()
	each(t, withPages, func(t *testing.T, s *site) {
		s.t = t
		ada, _ := s.person("ada@acme.test")
		bob, _ := s.person("bob@acme.test")
		base := s.listen(t)
		v := visit(t, base)
		u, _ := url.Parse(base)
		v.client.Jar.SetCookies(u, []*http.Cookie{{Name: "pages", Value: bob.ID.String(), Path: "/"}})
		other := v.get("/join?token=" + s.invite(ada.ID, "first", "carol@acme.test"))
		if strings.Contains(other.body, `value="signed"`) {
			t.Error("offered to who is not invited")
		}
		if r := v.post("/join", other, map[string]string{"way": "signed"}); strings.Contains(r.body, "Welcome to") {
			t.Errorf("another's invitation: %d", r.status)
		}
		mine := v.get("/join?token=" + s.invite(ada.ID, "second", "Bob@acme.test"))
		if !strings.Contains(mine.body, `value="signed"`) {
			t.Fatalf("not offered: %s", mine.body)
		}
		r := v.post("/join", mine, map[string]string{"way": "signed"})
		if r.status >= 400 {
			t.Errorf("joined: %d %s", r.status, r.body)
		}
		rows := `select count(*) from team_members m join teams t on t.id = m.team_id where m.user_id = ? and t.slug = 'second'`
		if n := dbtest.Count(t, s.db, rows, bob.ID); n != 1 {
			t.Error("not a member")
		}
	})
}

// An admin sees and removes another's factors; nobody else does.
func TestAdminFactors(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *site) {
		s.t = t
		ada, session := s.person("ada@acme.test")
		id, _, full := s.factor(session.text("access_token"))
		path := "/auth/v1/admin/users/" + ada.ID.String() + "/factors"
		s.want("the user itself", s.call("DELETE", path+"/"+id, full.text("access_token"), nil), 403, "not_admin")
		s.want("not an id", s.call("DELETE", path+"/x", s.service, nil), 404, "validation_failed")
		s.want("none", s.call("DELETE", path+"/"+uuid.NewString(), s.service, nil), 404, "mfa_factor_not_found")
		s.want("not a user", s.call("DELETE", "/auth/v1/admin/users/x/factors/"+id, s.service, nil), 404, "validation_failed")
		if r := s.call("DELETE", path+"/"+id, s.service, nil); r.status != 200 || r.text("id") != id {
			t.Errorf("%d %s", r.status, r.body)
		}
		if r := s.call("GET", path, s.service, nil); strings.TrimSpace(r.body) != "[]" {
			t.Errorf("left: %s", r.body)
		}
		if !s.may(s.signIn("ada@acme.test", "correct-horse").text("access_token")) {
			t.Error("a password is not enough after that")
		}
	})
}

// Without mail nobody can confirm an address: who signs up is signed in, and an
// address that is taken is said to be.
func TestSignupWithoutMail(t *testing.T) {
	t.Parallel()
	each(t, func(c *Config) { c.Signup, c.Mailer = true, nil }, func(t *testing.T, s *site) {
		s.t = t
		sign := func(password string) reply {
			return s.call("POST", "/auth/v1/signup", "", map[string]string{"email": "ada@acme.test", "password": password})
		}
		made := sign("longenough1")
		if s.want("signup", made, 200, ""); !s.may(made.text("access_token")) {
			t.Error("not signed in")
		}
		taken := sign("longenough2")
		if s.want("taken", taken, 422, "user_already_exists"); taken.text("access_token") != "" {
			t.Error("signed in to another's account")
		}
		s.want("its password", s.signIn("ada@acme.test", "longenough1"), 200, "")
	})
}
