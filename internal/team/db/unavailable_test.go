package db

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"cairn/internal/team/db/pgtest"
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
