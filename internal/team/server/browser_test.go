package server

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/pquerna/otp/totp"
	"golang.org/x/crypto/bcrypt"

	"cairn/internal/team/db/account"
	"cairn/internal/team/server/auth"
	"cairn/internal/team/wire"
)

// A tab is a browser's: it keeps cookies and follows redirects.
type tab struct {
	t    *testing.T
	http http.Client
	base string
}

func newTab(t *testing.T, base string) *tab {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &tab{t: t, http: http.Client{Jar: jar}, base: base}
}

func (b *tab) do(r *http.Request) (status int, at *url.URL, body string) {
	b.t.Helper()
	r.Header.Set("Accept", "text/html")
	res, err := b.http.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return res.StatusCode, res.Request.URL, string(data)
}

func (b *tab) get(path string, header ...string) (int, *url.URL, string) {
	b.t.Helper()
	r, _ := http.NewRequest(http.MethodGet, b.base+path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return b.do(r)
}

func (b *tab) post(path string, form url.Values, header ...string) (int, *url.URL, string) {
	b.t.Helper()
	r, _ := http.NewRequest(http.MethodPost, b.base+path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return b.do(r)
}

var hidden = regexp.MustCompile(`name="(form|redirect_to|code_challenge|code_challenge_method)" value="([^"]*)"`)

// fill takes the hidden fields of a page's form.
func fill(page string, more ...string) url.Values {
	form := url.Values{}
	for _, m := range hidden.FindAllStringSubmatch(page, -1) {
		form.Set(m[1], strings.ReplaceAll(m[2], "&amp;", "&"))
	}
	for i := 0; i < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

// A person asks for a page, signs in with a password, sees that page, and no longer after signing out.
func TestBrowserSignsIn(t *testing.T) {
	s, _ := made(t, Config{})
	token, err := s.accounts.NewClaim(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	hash, _ := bcrypt.GenerateFromPassword([]byte("correct-horse"), bcrypt.MinCost)
	if _, _, err := s.accounts.Claim(t.Context(), token, account.FirstOwner{Email: "ada@acme.test", TeamName: "Acme", TeamSlug: "acme", Hash: string(hash)}); err != nil {
		t.Fatal(err)
	}
	running(t, s)
	b := newTab(t, s.URL())
	status, at, page := b.get("/t/acme/velocity?weeks=4")
	if at.Path != "/signin" || !strings.Contains(page, "for your team") {
		t.Fatalf("a stranger is led to %s: %d", at, status)
	}
	if _, at, _ := b.post("/signin", fill(page, "way", "password", "email", "ada@acme.test", "password", "wrong-horse")); at.Path != "/signin" {
		t.Fatalf("a wrong password leads to %s", at)
	}
	status, at, page = b.post("/signin", fill(page, "way", "password", "email", "ada@acme.test", "password", "correct-horse"))
	if status != 200 || at.Path != "/t/acme/velocity" || at.RawQuery != "weeks=4" || !strings.Contains(page, "Velocity") {
		t.Fatalf("signed in at %s: %d", at, status)
	}
	if status, at, _ := b.get("/"); at.Path != "/t/acme/" {
		t.Errorf("home is %s: %d", at, status)
	}
	if status, _, _ := b.get("/t/other/velocity"); status != 404 {
		t.Errorf("another team's page: %d", status)
	}

	// What the browser keeps is no access token.
	var cookie *http.Cookie
	here, _ := url.Parse(s.URL())
	for _, c := range b.http.Jar.Cookies(here) {
		if strings.HasPrefix(c.Name, "cairn_session") {
			cookie = c
		}
	}
	if cookie == nil {
		t.Fatal("no cookie")
	}
	if status, _, _ := newTab(t, s.URL()).get("/rest/v1/teams", "Authorization", "Bearer "+cookie.Value); status != 401 {
		t.Errorf("the cookie as a bearer token: %d", status)
	}
	if status, _, _ := b.post("/signout", nil, "Sec-Fetch-Site", "cross-site"); status != 403 {
		t.Errorf("another site signs out: %d", status)
	}
	if _, at, _ := b.post("/signout", nil); at.Path != "/signin" {
		t.Errorf("signing out leads to %s", at)
	}
	stolen := newTab(t, s.URL())
	if _, at, _ := stolen.get("/t/acme/velocity", "Cookie", cookie.Name+"="+cookie.Value); at.Path != "/signin" {
		t.Errorf("the cookie of a session that is over shows %s", at)
	}
}

// An access token gives a ticket that signs a browser in once, and not from another site.
func TestTicket(t *testing.T) {
	s, _ := made(t, Config{})
	running(t, s)
	token, err := s.accounts.NewClaim(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.Post(s.URL()+wire.Claim, "application/json", strings.NewReader(`{"token":"`+token+`","email":"ada@acme.test"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var session wire.Session
	if err := json.UnmarshalRead(res.Body, &session); err != nil || res.StatusCode != 200 {
		t.Fatal(res.StatusCode, err)
	}
	ticket := func() string {
		_, _, body := newTab(t, s.URL()).post(wire.Enter, nil, "Authorization", "Bearer "+session.AccessToken)
		var e wire.Entry
		if err := json.Unmarshal([]byte(body), &e); err != nil {
			t.Fatal(err, body)
		}
		return strings.TrimPrefix(e.URL, s.URL())
	}
	for _, header := range [][]string{{}, {"Authorization", "Bearer forged"}, {"Authorization", "Bearer " + s.anonKey()}} {
		if status, _, _ := newTab(t, s.URL()).post(wire.Enter, nil, header...); status != 401 {
			t.Errorf("a ticket for %q: %d", header, status)
		}
	}
	one := ticket()
	if _, at, _ := newTab(t, s.URL()).get(one, "Sec-Fetch-Site", "cross-site"); at.Path != "/signin" {
		t.Errorf("from another site it leads to %s", at)
	}
	b := newTab(t, s.URL())
	if status, at, page := b.get(one + "&next=//evil.test/"); status != 200 || at.Path != "/" || !strings.Contains(page, "no team") {
		t.Errorf("a ticket leads to %s: %d", at, status)
	}
	if _, at, _ := newTab(t, s.URL()).get(one); at.Path != "/signin" {
		t.Errorf("a ticket's second use leads to %s", at)
	}
	if status, _, page := newTab(t, s.URL()).get("/t/none/velocity.json", "Authorization", "Bearer "+session.AccessToken); status != 404 {
		t.Errorf("an access token without a team: %d %s", status, page)
	}
}

// A link that the operator prints signs a browser in to the pages; led to by
// another site, only after a click. Its code can be typed on the page of sign-in.
func TestLinkSignsIn(t *testing.T) {
	s, _ := made(t, Config{})
	running(t, s)
	u, err := s.accounts.CreateUser(t.Context(), account.NewUser{Email: "ada@acme.test", Invited: true})
	if err != nil {
		t.Fatal(err)
	}
	issue := func(kind account.Kind) (path, code string) {
		token, code, err := s.accounts.Issue(t.Context(), account.Ticket{Kind: kind, User: u.ID, Email: u.Email, RedirectTo: s.URL()})
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimPrefix(auth.Link(s.URL(), kind, token, s.URL()), s.URL()), code
	}
	signedIn := func(b *tab) bool { _, at, _ := b.get("/"); return at.Path != "/signin" }
	for _, kind := range []account.Kind{account.Invite, account.MagicLink, account.Recovery} {
		link, _ := issue(kind)
		for _, header := range [][]string{{"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Site", "none"}, {"Accept", "text/html,*/*"}} {
			b := newTab(t, s.URL())
			if status, at, _ := b.get(link, header...); status != 200 || at.Path != "/" || !signedIn(b) {
				t.Errorf("%s, %s: %s: %d", kind, header, at, status)
			}
			again := newTab(t, s.URL())
			if status, _, page := again.get(link, header...); status != 403 || !strings.Contains(page, "used before") || signedIn(again) {
				t.Errorf("%s, a second time: %d", kind, status)
			}
			link, _ = issue(kind)
		}
	}

	link, _ := issue(account.MagicLink)
	b := newTab(t, s.URL())
	_, _, page := b.get(link, "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Site", "cross-site")
	if signedIn(b) {
		t.Fatal("another site signs somebody in")
	}
	form := fill(page)
	q, _ := url.Parse(link)
	form.Set("token", q.Query().Get("token"))
	form.Set("type", "magiclink")
	if status, _, _ := b.post("/signin/link", form, "Sec-Fetch-Site", "cross-site"); status != 403 || signedIn(b) {
		t.Errorf("another site sends the form: %d", status)
	}
	if _, at, _ := b.post("/signin/link", form); at.Path != "/" || !signedIn(b) {
		t.Errorf("after the click at %s", at)
	}

	_, code := issue(account.Invite)
	b = newTab(t, s.URL())
	_, _, page = b.get("/t/acme/velocity")
	if _, at, _ := b.post("/signin", fill(page, "way", "typed", "email", "ada@acme.test", "code", "000000")); at.Path != "/signin" {
		t.Errorf("a wrong code leads to %s", at)
	}
	if _, at, _ := b.post("/signin", fill(page, "way", "typed", "email", "Ada@acme.test", "code", code[:3]+" "+code[3:])); at.Path != "/t/acme/velocity" {
		t.Errorf("the code leads to %s", at)
	}

	// What a program asks for is as in GoTrue.
	link, _ = issue(account.MagicLink)
	b = newTab(t, s.URL())
	if _, _, _ = b.get(link, "Sec-Fetch-Mode", "cors"); signedIn(b) {
		t.Error("a script's request is signed in")
	}
}

// With a second factor, a session that has not shown it reads and writes
// nothing: no table, no push, no token of CI, no ticket, no page.
func TestSecondFactorEverywhere(t *testing.T) {
	s, _ := made(t, Config{})
	running(t, s)
	hash, _ := bcrypt.GenerateFromPassword([]byte("correct-horse"), bcrypt.MinCost)
	token, err := s.accounts.NewClaim(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ada, team, err := s.accounts.Claim(t.Context(), token, account.FirstOwner{Email: "ada@acme.test", TeamName: "Acme", TeamSlug: "acme", Hash: string(hash)})
	if err != nil {
		t.Fatal(err)
	}
	request := func(method, path, token, body string) (int, string) {
		r, _ := http.NewRequest(method, s.URL()+path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		data, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(data)
	}
	begin := func(path, token, body string) (session wire.Session) {
		t.Helper()
		status, answer := request("POST", path, token, body)
		if err := json.Unmarshal([]byte(answer), &session); status != 200 || err != nil {
			t.Fatal(path, status, answer)
		}
		return session
	}
	password := func() string {
		return begin("/auth/v1/token?grant_type=password", "", `{"email":"ada@acme.test","password":"correct-horse"}`).AccessToken
	}
	b := newTab(t, s.URL())
	_, _, page := b.get("/t/acme/velocity")
	if _, at, _ := b.post("/signin", fill(page, "way", "password", "email", "ada@acme.test", "password", "correct-horse")); at.Path != "/t/acme/velocity" {
		t.Fatalf("without a factor at %s", at)
	}
	f, secret, err := s.accounts.EnrollFactor(t.Context(), ada.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	full := password()
	prove := func(access string, steps int) wire.Session {
		var challenge struct {
			ID string `json:"id"`
		}
		_, answer := request("POST", "/auth/v1/factors/"+f.ID.String()+"/challenge", access, "")
		if err := json.Unmarshal([]byte(answer), &challenge); err != nil {
			t.Fatal(answer)
		}
		code, _ := totp.GenerateCode(secret, time.Now().Add(time.Duration(steps)*30*time.Second))
		return begin("/auth/v1/factors/"+f.ID.String()+"/verify", access, `{"challenge_id":"`+challenge.ID+`","code":"`+code+`"}`)
	}
	full = prove(full, 0).AccessToken
	if _, at, _ := b.get("/t/acme/velocity"); at.Path != "/signin" {
		t.Errorf("a browser that was signed in before is at %s", at)
	}
	half := password()
	for _, try := range [][3]string{
		{"GET", "/rest/v1/teams", ""}, {"POST", "/rest/v1/ship_logs", `{"team_id":"` + team.String() + `"}`}, {"POST", wire.TeamPeople, `{"p_team":"` + team.String() + `"}`},
		{"POST", wire.PushEvalRun, `{}`}, {"POST", wire.Enter, ""}, {"POST", wire.Tokens, `{"team_id":"` + team.String() + `","name":"x"}`}, {"GET", wire.Tokens + "?team_id=" + team.String(), ""},
		{"GET", "/t/acme/velocity.json", ""}, {"GET", wire.Digest, ""},
	} {
		if status, answer := request(try[0], try[1], half, try[2]); status != 401 && !strings.Contains(answer, `name="password"`) {
			t.Errorf("%s %s: %d %s", try[0], try[1], status, answer)
		}
	}
	if status, answer := request("GET", "/rest/v1/teams", full, ""); status != 200 || !strings.Contains(answer, "acme") {
		t.Errorf("with the factor: %d %s", status, answer)
	}

	// A ticket has the level of who asked for it.
	_, answer := request("POST", wire.Enter, full, "")
	var e wire.Entry
	if err := json.Unmarshal([]byte(answer), &e); err != nil {
		t.Fatal(answer)
	}
	b = newTab(t, s.URL())
	if _, at, _ := b.get(strings.TrimPrefix(e.URL, s.URL()) + "&next=/t/acme/velocity"); at.Path != "/t/acme/velocity" {
		t.Errorf("a ticket leads to %s", at)
	}
	if _, at, page := b.get("/signin/factor"); at.Path != "/signin/factor" || !strings.Contains(page, "It is on.") {
		t.Errorf("the page of the factor: %s", at)
	}

	// A link asks for the code, too.
	linked, _, err := s.accounts.Issue(t.Context(), account.Ticket{Kind: account.MagicLink, User: ada.ID, Email: ada.Email, RedirectTo: s.URL()})
	if err != nil {
		t.Fatal(err)
	}
	b = newTab(t, s.URL())
	_, _, page = b.get(strings.TrimPrefix(auth.Link(s.URL(), account.MagicLink, linked, s.URL()), s.URL()), "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Site", "none")
	if _, at, _ := b.get("/"); at.Path != "/signin" {
		t.Errorf("a link alone leads to %s", at)
	}
	form := fill(page)
	form.Set("half", regexp.MustCompile(`name="half" value="([^"]*)"`).FindStringSubmatch(page)[1])
	code, _ := totp.GenerateCode(secret, time.Now().Add(30*time.Second))
	form.Set("code", code)
	if _, at, _ := b.post("/signin/second", form); at.Path == "/signin/second" || at.Path == "/signin" {
		t.Errorf("with the code at %s", at)
	}
}
