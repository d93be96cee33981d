package account

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"cairn/internal/team/db"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

// A clock that a test moves.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.at }

func (c *clock) pass(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.at = c.at.Add(d) }

// each runs a test on both databases.
func each(t *testing.T, test func(*testing.T, *Accounts, *clock)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := &clock{at: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
		a := New(d)
		a.SetClock(c.now)
		a.SetCost(bcrypt.MinCost)
		test(t, a, c)
	})
}

// person makes a user with a password.
func person(t *testing.T, a *Accounts, email string) User {
	t.Helper()
	u, err := a.CreateUser(context.Background(), NewUser{Email: email, Password: "correct-horse", Confirmed: true})
	if err != nil {
		t.Fatal(err)
	}
	return u
}
