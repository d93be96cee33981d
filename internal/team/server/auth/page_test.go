package auth

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cairn/test/browsertest"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
)

// A visitor is a browser without a screen: it keeps cookies and sends forms.
type visitor struct {
	t      *testing.T
	client *http.Client
	base   string
}

func visit(t *testing.T, base string) *visitor {
	jar, _ := cookiejar.New(nil)
	return &visitor{t, &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, base}
}

func (v *visitor) do(r *http.Request) reply {
	v.t.Helper()
	res, err := v.client.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return reply{res.StatusCode, res.Header, string(body)}
}

func (v *visitor) get(path string) reply {
	r, _ := http.NewRequest("GET", v.base+path, nil)
	return v.do(r)
}

// post sends a form with the hidden fields of a page.
func (v *visitor) post(path string, on reply, fields map[string]string) reply {
	form := url.Values{}
	for _, m := range regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)">`).FindAllStringSubmatch(on.body, -1) {
		form.Set(m[1], strings.ReplaceAll(m[2], "&amp;", "&"))
	}
	for k, x := range fields {
		form.Set(k, x)
	}
	r, _ := http.NewRequest("POST", v.base+path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return v.do(r)
}

func signinPath(redirect string) string {
	return "/signin?" + url.Values{"redirect_to": {redirect}, "code_challenge": {challenge}, "code_challenge_method": {"s256"}}.Encode()
}

// exchange turns the code of a redirect into a session.
func (s *site) exchange(location string) reply {
	s.t.Helper()
	u, err := url.Parse(location)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.call("POST", "/auth/v1/token?grant_type=pkce", "", map[string]string{"auth_code": u.Query().Get("code"), "code_verifier": verifier})
}

func TestSigninPage(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *site) {
		s.t = t
		s.person("ada@acme.test")
		v := visit(t, s.listen(t))
		on := v.get(signinPath("http://127.0.0.1:5000/cb?state=s1"))
		if on.status != 200 || !strings.Contains(on.header.Get("Content-Security-Policy"), "form-action 'self' http://127.0.0.1:5000") {
			t.Fatalf("%d %s", on.status, on.header.Get("Content-Security-Policy"))
		}
		wrong := v.post("/signin", on, map[string]string{"way": "password", "email": `"><b>@acme.test`, "password": "x"})
		if wrong.status != 400 || !strings.Contains(wrong.body, "address or the password is wrong") || strings.Contains(wrong.body, `"><b>`) {
			t.Errorf("wrong password: %d %s", wrong.status, wrong.body)
		}
		r := v.post("/signin", on, map[string]string{"way": "password", "email": "ada@acme.test", "password": "correct-horse"})
		to, _ := url.Parse(r.header.Get("Location"))
		if r.status != 303 || to.Host != "127.0.0.1:5000" || to.Query().Get("state") != "s1" {
			t.Fatalf("signed in: %d %s", r.status, to)
		}
		s.want("exchange", s.exchange(to.String()), 200, "")

		v.post("/signin", on, map[string]string{"way": "mail", "email": "ada@acme.test"})
		r = v.post("/signin", on, map[string]string{"way": "mail", "email": "ada@acme.test"})
		unknown := v.post("/signin", on, map[string]string{"way": "mail", "email": "nobody@acme.test"})
		if r.status != 200 || strings.ReplaceAll(r.body, "ada@", "nobody@") != unknown.body {
			t.Errorf("mail to a user and to nobody differ: %d, %d", r.status, unknown.status)
		}
		_, code := s.lastMail(t)
		r = v.post("/signin", r, map[string]string{"way": "code", "code": code})
		s.want("exchange after the code", s.exchange(r.header.Get("Location")), 200, "")
	})
}

func TestPasteMode(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *site) {
		s.t = t
		s.person("ada@acme.test")
		v := visit(t, s.listen(t))
		on := v.get("/signin?mode=paste&code_challenge=" + challenge + "&code_challenge_method=s256")
		r := v.post("/signin", on, map[string]string{"way": "password", "email": "ada@acme.test", "password": "correct-horse"})
		location := r.header.Get("Location")
		if r.status != 303 || !strings.HasPrefix(location, s.config.SiteURL+codePath+"?code=") {
			t.Fatalf("%d %s", r.status, location)
		}
		_, code, _ := strings.Cut(location, "code=")
		if shown := v.get(codePath + "?code=" + code); !strings.Contains(shown.body, code) {
			t.Errorf("the page does not show the code: %s", shown.body)
		}
		if shown := v.get(codePath + "?code=run+this+now"); shown.status != 400 || strings.Contains(shown.body, "run this now") {
			t.Errorf("the page shows anything: %s", shown.body)
		}
		s.want("exchange", s.exchange(location), 200, "")
	})
}

// Forms that another page sends, and addresses that a sign-in may not end at.
func TestPagesRefuse(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	s.person("ada@acme.test")
	v := visit(t, s.listen(t))
	fields := map[string]string{"way": "password", "email": "ada@acme.test", "password": "correct-horse"}
	on := v.get(signinPath("http://127.0.0.1:5000/cb"))
	for name, r := range map[string]reply{
		"no cookie":        visit(t, s.config.SiteURL).post("/signin", on, fields),
		"another's cookie": func() reply { o := visit(t, s.config.SiteURL); o.get("/join"); return o.post("/signin", on, fields) }(),
		"no signature":     v.post("/signin", on, map[string]string{"form": "x", "way": "password", "email": "ada@acme.test", "password": "correct-horse"}),
	} {
		if r.status != 403 || r.header.Get("Location") != "" {
			t.Errorf("%s: %d", name, r.status)
		}
	}
	r, _ := http.NewRequest("POST", s.config.SiteURL+"/signin", strings.NewReader(url.Values{"form": {"x"}}.Encode()))
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if got := v.do(r); got.status < 400 {
		t.Errorf("from another site: %d", got.status)
	}
	for _, to := range []string{"https://evil.test/", "//evil.test", "javascript:alert(1)", "http://127.0.0.1@evil.test/"} {
		if got := v.get(signinPath(to)); got.status != 400 || strings.Contains(got.body, "evil.test") {
			t.Errorf("%s: %d", to, got.status)
		}
		if got := v.post("/signin", on, map[string]string{"redirect_to": to, "way": "password", "email": "ada@acme.test", "password": "correct-horse"}); got.status != 400 || got.header.Get("Location") != "" {
			t.Errorf("posted %s: %d %s", to, got.status, got.header.Get("Location"))
		}
	}
	if got := v.get("/signin?redirect_to=http://127.0.0.1:1/"); got.status != 400 {
		t.Errorf("without a challenge: %d", got.status)
	}
	if got := v.get("/signin"); got.status != 303 || got.header.Get("Location") != "/enter" {
		t.Errorf("nobody asked: %d %s", got.status, got.header.Get("Location"))
	}
}

func TestJoinPage(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *site) {
		s.t = t
		ada, _ := s.person("ada@acme.test")
		v := visit(t, s.listen(t))
		token := s.invite(ada.ID, "acme", "new@acme.test")
		on := v.get("/join?token=" + token)
		if !regexp.MustCompile(`cairn sync setup --invite '[^']+[?]token=`).MatchString(on.body) {
			t.Error("a shell takes the ? of the link for a pattern")
		}
		if on.status != 200 || !strings.Contains(on.body, "Join Team acme") || !strings.Contains(on.body, "new@acme.test") {
			t.Fatalf("%d %s", on.status, on.body)
		}
		if weak := v.post("/join", on, map[string]string{"password": "x"}); weak.status != 422 {
			t.Errorf("a weak password: %d", weak.status)
		}
		if done := v.post("/join", on, map[string]string{"password": "another-horse"}); done.status != 200 || !strings.Contains(done.body, "Welcome to Team acme") {
			t.Fatalf("joined: %d %s", done.status, done.body)
		}
		s.want("sign in", s.signIn("new@acme.test", "another-horse"), 200, "")
		if again := v.get("/join?token=" + token); again.status != 403 || !strings.Contains(again.body, "Ask for another one") {
			t.Errorf("again: %d", again.status)
		}

		// From /signin, with a token that is pasted as its link, by who has an account.
		token = s.invite(ada.ID, "second", "new@acme.test")
		on = v.get("/join?" + strings.TrimPrefix(signinPath("http://127.0.0.1:5000/cb"), "/signin?"))
		on = v.post("/join", on, map[string]string{"token": s.config.SiteURL + "/join?token=" + token})
		if !strings.Contains(on.body, "The address has an account") {
			t.Fatalf("pasted: %d %s", on.status, on.body)
		}
		if r := v.post("/join", on, map[string]string{"password": "wrong-horse"}); r.status != 400 {
			t.Errorf("a wrong password: %d", r.status)
		}
		r := v.post("/join", on, map[string]string{"password": "another-horse"})
		s.want("exchange", s.exchange(r.header.Get("Location")), 200, "")
	})
}

func TestClaimPage(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *site) {
		s.t = t
		v := visit(t, s.listen(t))
		token, err := s.accounts.NewClaim(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		on := v.get("/claim?token=" + token)
		fields := map[string]string{"email": "ada@acme.test", "password": "correct-horse", "team": "???"}
		if r := v.post("/claim", on, fields); r.status != 400 {
			t.Errorf("a team without a name: %d", r.status)
		}
		fields["team"] = "Acme & Söhne, Inc."
		if r := v.post("/claim", on, fields); r.status != 200 || !strings.Contains(r.body, "--team acme-sohne-inc") {
			t.Fatalf("%d %s", r.status, r.body)
		}
		s.want("sign in", s.signIn("ada@acme.test", "correct-horse"), 200, "")
		if r := v.post("/claim", on, fields); r.status != 403 {
			t.Errorf("again: %d", r.status)
		}
	})
}

// What a browser makes of the pages. CAIRN_SHOTS names a directory for pictures.
func TestPagesInBrowser(t *testing.T) {
	cairntest.NoRace(t)
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	ada, _ := s.person("ada@acme.test")
	base := s.listen(t)
	token := s.invite(ada.ID, "acme", "a-new-colleague-with-a-very-long-name@engineering.acme.test")
	for name, path := range map[string]string{
		"signin": signinPath("http://127.0.0.1:5000/cb"), "code": codePath + "?code=9bafd7f6-127c-4002-8ceb-96e6ab8d7d66",
		"signin-team": signinPath(base+"/enter/done") + "&team=acme",
		"join":        "/join?token=" + token, "paste": "/join", "used": "/join?token=x", "claim": "/claim?token=x", "refused": signinPath("https://evil.test"),
	} {
		tab := browsertest.Open(t, base+path, browsertest.View{})
		for _, view := range []browsertest.View{{Width: 360}, {Width: 1280, Dark: true}, {Width: 1280}, {Width: 360, Dark: true}} {
			tab.Look(view)
			if px := tab.Overflow(); px > 0 {
				t.Errorf("%s: %d pixels wider than a window of %d", name, px, view.Width)
			}
			for _, finding := range tab.Axe() {
				t.Errorf("%s: %s", name, finding)
			}
			if dir := os.Getenv("CAIRN_SHOTS"); dir != "" {
				mode := map[bool]string{true: "dark", false: "light"}[view.Dark]
				tab.Shot(filepath.Join(dir, name+"-"+mode+"-"+map[int]string{360: "360", 1280: "1280"}[view.Width]+".png"))
			}
		}
		for _, bad := range tab.Problems() {
			if !strings.Contains(bad, "status of 4") {
				t.Errorf("%s: the browser complains: %s", name, bad)
			}
		}
		tab.Close()
	}
}

// A person signs in, by keyboard, and the browser gets through to the program
// that waits: the policy of the page lets it.
func TestSigninInBrowser(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	s.person("ada@acme.test")
	base := s.listen(t)
	got := make(chan string, 1)
	program := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if code := r.URL.Query().Get("code"); code != "" {
			got <- code
		}
		_, _ = w.Write([]byte("<title>done</title>"))
	}))
	defer program.Close()
	tab := browsertest.Open(t, base+signinPath(program.URL+"/cb?state=s1"), browsertest.View{Width: 360})
	tab.Click("#email")
	tab.Keys(strings.Split("ada@acme.test", "")...)
	tab.Click("#password")
	tab.Keys(strings.Split("correct-horse\r", "")...)
	tab.Wait(`document.title === "done"`)
	s.want("exchange", s.exchange(program.URL+"/cb?code="+<-got), 200, "")

	ada, _ := s.accounts.UserByEmail(context.Background(), "ada@acme.test")
	token := s.invite(ada.ID, "acme", "new@acme.test")
	join := browsertest.Open(t, base+"/join#token="+token, browsertest.View{})
	join.Wait(`document.getElementById("token")?.value === "` + token + `" && location.hash === ""`)
	join.Eval(`document.getElementById("token").focus()`, nil)
	join.Keys("\r")
	join.Wait(`document.querySelector("h1")?.textContent === "Join Team acme"`)
}
