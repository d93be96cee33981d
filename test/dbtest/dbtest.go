// Package dbtest gives tests both databases, migrated, with teams and people
// in them. Only tests import it.
package dbtest

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// A T is *testing.T, which the product does not know.
type T interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	TempDir() string
	Cleanup(func())
}

// A Runner is a T that runs tests of its own kind.
type Runner[Self any] interface {
	T
	Run(name string, test func(Self)) bool
}

// Each runs a test on SQLite and, where it is installed, on PostgreSQL; the
// package's TestMain must be pgtest.Main.
func Each[Self Runner[Self]](t Self, test func(Self, *db.DB)) {
	EachURL(t, func(t Self, url string) { test(t, Open(t, url)) })
}

// Team makes a team.
func Team(t T, d *db.DB, slug string) uuid.UUID {
	t.Helper()
	id := uuid.New()
	Exec(t, d, `insert into teams (id, name, slug) values (?, ?, ?)`, id, slug, slug)
	return id
}

// Member makes a user of a team and returns who that is in a request.
func Member(t T, d *db.DB, team uuid.UUID, role string) db.Identity {
	t.Helper()
	user := uuid.New()
	Exec(t, d, `insert into auth.users (id, email) values (?, ?)`, user, user.String()+"@example.com")
	Exec(t, d, `insert into team_members (team_id, user_id, role) values (?, ?, ?)`, team, user, role)
	return Person(user)
}

// Person is who a user is in a request.
func Person(user uuid.UUID) db.Identity {
	return db.Identity{Role: db.Authenticated, User: user, Claims: fmt.Appendf(nil, `{"sub":"%s","role":"authenticated"}`, user)}
}

// Exec runs a statement as the server.
func Exec(t T, d *db.DB, query string, args ...any) {
	t.Helper()
	err := d.Update(context.Background(), db.ServerItself, func(tx *db.Tx) error {
		_, err := tx.Exec(context.Background(), query, args...)
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// Count returns the number that a statement selects, as the server.
func Count(t T, d *db.DB, query string, args ...any) (n int) {
	t.Helper()
	err := d.View(context.Background(), db.ServerItself, func(tx *db.Tx) error {
		return tx.QueryRow(context.Background(), query, args...).Scan(&n)
	})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// Day is noon of a day of the newest months, UTC: n days ago.
func Day(n int) time.Time {
	return time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -n).Add(12 * time.Hour)
}
