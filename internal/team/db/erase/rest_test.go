package erase

import (
	"context"
	"errors"
	"testing"
	"time"

	"cairn/internal/team/db"
	"cairn/test/dbtest"
)

// Another process's writer gets SQLite's file between slices; on PostgreSQL
// nobody waits for a deletion.
func TestRest(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, c := range []struct {
			busy time.Duration
			rest bool
		}{{0, false}, {busyFor + time.Second, d.Dialect() == db.SQLite}} {
			r := newRest(d)
			r.since = time.Now().Add(-c.busy)
			began := r.since
			if err := r.take(t.Context()); err != nil {
				t.Fatal(err)
			}
			if rested := r.since != began; rested != c.rest {
				t.Errorf("after %v of slices: a rest %v, want %v", c.busy, rested, c.rest)
			}
		}
		ended, end := context.WithCancel(t.Context())
		end()
		r := newRest(d)
		if err := r.take(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("who is to stop goes on: %v", err)
		}
	})
}
