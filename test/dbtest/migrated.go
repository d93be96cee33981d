package dbtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"sync"

	"cairn/internal/team/db"
	"cairn/test/pgtest"
)

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
