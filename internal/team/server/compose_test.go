package server

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"cairn/internal/team/db"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
)

// TestInterfaces asks each one something that only it answers, and sends each
// a body that is too large: as told, in chunks, and packed.
func TestInterfaces(t *testing.T) {
	s, log := made(t, Config{Signup: true})
	service, err := s.keys.Public(db.Service)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		method, path, token string
		status              int
		want                string
	}{
		{"GET", "/rest/v1/teams", service, 200, "[]"},
		{"GET", "/rest/v1/teams", "", 401, `"code":"42501"`},
		{"GET", "/rest/v1/teams", "forged", 401, `"code":"PGRST301"`},
		{"GET", "/auth/v1/settings", "", 200, `"disable_signup":false`},
		{"OPTIONS", "/auth/v1/token", "", 204, ""},
		{"GET", "/auth/v1/user", "", 401, `"error_code":"no_authorization"`},
		{"GET", "/cairn/v1/tokens", "", 401, `"message"`},
		{"GET", "/signin", "", 303, "/enter"},
		{"GET", "/", "", 401, "You are not signed in"},
		{"GET", "/t/acme/", "", 401, "You are not signed in"},
		{"GET", "/claim?token=secret-of-the-link", "", 200, "<form"},
		{"GET", "/cairn/v1/server", "", 200, `"anon_key":"` + s.anonKey()},
	} {
		r := httptest.NewRequest(c.method, c.path, nil)
		r.RemoteAddr, r.Host = here, "127.0.0.1"
		if c.token != "" {
			r.Header.Set("Authorization", "Bearer "+c.token)
		}
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s: %d %.300s, want %d with %s", c.path, w.Code, w.Body, c.status, c.want)
		}
	}
	for _, c := range []struct {
		path string
		most int
	}{{"/rest/v1/teams", otherBody}, {wire.PushEvalRun, ingestBody}, {"/auth/v1/token?grant_type=password", authBody}} {
		text := append([]byte(`{"x":"`), bytes.Repeat([]byte("x"), c.most)...)
		for name, change := range map[string]func(*http.Request){
			"told":   func(*http.Request) {},
			"chunks": func(r *http.Request) { r.ContentLength = -1 },
			"packed": func(r *http.Request) {
				r.Body = io.NopCloser(bytes.NewReader(packedAt(gzip.BestSpeed, 2*c.most)))
				r.ContentLength = -1
				r.Header.Set("Content-Encoding", "gzip")
			},
		} {
			r := httptest.NewRequest(http.MethodPost, c.path, bytes.NewReader(text))
			r.RemoteAddr, r.Host = here, "127.0.0.1"
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer "+service)
			change(r)
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			if w.Code != 413 && !(name == "packed" && w.Code == 400) { // zeros are no JSON, from the first on
				t.Errorf("%s, %s: %d %.300s, want 413", c.path, name, w.Code, w.Body)
			}
		}
	}
	for _, secret := range []string{service, s.anonKey(), "secret-of-the-link", "forged"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log has %.20s…", secret)
		}
	}
}

// TestDiskFull lets the database grow no further: what cannot be kept is
// refused as the server's fault, what was acknowledged stays, and when there is
// room again, it goes on.
func TestDiskFull(t *testing.T) {
	s, _ := made(t, Config{})
	service, err := s.keys.Public(db.Service)
	if err != nil {
		t.Fatal(err)
	}
	add := func(slug string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "/rest/v1/teams", strings.NewReader(`{"slug":"`+slug+`","name":"`+strings.Repeat("n", 100)+`"}`))
		r.RemoteAddr, r.Host = here, "127.0.0.1"
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+service)
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		return w
	}
	dbtest.Exec(t, s.db, `pragma max_page_count = 1`) // no more than there are
	kept, refused := 0, 0
	for ; refused == 0 && kept < 1000; kept++ {
		if w := add("team-" + strconv.Itoa(kept)); w.Code != 201 {
			refused = w.Code
			if w.Code != 503 || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), `"message"`) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			break
		}
	}
	if refused == 0 {
		t.Fatal("the disk never was full")
	}
	if n := dbtest.Count(t, s.db, `select count(*) from teams`); n != kept {
		t.Errorf("%d teams, %d were acknowledged", n, kept)
	}
	if w := get(s.Handler(), "/readyz", here); w.Code != 503 || !strings.Contains(w.Body.String(), `"disk"`) || w.Header().Get("Retry-After") == "" {
		t.Errorf("ready with a full disk: %d %s", w.Code, w.Body)
	}
	dbtest.Exec(t, s.db, `pragma max_page_count = 1000000`)
	s.timeouts.full = 0
	s.readiness.forget()
	if w := get(s.Handler(), "/readyz", here); w.Code != 200 {
		t.Errorf("not ready with room again: %d %s", w.Code, w.Body)
	}
	if w := add("later"); w.Code != 201 {
		t.Errorf("with room again: %d %s", w.Code, w.Body)
	}
}
