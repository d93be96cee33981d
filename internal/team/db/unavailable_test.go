package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"cairn/test/pgtest"
)

func TestUnavailable(t *testing.T) {
	for code, want := range map[string]bool{"53100": true, "53300": true, "57P01": true, "57P03": true, "08006": true, "53400": false, "23505": false, "57014": false} {
		if err := fmt.Errorf("a write: %w", &pgconn.PgError{Code: code}); Unavailable(err) != want {
			t.Errorf("%s: %v, want %v", code, !want, want)
		}
	}
	if Unavailable(nil) || Unavailable(errors.New("anything")) || Unavailable(context.Canceled) {
		t.Error("what is not the database's state")
	}
}

func TestRemedyBehindAPooler(t *testing.T) {
	// As PgBouncer 1.18 says it, in session mode and in transaction mode.
	err := fmt.Errorf("connecting: %w", &pgconn.PgError{Code: "08P01", Message: "unsupported startup parameter: statement_timeout"})
	if got := Remedy(err); !strings.Contains(got, "--bouncer") {
		t.Errorf("Remedy: %q", got)
	}
}

// TestGone: a PostgreSQL that stops, under a server that goes on.
func TestGone(t *testing.T) {
	if pgtest.Shared() == nil {
		t.Skip("no PostgreSQL is installed")
	}
	cluster, err := pgtest.Start()
	if err != nil {
		t.Fatal(err)
	}
	url, err := cluster.Database()
	if err != nil {
		cluster.Stop()
		t.Fatal(err)
	}
	ctx := t.Context()
	d, err := Open(ctx, url, Options{})
	cluster.Stop()
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for range 3 { // on a broken connection, then on none
		if err := d.View(ctx, ServerItself, func(*Tx) error { return nil }); !Unavailable(err) {
			t.Errorf("reading: %v", err)
		}
		if err := d.Update(ctx, ServerItself, func(*Tx) error { return nil }); !Unavailable(err) {
			t.Errorf("writing: %v", err)
		}
	}
}

// TestRestart: a PostgreSQL that restarts costs nobody anything who comes
// afterwards, and no transaction that was not committed yet.
func TestRestart(t *testing.T) {
	if pgtest.Shared() == nil {
		t.Skip(pgtest.ErrMissing)
	}
	cluster, err := pgtest.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Stop()
	url, err := cluster.Database()
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	d, err := Open(ctx, url, Options{Connections: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := d.Migrate(ctx, false); err != nil {
		t.Fatal(err)
	}
	busy := func() { // all connections of the pool are there, and were used a moment ago
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if err := d.View(ctx, ServerItself, func(tx *Tx) error { _, err := tx.Exec(ctx, `select pg_sleep(0.1)`); return err }); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
	count := func(tx *Tx) error {
		var n int
		return tx.QueryRow(ctx, `select count(*) from cairn.migrations`).Scan(&n)
	}
	admin, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close()
	for name, run := range map[string]func(context.Context, Identity, func(*Tx) error) error{"View": d.View, "Update": d.Update} {
		busy()
		if _, err := admin.Exec(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`); err != nil {
			t.Fatal(err)
		}
		for range 8 {
			if err := run(ctx, ServerItself, count); err != nil {
				t.Errorf("%s after its connections ended: %v", name, err)
			}
		}
	}
	times := 0
	err = d.Update(ctx, ServerItself, func(tx *Tx) error {
		if times++; times == 1 {
			if err := cluster.Restart(); err != nil {
				t.Error(err)
			}
		}
		return count(tx)
	})
	if err != nil || times != 2 || d.Retries() < 1 {
		t.Errorf("in the middle of a restart: %v, run %d times, %d retries counted", err, times, d.Retries())
	}
	err = d.View(ctx, ServerItself, func(tx *Tx) error { // what it read cannot be taken back
		if err := cluster.Restart(); err != nil {
			t.Error(err)
		}
		return count(tx)
	})
	if !Unavailable(err) {
		t.Errorf("reading in the middle of a restart: %v", err)
	}
	if err := cluster.Down(); err != nil {
		t.Fatal(err)
	}
	times = 0
	if err := d.Update(ctx, ServerItself, func(*Tx) error { times++; return nil }); !Unavailable(err) || times != 0 {
		t.Errorf("while it is down: %v, run %d times", err, times)
	}
	if err := cluster.Restart(); err != nil {
		t.Fatal(err)
	}
	if err := d.View(ctx, ServerItself, count); err != nil {
		t.Errorf("when it is up again: %v", err)
	}
}
