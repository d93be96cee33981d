package erase

import (
	"context"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/retry"
)

// How long slices follow each other before others come, and for how long they
// may. Another process finds SQLite's file free only when it looks, each 100 ms
// at the latest: a deletion that took it again at once kept a server's pushes waiting.
const (
	busyFor = 200 * time.Millisecond
	restFor = 110 * time.Millisecond
)

// A rest is between slices.
type rest struct {
	needed bool
	since  time.Time
}

func newRest(d *db.DB) *rest { return &rest{needed: d.Dialect() == db.SQLite, since: time.Now()} }

// take waits if it is time to; the error is ctx's.
func (r *rest) take(ctx context.Context) error {
	if !r.needed || time.Since(r.since) < busyFor {
		return ctx.Err()
	}
	if err := retry.Wait(ctx, restFor); err != nil {
		return err
	}
	r.since = time.Now()
	return nil
}
