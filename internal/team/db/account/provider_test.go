package account

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestByProvider(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, a *Accounts, c *clock) {
		ctx := context.Background()
		ada := person(t, a, "ada@acme.test")
		gh := Person{Provider: "github", ID: "1", Email: "Ada@acme.test", Verified: false, Data: map[string]any{"name": "Ada"}}
		if _, err := a.ByProvider(ctx, gh, true); !errors.Is(err, ErrEmail) {
			t.Errorf("an address that is not verified: %v", err)
		}
		gh.Verified = true
		c.pass(time.Second)
		u, err := a.ByProvider(ctx, gh, false)
		if err != nil || u.ID != ada.ID || u.PasswordHash == "" {
			t.Fatalf("linked: %+v, %v", u, err)
		}
		gh.Email, gh.Verified = "new@elsewhere.test", false
		if u, err := a.ByProvider(ctx, gh, false); err != nil || u.ID != ada.ID {
			t.Errorf("the same person with another address: %+v, %v", u, err)
		}
		ids, err := a.Identities(ctx, ada.ID)
		if err != nil || len(ids) != 2 || ids[1].Email != "new@elsewhere.test" {
			t.Errorf("identities %+v, %v", ids, err)
		}
		eve := Person{Provider: "github", ID: "2", Email: "eve@acme.test", Verified: true}
		if _, err := a.ByProvider(ctx, eve, false); !errors.Is(err, ErrNotFound) {
			t.Errorf("a stranger where nobody may sign up: %v", err)
		}
		made, err := a.ByProvider(ctx, eve, true)
		if err != nil || made.App["provider"] != "github" || made.Confirmed.IsZero() {
			t.Errorf("a new user: %+v, %v", made, err)
		}
		if again, err := a.ByProvider(ctx, eve, false); err != nil || again.ID != made.ID {
			t.Errorf("again: %+v, %v", again, err)
		}
		// An account that somebody made in advance for another's address.
		early, err := a.CreateUser(ctx, NewUser{Email: "kim@acme.test", Password: "correct-horse"})
		if err != nil {
			t.Fatal(err)
		}
		s, _ := begin(t, a, early.ID)
		kim, err := a.ByProvider(ctx, Person{Provider: "github", ID: "3", Email: "kim@acme.test", Verified: true}, false)
		if err != nil || kim.ID != early.ID || kim.PasswordHash != "" || alive(t, a, s.ID) {
			t.Errorf("who made it in advance is still in it: %+v, %v", kim, err)
		}
	})
}
