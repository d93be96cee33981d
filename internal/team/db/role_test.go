package db

import (
	"database/sql"
	"testing"
	"time"

	"cairn/test/pgtest"
)

// TestMigrateBesideAnother: roles are the cluster's. A server of another database
// that makes them at the same moment is in nobody's way.
func TestMigrateBesideAnother(t *testing.T) {
	if pgtest.Shared() == nil {
		t.Skip(pgtest.ErrMissing)
	}
	cluster, err := pgtest.Start() // one that has no roles yet
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Stop()
	url, err := cluster.Database()
	if err != nil {
		t.Fatal(err)
	}
	other, err := sql.Open("pgx", cluster.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	ctx := t.Context()
	making, err := other.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer making.Rollback()
	if _, err := making.ExecContext(ctx, `create role anon nologin noinherit; create role cairn_server nologin`); err != nil {
		t.Fatal(err)
	}
	d, err := Open(ctx, url, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	migrated := make(chan error, 1)
	go func() { _, err := d.Migrate(ctx, false); migrated <- err }()
	for waits := 0; waits == 0; time.Sleep(time.Millisecond) {
		if err := other.QueryRowContext(ctx, `select count(*) from pg_stat_activity where wait_event_type = 'Lock'`).Scan(&waits); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-migrated:
			t.Fatalf("it did not wait for the other's roles: %v", err)
		default:
		}
	}
	if err := making.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := <-migrated; err != nil {
		t.Errorf("after the other made them: %v", err)
	}
}
