package auth

import (
	"context"
	"runtime"
	"time"

	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"cairn/test/dbtest"
)

func TestPassword(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *site) {
		s.t = t
		_, in := s.person("ada@acme.test")
		s.want("sign in", in, 200, "")
		if in.text("user.email") != "ada@acme.test" || in.text("token_type") != "bearer" || in.field("expires_in") != 3600.0 {
			t.Errorf("session: %s", in.body)
		}
		s.want("who am I", s.call("GET", "/auth/v1/user", in.text("access_token"), nil), 200, "")
		wrong, unknown := s.signIn("ada@acme.test", "wrong"), s.signIn("nobody@acme.test", "wrong")
		s.want("wrong password", wrong, 400, "invalid_credentials")
		if wrong.body != unknown.body || wrong.status != unknown.status {
			t.Errorf("a wrong password and an unknown user differ: %s, %s", wrong.body, unknown.body)
		}
		s.want("other scheme", s.send("GET", "/auth/v1/user", "", nil, map[string]string{"Authorization": "Basic " + in.text("access_token")}), 401, "no_authorization")
		s.want("too big", s.call("POST", "/auth/v1/token?grant_type=password", "", `{"email":"`+strings.Repeat("a", 1<<20)+`"}`), 413, "request_entity_too_large")
		s.want("bad JSON", s.call("POST", "/auth/v1/token?grant_type=password", "", `{bad`), 400, "bad_json")
		s.want("another type", s.call("POST", "/auth/v1/token?grant_type=password", "", `{"email":1}`), 400, "bad_json")
		s.want("signup is off", s.call("POST", "/auth/v1/signup", "", map[string]string{"email": "x@acme.test", "password": "longenough1"}), 422, "signup_disabled")
		for range guessing.burst {
			s.signIn("ada@acme.test", "wrong")
		}
		limited := s.signIn("ada@acme.test", "correct-horse")
		s.want("after many wrong ones", limited, 429, "over_request_rate_limit")
		if limited.header.Get("Retry-After") == "" {
			t.Error("429 without Retry-After")
		}
		s.want("another user", s.signIn("bob@acme.test", "wrong"), 400, "invalid_credentials")
		s.pass(guessing.interval)
		s.want("after a while", s.signIn("ada@acme.test", "correct-horse"), 200, "")
	})
}

// TestRefusedIsBounded: the audit log has that somebody guessed, at whom and from
// where, and not every guess.
func TestRefusedIsBounded(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *site) {
		s.t = t
		s.person("ada@acme.test")
		for range 2 * noting.burst {
			s.signIn("ada@acme.test", "wrong")
			s.signIn("nobody@acme.test", "wrong")
		}
		count := func(where string) int {
			return dbtest.Count(t, s.db, `select count(*) from audit_log where action = 'session.refused' and `+where)
		}
		if known, unknown := count("object_id is not null"), count("object_id is null"); known != noting.burst || unknown != noting.burst {
			t.Errorf("%d entries of her, %d of an address that nobody has, want %d of each", known, unknown, noting.burst)
		}
	})
}

// TestGuessesSideBySide: who tries at once gets no more tries than who tries in turn.
func TestGuessesSideBySide(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *site) {
		s.t = t
		s.person("ada@acme.test")
		var wrong, limited atomic.Int32
		var work sync.WaitGroup
		for range guessing.burst + 20 {
			work.Go(func() {
				switch got := s.signIn("ada@acme.test", "wrong"); got.status {
				case 400:
					wrong.Add(1)
				case 429:
					limited.Add(1)
				}
			})
		}
		work.Wait()
		if int(wrong.Load()) != guessing.burst || limited.Load() != 20 {
			t.Errorf("%d wrong passwords were tried and %d refused, want %d and 20", wrong.Load(), limited.Load(), guessing.burst)
		}
	})
}

// TestTextsThatCannotBeKept: PostgreSQL has no U+0000 in a text.
func TestTextsThatCannotBeKept(t *testing.T) {
	t.Parallel()
	each(t, nil, func(t *testing.T, s *site) {
		s.t = t
		_, in := s.person("ada@acme.test")
		bearer := in.text("access_token")
		for _, c := range [...]struct{ method, path, body string }{
			{"POST", "/auth/v1/token?grant_type=password", `{"email":"ada\u0000@acme.test","password":"x"}`},
			{"POST", "/auth/v1/verify", `{"type":"email","email":"\u0000","token":"123456"}`},
			{"PUT", "/auth/v1/user", `{"data":{"deep":[{"\\\u0000":1}]}}`},
		} {
			s.want(c.path, s.call(c.method, c.path, bearer, c.body), 400, "bad_json")
		}
		s.want("a backslash", s.call("PUT", "/auth/v1/user", bearer, `{"data":{"path":"\\u0000"}}`), 200, "")
		v := visit(t, s.listen(t))
		to := signinPath("http://127.0.0.1:4000/")
		for _, email := range [...]string{"ada\x00@acme.test", "ada\xff@acme.test"} {
			if got := v.post("/signin", v.get(to), map[string]string{"way": "password", "email": email, "password": "x"}); got.status != 403 {
				t.Errorf("a form with %q: %d", email, got.status)
			}
		}
	})
}

// TestDatabaseGone: what is over soon is 503, which programs try again after.
func TestDatabaseGone(t *testing.T) {
	t.Parallel()
	if got := asFailure(fmt.Errorf("a write: %w", &pgconn.PgError{Code: "53100"})); got.status != 503 || got.retry == 0 {
		t.Errorf("%+v", got)
	}
	if got := asFailure(errors.New("anything")); got.status != 500 {
		t.Errorf("%+v", got)
	}
}

// TestHashingTakesTurns: whoever sends many passwords waits behind themselves,
// and never holds more than a part of the server's slots.
func TestHashingTakesTurns(t *testing.T) {
	t.Parallel()
	h, ctx := newHashing(1), context.Background()
	if err := h.enter(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	errs := make(chan error, 2*mostHashing)
	waits := func(n int) {
		for {
			h.mu.Lock()
			total := h.total
			h.mu.Unlock()
			if total == n {
				return
			}
			runtime.Gosched()
		}
	}
	for i := range mostHashing {
		go func() { errs <- h.enter(ctx, "a") }()
		waits(i + 1)
	}
	if err := h.enter(ctx, "a"); asFailure(err).code != "over_capacity" {
		t.Errorf("one more: %v", err)
	}
	mine, gone := make(chan error, 1), make(chan error, 1)
	away, stop := context.WithCancel(ctx)
	go func() { mine <- h.enter(ctx, "b") }()
	if err := <-errs; asFailure(err).code != "over_capacity" {
		t.Errorf("the newest of who has most: %v", err)
	}
	go func() { gone <- h.enter(away, "c") }()
	if err := <-errs; asFailure(err).code != "over_capacity" {
		t.Errorf("the newest of who has most: %v", err)
	}
	stop()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("who went away: %v", err)
	}
	h.leave() // a's next
	h.leave() // b
	select {
	case err := <-mine:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("b waits behind all of a")
	}
	for range mostHashing - 2 {
		h.leave()
	}
	if h.total != 0 || h.free != 1 || len(h.turns) != 0 || len(h.waiting) != 0 {
		t.Errorf("left: %+v", h)
	}
}
