package account

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// begin starts a session.
func begin(t *testing.T, a *Accounts, user uuid.UUID) (Session, string) {
	t.Helper()
	s, token, err := a.Begin(context.Background(), Session{User: user, Method: "password", UserAgent: "test", IP: "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	return s, token
}

func alive(t *testing.T, a *Accounts, s uuid.UUID) bool {
	t.Helper()
	ok, err := a.SessionAlive(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

func refresh(t *testing.T, a *Accounts, token string) string {
	t.Helper()
	r, err := a.Refresh(context.Background(), token)
	if err != nil {
		t.Fatal(err)
	}
	return r.Token
}

func TestRefresh(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		s, t0 := begin(t, a, person(t, a, "ada@acme.test").ID)
		if len(t0) < 12 {
			t.Errorf("a token of %d letters", len(t0))
		}
		t1 := refresh(t, a, t0)
		if again := refresh(t, a, t0); again != t1 {
			t.Errorf("the same token again: %s, want %s", again, t1)
		}
		t2 := refresh(t, a, t1)
		c.pass(24 * time.Hour)
		if got := refresh(t, a, t1); got != t2 {
			t.Errorf("the parent of the one in use, a day later: %s, want %s", got, t2)
		}
		if !alive(t, a, s.ID) {
			t.Fatal("the session is over")
		}
		other := New(a.db) // another server of the database derives the same
		other.SetClock(c.now)
		if got := refresh(t, other, t1); got != t2 {
			t.Error("another server gives another successor")
		}
		if _, err := a.Refresh(ctx, t0); !errors.Is(err, ErrRefreshReuse) {
			t.Errorf("the grandparent, a day later: %v", err)
		}
		if alive(t, a, s.ID) {
			t.Error("the session outlives a reuse")
		}
		if _, err := a.Refresh(ctx, t2); !errors.Is(err, ErrRefresh) {
			t.Errorf("the token in use after a reuse: %v", err)
		}
		s, t0 = begin(t, a, s.User)
		refresh(t, a, refresh(t, a, t0))
		if _, err := a.Refresh(ctx, t0); !errors.Is(err, ErrRefreshReuse) || alive(t, a, s.ID) {
			t.Errorf("the grandparent at once: %v", err)
		}
		if _, err := a.Refresh(ctx, "unknown"); !errors.Is(err, ErrRefresh) {
			t.Errorf("an unknown one: %v", err)
		}
	})
}

func TestRefreshTogether(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		s, first := begin(t, a, person(t, a, "ada@acme.test").ID)
		got := make([]string, 50)
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() {
				r, err := a.Refresh(context.Background(), first)
				if err != nil {
					t.Error(err)
				}
				got[i] = r.Token
			})
		}
		wg.Wait()
		for _, g := range got {
			if g != got[0] || g == "" {
				t.Fatalf("successors differ: %q", got)
			}
		}
		var n int
		err := a.view(context.Background(), func(tx *db.Tx) error {
			return tx.QueryRow(context.Background(), `select count(*) from auth.refresh_tokens`).Scan(&n)
		})
		if err != nil || n != 2 || !alive(t, a, s.ID) {
			t.Errorf("%d tokens, %v", n, err)
		}
	})
}

// What the database holds signs nobody in.
func TestRefreshHash(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		_, token := begin(t, a, person(t, a, "ada@acme.test").ID)
		var kept string
		err := a.view(ctx, func(tx *db.Tx) error {
			return tx.QueryRow(ctx, `select token_hash from auth.refresh_tokens`).Scan(&kept)
		})
		if err != nil || kept == token || len(kept) != 64 {
			t.Fatalf("kept as %q, %v", kept, err)
		}
		if _, err := a.Refresh(ctx, kept); !errors.Is(err, ErrRefresh) {
			t.Errorf("the hash as a token: %v", err)
		}
	})
}

func TestEnd(t *testing.T) {
	t.Parallel()
	for _, scope := range []Scope{Local, Others, Global} {
		t.Run(string(scope), func(t *testing.T) {
			each(t, func(t *testing.T, a *Accounts, c *clock) {
				ctx := context.Background()
				u, bob := person(t, a, "ada@acme.test"), person(t, a, "bob@acme.test")
				one, _ := begin(t, a, u.ID)
				two, token := begin(t, a, u.ID)
				his, _ := begin(t, a, bob.ID)
				if list, err := a.Sessions(ctx, u.ID); err != nil || len(list) != 2 || list[0].UserAgent != "test" {
					t.Errorf("sessions %+v, %v", list, err)
				}
				if err := a.End(ctx, bob.ID, two.ID, Local); err != nil || !alive(t, a, two.ID) {
					t.Errorf("another user's session was ended, or %v", err)
				}
				if err := a.End(ctx, u.ID, one.ID, scope); err != nil {
					t.Fatal(err)
				}
				if got, want := alive(t, a, one.ID), scope == Others; got != want {
					t.Errorf("this one lives: %v", got)
				}
				if got, want := alive(t, a, two.ID), scope == Local; got != want {
					t.Errorf("the other one lives: %v", got)
				}
				if _, err := a.Refresh(ctx, token); scope != Local && !errors.Is(err, ErrRefresh) {
					t.Errorf("its refresh token: %v", err)
				}
				if !alive(t, a, his.ID) {
					t.Error("another user's session is over")
				}
			})
		})
	}
}

func TestSessionOver(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		u := person(t, a, "ada@acme.test")
		s, token, err := a.Begin(ctx, Session{User: u.ID, Method: "password", NotAfter: c.now().Add(time.Hour)})
		if err != nil || !alive(t, a, s.ID) {
			t.Fatal(err)
		}
		banned, t2 := begin(t, a, u.ID)
		c.pass(time.Hour)
		if alive(t, a, s.ID) {
			t.Error("it lives past its end")
		}
		if _, err := a.Refresh(ctx, token); !errors.Is(err, ErrRefresh) {
			t.Errorf("its token: %v", err)
		}
		if _, err := a.Ban(ctx, u.ID, c.now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if alive(t, a, banned.ID) {
			t.Error("a session outlives the ban")
		}
		if _, err := a.Refresh(ctx, t2); !errors.Is(err, ErrRefresh) {
			t.Errorf("a banned user's token: %v", err)
		}
		if _, _, err := a.Begin(ctx, Session{User: u.ID}); !errors.Is(err, ErrBanned) {
			t.Errorf("a banned user begins: %v", err)
		}
		if err := a.DeleteUser(ctx, u.ID); err != nil {
			t.Fatal(err)
		}
		if err := a.DeleteUser(ctx, u.ID); !errors.Is(err, ErrNotFound) {
			t.Errorf("deleted twice: %v", err)
		}
	})
}

func TestSecret(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		got := make([]string, 20)
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() {
				b, err := New(a.db).Secret(context.Background(), "jwt", func() []byte { return random(32) })
				if err != nil {
					t.Error(err)
				}
				got[i] = string(b)
			})
		}
		wg.Wait()
		for _, g := range got {
			if g != got[0] || len(g) != 32 {
				t.Fatal("servers of one database have different secrets")
			}
		}
	})
}

func TestSweep(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		u := person(t, a, "ada@acme.test")
		idle, _ := begin(t, a, u.ID)
		kept, token := begin(t, a, u.ID)
		c.pass(100 * 24 * time.Hour)
		token = refresh(t, a, token)
		c.pass(100 * 24 * time.Hour)
		if _, err := a.db.Sweep(ctx, c.now()); err != nil || alive(t, a, idle.ID) || !alive(t, a, kept.ID) {
			t.Errorf("the idle session lives: %v, the other: %v, %v", alive(t, a, idle.ID), alive(t, a, kept.ID), err)
		}
		if refresh(t, a, token) == "" {
			t.Error("the token in use is gone")
		}
	})
}
