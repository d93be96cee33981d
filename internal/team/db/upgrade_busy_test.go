package db_test

import (
	"context"
	"testing"
	"time"

	"cairn/internal/team/db"
	"cairn/test/pgtest"
)

// An older server goes on writing while a newer one migrates the database that
// they share. Both need the same tables, and come to them in different orders:
// whoever of them PostgreSQL ends begins again.
func TestUpgradeBesidePushes(t *testing.T) {
	if pgtest.Shared() == nil {
		t.Skip("no PostgreSQL is here")
	}
	ctx := context.Background()
	url := restored(t, "testdata/landed/3ca24cbb.postgres.sql.gz", false)
	pool := direct(t, url, false)
	pusher, err := pool.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer pusher.Close()
	do := func(q string) {
		t.Helper()
		if _, err := pusher.ExecContext(ctx, q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	// It waits for longer than the test: of the two, the migration is ended.
	do(`set deadlock_timeout = '1h'`)
	do(`begin`)
	do(`lock table eval_costs in row exclusive mode`)
	d, err := db.Open(ctx, url, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	done := make(chan error, 1)
	go func() { _, err := d.Migrate(ctx, false); done <- err }()
	var held string
	for deadline := time.Now().Add(time.Minute); held == ""; {
		if time.Now().After(deadline) {
			t.Fatal("the migration never waited for the push")
		}
		select {
		case err := <-done:
			t.Fatalf("the migration did not wait for the push: %v", err)
		case <-time.After(10 * time.Millisecond):
		}
		_ = pool.QueryRow(`select coalesce(min(h.relation::regclass::text), '') from pg_locks w join pg_locks h on h.pid = w.pid and h.granted
			join pg_class c on c.oid = h.relation and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
			where not w.granted and w.relation = 'eval_costs'::regclass and h.mode in ('AccessExclusiveLock', 'ShareRowExclusiveLock')`).Scan(&held)
	}
	do(`lock table ` + held + ` in row exclusive mode`) // which the migration has, while it waits for ours
	do(`commit`)
	if err := <-done; err != nil {
		t.Errorf("Migrate: %v", err)
	}
	if err := d.Ready(ctx); err != nil {
		t.Errorf("Ready: %v", err)
	}
}
