package account

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cairn/internal/team/db"
)

func TestOneTimeToken(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		u, bob := person(t, a, "ada@acme.test"), person(t, a, "bob@acme.test")
		issue := func(k Kind) (string, string) {
			token, code, err := a.Issue(ctx, Ticket{Kind: k, User: u.ID, Email: u.Email, RedirectTo: "http://127.0.0.1:1/x"})
			if err != nil || len(code) != 6 {
				t.Fatal(code, err)
			}
			return token, code
		}
		token, code := issue(MagicLink)
		if _, err := a.Use(ctx, token, Recovery); !errors.Is(err, ErrToken) {
			t.Errorf("as another kind: %v", err)
		}
		if got, err := a.Use(ctx, token, MagicLink); err != nil || got.User != u.ID || got.Email != u.Email || got.RedirectTo != "http://127.0.0.1:1/x" {
			t.Fatalf("%+v, %v", got, err)
		}
		if _, err := a.Use(ctx, token, MagicLink); !errors.Is(err, ErrToken) {
			t.Errorf("twice: %v", err)
		}
		if _, err := a.UseCode(ctx, u.Email, code, MagicLink); !errors.Is(err, ErrToken) {
			t.Errorf("the code after the link: %v", err)
		}
		old, _ := issue(MagicLink)
		_, code = issue(MagicLink)
		if _, err := a.Use(ctx, old, MagicLink); !errors.Is(err, ErrToken) {
			t.Errorf("the one before: %v", err)
		}
		if _, err := a.UseCode(ctx, bob.Email, code, MagicLink); !errors.Is(err, ErrToken) {
			t.Errorf("another's code: %v", err)
		}
		if got, err := a.UseCode(ctx, " ADA@acme.test", code, Signup, MagicLink); err != nil || got.User != u.ID {
			t.Errorf("by code: %+v, %v", got, err)
		}
		token, code = issue(Recovery)
		c.pass(TokenLife)
		if _, err := a.Use(ctx, token, Recovery); !errors.Is(err, ErrToken) {
			t.Errorf("expired: %v", err)
		}
		if _, err := a.UseCode(ctx, u.Email, code, Recovery); !errors.Is(err, ErrToken) {
			t.Errorf("expired code: %v", err)
		}
	})
}

func TestCodeTries(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		u := person(t, a, "ada@acme.test")
		token, code, err := a.Issue(ctx, Ticket{Kind: MagicLink, User: u.ID, Email: u.Email})
		if err != nil {
			t.Fatal(err)
		}
		wrong := "000000"
		if code == wrong {
			wrong = "000001"
		}
		var wg sync.WaitGroup
		for range MostTries {
			wg.Go(func() {
				if _, err := a.UseCode(ctx, u.Email, wrong, MagicLink); !errors.Is(err, ErrToken) {
					t.Errorf("a wrong code: %v", err)
				}
			})
		}
		wg.Wait()
		if _, err := a.UseCode(ctx, u.Email, code, MagicLink); !errors.Is(err, ErrToken) {
			t.Errorf("the right code after %d wrong ones: %v", MostTries, err)
		}
		if _, err := a.Use(ctx, token, MagicLink); err != nil {
			t.Errorf("the link, which nobody can guess: %v", err)
		}
	})
}

func TestOneTimeTokenOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		u := person(t, a, "ada@acme.test")
		token, code, err := a.Issue(ctx, Ticket{Kind: MagicLink, User: u.ID, Email: u.Email})
		if err != nil {
			t.Fatal(err)
		}
		var used atomic.Int32
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				var err error
				if i%5 == 0 {
					_, err = a.UseCode(ctx, u.Email, code, MagicLink)
				} else {
					_, err = a.Use(ctx, token, MagicLink)
				}
				if err == nil {
					used.Add(1)
				} else if !errors.Is(err, ErrToken) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if used.Load() != 1 {
			t.Errorf("used %d times", used.Load())
		}
	})
}

// Neither link nor code stands in the database.
func TestOneTimeTokenHash(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		u := person(t, a, "ada@acme.test")
		token, code, err := a.Issue(ctx, Ticket{Kind: MagicLink, User: u.ID, Email: u.Email})
		if err != nil {
			t.Fatal(err)
		}
		var tokenHash, codeHash string
		err = a.view(ctx, func(tx *db.Tx) error {
			return tx.QueryRow(ctx, `select token_hash, code_hash from auth.one_time_tokens`).Scan(&tokenHash, &codeHash)
		})
		if err != nil || tokenHash == token || codeHash == code || codeHash == db.Hashed(code) || codeHash == db.Hashed(u.Email+"\x00"+code) {
			t.Errorf("kept as %q and %q, %v", tokenHash, codeHash, err)
		}
	})
}

func TestProven(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		u, err := a.CreateUser(ctx, NewUser{Email: "ada@acme.test", Password: "correct-horse", Confirmed: true, App: map[string]any{vouchedKey: true}})
		if err != nil {
			t.Fatal(err)
		}
		s, _ := begin(t, a, u.ID)
		u, err = a.Proven(ctx, Ticket{Kind: MagicLink, User: u.ID})
		if err != nil || u.PasswordHash != "" || u.App[vouchedKey] != nil || alive(t, a, s.ID) {
			t.Errorf("whoever made the account in advance is still in it: %+v, %v", u, err)
		}
		s, _ = begin(t, a, u.ID)
		c.pass(time.Minute)
		if _, err := a.Proven(ctx, Ticket{Kind: MagicLink, User: u.ID}); err != nil || !alive(t, a, s.ID) {
			t.Errorf("a second proof ends sessions, or %v", err)
		}
	})
}
