package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cairn/internal/home"
	"cairn/internal/team/wire"
)

// authDouble gives out access tokens "a1", "a2" … that a table takes until
// their end by its own clock, and refresh tokens that can be used once.
type authDouble struct {
	*httptest.Server
	now       func() time.Time
	life      time.Duration
	mu        sync.Mutex
	refresh   string // the one that is taken
	access    string
	ends      time.Time
	refreshes atomic.Int32
	requests  atomic.Int32
	refuse    atomic.Bool // every refresh
}

func newAuthDouble(t *testing.T) *authDouble {
	d := &authDouble{now: time.Now, life: time.Hour, refresh: "r0"}
	d.Server = httptest.NewServer(d)
	t.Cleanup(d.Close)
	return d
}

func (d *authDouble) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	w.Header().Set("Date", d.now().UTC().Format(http.TimeFormat))
	w.Header().Set("Content-Type", "application/json")
	if r.URL.Path == wire.Auth+"token" {
		n := d.refreshes.Add(1)
		if d.refuse.Load() {
			w.WriteHeader(400)
			fmt.Fprint(w, `{"code":"refresh_token_already_used","message":"Invalid Refresh Token: Already Used"}`)
			return
		}
		d.refresh, d.access = fmt.Sprint("r", n), fmt.Sprint("a", n)
		d.ends = d.now().Add(d.life)
		fmt.Fprintf(w, `{"access_token":%q,"refresh_token":%q,"expires_in":%d,"expires_at":%d,"user":{"id":"u1","email":"dev@example.com"}}`,
			d.access, d.refresh, int(d.life.Seconds()), d.ends.Unix())
		return
	}
	d.requests.Add(1)
	if r.Header.Get("Authorization") != "Bearer "+d.access || d.now().After(d.ends) {
		w.WriteHeader(401)
		fmt.Fprint(w, `{"code":"PGRST303","details":null,"hint":null,"message":"JWT expired"}`)
		return
	}
	w.Header().Set("Content-Range", "0-0/*")
	fmt.Fprint(w, `[{"ok":true}]`)
}

// signedIn returns a client whose auth.json has a session that is over.
func signedIn(t *testing.T, d *authDouble, h home.Home) *Client {
	t.Helper()
	c, err := Open(Options{URL: d.URL, AnonKey: "anon", Home: h, Log: OpenLog(h)})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.store.edit(c.base, func(s Session) Session {
		if s.SignedIn() {
			return s
		}
		return Session{AccessToken: "a0", RefreshToken: "r0", ExpiresAt: 1, Email: "dev@example.com"}
	}); err != nil {
		t.Fatal(err)
	}
	return c
}

func ask(c *Client) error {
	var rows []struct {
		OK bool `json:"ok"`
	}
	err := c.Do(context.Background(), http.MethodGet, wire.Rest+"teams", nil, nil, &rows)
	if err == nil && (len(rows) != 1 || !rows[0].OK) {
		return fmt.Errorf("rows %v", rows)
	}
	return err
}

// Clients side by side, each with its own view of auth.json, refresh once.
func TestRefreshOnce(t *testing.T) {
	t.Parallel()
	d, h := newAuthDouble(t), home.Home(t.TempDir())
	var clients []*Client
	for range 20 {
		clients = append(clients, signedIn(t, d, h))
	}
	var wg sync.WaitGroup
	for _, c := range clients {
		for range 3 {
			wg.Go(func() {
				if err := ask(c); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
	if n := d.refreshes.Load(); n != 1 {
		t.Errorf("%d refreshes, want 1", n)
	}
	fi, err := os.Stat(h.Auth())
	if err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("auth.json: %v, %v", fi.Mode(), err)
	}
}

// Our clock may be a day wrong, and may jump while the client is not running.
func TestWrongClock(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for _, tt := range []struct{ first, then time.Duration }{
		{0, 0}, {day, day}, {-day, -day}, {0, day}, {0, -day}, {day, 0}, {-day, 0}, {-day, day}, {day, -day},
	} {
		d, h := newAuthDouble(t), home.Home(t.TempDir())
		passed := time.Duration(0)
		d.now = func() time.Time { return time.Now().Add(passed) }
		open := func(wrong time.Duration) *Client {
			c := signedIn(t, d, h)
			c.now = func() time.Time { return time.Now().Add(passed + wrong) }
			return c
		}
		if err := ask(open(tt.first)); err != nil {
			t.Errorf("%v: %v", tt, err)
		}
		c := open(tt.then)
		for range 3 {
			if err := ask(c); err != nil {
				t.Errorf("%v: %v", tt, err)
			}
		}
		if n := d.refreshes.Load(); n > 2 {
			t.Errorf("%v: %d refreshes", tt, n)
		}
		// Near the end, by the server's clock, it is renewed before it is refused.
		passed = 59*time.Minute + 30*time.Second
		before := d.requests.Load()
		if err := ask(c); err != nil || d.requests.Load() != before+1 {
			t.Errorf("%v: near the end: %d requests, %v", tt, d.requests.Load()-before, err)
		}
	}
}

// A session that the server ended is forgotten, and says what to do.
func TestRefreshRefused(t *testing.T) {
	t.Parallel()
	d, h := newAuthDouble(t), home.Home(t.TempDir())
	c := signedIn(t, d, h)
	d.refuse.Store(true)
	err := ask(c)
	var e *Error
	if !errors.As(err, &e) || e.Kind != ErrSignIn || e.Hint() != "run cairn sync setup" {
		t.Errorf("%v", err)
	}
	if all, _ := Sessions(h); len(all) != 0 {
		t.Errorf("kept %v", all)
	}
	if err := ask(c); !errors.Is(err, ErrSignIn) || d.refreshes.Load() != 1 {
		t.Errorf("asked again: %v", err)
	}
	log, _ := os.ReadFile(h.SyncLog())
	if !strings.Contains(string(log), "REFRESH session REFUSED") || strings.Contains(string(log), "r0") {
		t.Errorf("log %q", log)
	}
}

// Who stands before a server and knows nothing of sessions ends none.
func TestGatewayEndsNoSession(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"application/json", "text/html"} {
		gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(401)
			fmt.Fprint(w, `{"message":"Invalid authentication credentials"}`)
		}))
		t.Cleanup(gateway.Close)
		h := home.Home(t.TempDir())
		d := &authDouble{Server: gateway}
		if err := ask(signedIn(t, d, h)); err == nil {
			t.Errorf("%s: no error", kind)
		}
		if all, _ := Sessions(h); !all[gateway.URL].SignedIn() {
			t.Errorf("%s: the session is gone", kind)
		}
	}
}

// A home that cannot be written costs a refresh per process, nothing else.
func TestReadOnlyHome(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("root writes everywhere")
	}
	d, h := newAuthDouble(t), home.Home(t.TempDir())
	c := signedIn(t, d, h)
	if err := os.Chmod(string(h), 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(string(h), 0o700) })
	for range 3 {
		if err := ask(c); err != nil {
			t.Error(err)
		}
	}
	if n := d.refreshes.Load(); n != 1 {
		t.Errorf("%d refreshes", n)
	}
}

// A broken auth.json is an error that says what to do, and a sign-in mends it.
func TestBrokenAuthFile(t *testing.T) {
	t.Parallel()
	d, h := newAuthDouble(t), home.Home(t.TempDir())
	c, err := Open(Options{URL: d.URL, Home: h})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(string(h), "auth.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := ask(c); !errors.Is(err, ErrSignIn) || !strings.Contains(err.Error(), "auth.json") {
		t.Errorf("%v", err)
	}
	if err := ask(signedIn(t, d, h)); err != nil {
		t.Error(err)
	}
	if fi, _ := os.Stat(h.Auth()); fi.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", fi.Mode())
	}
}
