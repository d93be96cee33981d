package db_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"cairn/internal/team/db"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

// each runs a test on both databases, migrated.
func each(t *testing.T, test func(*testing.T, *db.DB)) { dbtest.Each(t, test) }

func TestMigrateTwice(t *testing.T) {
	urls := []string{filepath.Join(t.TempDir(), "cairn.db")}
	if c := pgtest.Shared(); c != nil {
		url, err := c.Database()
		if err != nil {
			t.Fatal(err)
		}
		urls = append(urls, url)
	}
	for _, url := range urls {
		d := dbtest.Open(t, url)
		if first, err := d.Migrate(t.Context(), false); err != nil || len(first) != len(db.Migrations(d.Dialect())) {
			t.Errorf("%s, first: %v, %v; want every step", d.Dialect(), first, err)
		}
		if again, err := d.Migrate(t.Context(), false); err != nil || len(again) != 0 {
			t.Errorf("%s, a second time: %v, %v; want nothing to do", d.Dialect(), again, err)
		}
	}
}

// What an earlier client of a pooler's connection set does not count, and
// nothing stays behind for the next.
func TestBouncer(t *testing.T) {
	c := pgtest.Shared()
	if c == nil {
		t.Skip("no PostgreSQL is here")
	}
	ctx := context.Background()
	url, err := c.Database()
	if err != nil {
		t.Fatal(err)
	}
	d, err := db.Open(ctx, url+"&timezone=Asia/Tokyo&statement_timeout=1234", db.Options{Bouncer: true, Connections: 1, Timeout: 7 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := d.Migrate(ctx, false); err != nil {
		t.Fatal(err)
	}
	settings := func(tx *db.Tx) error {
		var got string
		err := tx.QueryRow(ctx, `select current_setting('timezone') || ' ' || current_setting('statement_timeout')`).Scan(&got)
		if want := "UTC 7s"; err != nil || got != want {
			t.Errorf("settings %q, %v; want %q", got, err, want)
		}
		return nil
	}
	for _, in := range []func(context.Context, db.Identity, func(*db.Tx) error) error{d.View, d.Update} {
		if err := in(ctx, db.ServerItself, settings); err != nil {
			t.Error(err)
		}
	}
}

// Who has closed a database may move or remove its files at once.
func TestCloseLetsGo(t *testing.T) {
	for range 20 {
		dir := t.TempDir()
		ctx := context.Background()
		d, err := db.Open(ctx, filepath.Join(dir, "cairn.db"), db.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Migrate(ctx, false); err != nil {
			t.Fatal(err)
		}
		if err := d.Note(ctx, "url", "x"); err != nil {
			t.Fatal(err)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "cairn.db-*")); len(left) > 0 {
			t.Fatalf("still there: %v", left)
		}
	}
}
