package server

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"cairn/internal/team/server/access"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

// TestDatabaseGone: while the database is away every interface says so, and when
// to come again; when it is back, every one answers.
func TestDatabaseGone(t *testing.T) {
	if pgtest.Shared() == nil {
		t.Skip(pgtest.ErrMissing)
	}
	cluster, err := pgtest.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Stop()
	url, err := cluster.Database()
	if err != nil {
		t.Fatal(err)
	}
	st, err := Open(context.Background(), Place{Database: url}, true)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	s, _ := made(t, Config{Store: st, Signup: true, MetricsToken: "figures"})
	team := dbtest.Team(t, st.DB, "acme")
	ada := dbtest.Member(t, st.DB, team, "owner")
	session := uuid.New()
	dbtest.Exec(t, st.DB, `insert into auth.sessions (id, user_id, method) values (?, ?, 'password')`, session, ada.User)
	token, _, err := s.keys.Sign(access.Claims{RegisteredClaims: jwt.RegisteredClaims{Subject: ada.User.String()}, Role: "authenticated", SessionID: session.String()})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.RemoteAddr, r.Host = here, "127.0.0.1"
		r.Header.Set("Content-Type", "application/json")
		if !strings.HasPrefix(path, "/auth/v1/token") {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		return w
	}
	requests := []struct{ method, path, body string }{
		{"POST", "/auth/v1/token?grant_type=password", `{"email":"ada@x.test","password":"wrong-password-1"}`},
		{"POST", "/auth/v1/token?grant_type=refresh_token", `{"refresh_token":"abcdefghijklmnop"}`},
		{"POST", "/auth/v1/signup", `{"email":"eve@x.test","password":"Rather-long-and-odd-7"}`},
		{"GET", "/auth/v1/user", ""},
		{"POST", "/auth/v1/logout", ""},
		{"GET", "/rest/v1/teams", ""},
		{"POST", "/rest/v1/teams", `{"slug":"new-team","name":"New"}`},
		{"POST", "/rest/v1/rpc/push_eval_run", `{"p_run":{}}`},
		{"GET", "/cairn/v1/tokens?team_id=" + team.String(), ""},
		{"GET", "/cairn/v1/digest?team_id=" + team.String(), ""},
		{"GET", "/t/acme/", ""},
		{"POST", "/cairn/v1/enter", ""},
		{"GET", "/enter/with?ticket=a.b", ""},
		{"GET", "/readyz", ""},
	}
	check := func(when string, gone bool) {
		for _, q := range requests {
			w := ask(q.method, q.path, q.body)
			if gone != (w.Code == http.StatusServiceUnavailable) || gone && w.Header().Get("Retry-After") == "" || w.Code == http.StatusInternalServerError {
				t.Errorf("%s: %s %s: %d %v %s", when, q.method, q.path, w.Code, w.Header()["Retry-After"], w.Body)
			}
		}
	}
	check("before", false)
	if err := cluster.Down(); err != nil {
		t.Fatal(err)
	}
	s.readiness.forget()
	check("while it is away", true)
	if c := Examine(context.Background(), Place{Database: url}, TLS{})[0]; c.Name != "database" || c.Status != Fail || !strings.Contains(c.Hint, "start PostgreSQL") {
		t.Errorf("the doctor: %+v", c)
	}
	if err := cluster.Restart(); err != nil {
		t.Fatal(err)
	}
	s.readiness.forget()
	check("when it is back", false)
	if w := get(s.Handler(), "/metrics", here, "Authorization", "Bearer figures"); !strings.Contains(w.Body.String(), `cairn_requests_refused_total{reason="database"}`) {
		t.Errorf("the figures:\n%s", w.Body)
	}
}
