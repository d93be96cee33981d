// Package dbtest gives tests both databases, migrated, with teams and people
// in them. Only tests import it.
package dbtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/test/pgtest"
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

// EachURL runs a test with the URL of a migrated database on SQLite and, where it
// is installed, on PostgreSQL.
func EachURL[Self Runner[Self]](t Self, test func(Self, string)) {
	t.Run("sqlite", func(t Self) { test(t, SQLite(t)) })
	if pgtest.Shared() != nil {
		t.Run("postgres", func(t Self) { test(t, Postgres(t)) })
	}
}

// Open opens a database until the test ends.
func Open(t T, url string) *db.DB {
	t.Helper()
	d, err := db.Open(context.Background(), url, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// SQLite returns the path of a new migrated file.
func SQLite(t T) string {
	t.Helper()
	data, err := migratedFile()
	path := filepath.Join(t.TempDir(), "cairn.db")
	if err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Postgres returns the URL of a new migrated database; pgtest.Shared must not be nil.
func Postgres(t T) string {
	t.Helper()
	url, err := Copy(pgtest.Shared())
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// Copy makes a migrated database in a cluster.
func Copy(c *pgtest.Cluster) (string, error) {
	return c.Copy(context.Background(), version(), migrate)
}

// version names the schema: what all migrations say, in their order.
var version = sync.OnceValue(func() string {
	sum := sha256.New()
	for _, m := range db.Migrations(db.PostgreSQL) {
		sum.Write([]byte(m.Name + m.SHA256))
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
})

// migratedFile is a SQLite file that was migrated once in this process.
var migratedFile = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "cairn-sqlite")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "cairn.db")
	if err := migrate(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

func migrate(url string) error {
	d, err := db.Open(context.Background(), url, db.Options{})
	if err != nil {
		return err
	}
	defer d.Close()
	_, err = d.Migrate(context.Background(), false)
	return err
}
