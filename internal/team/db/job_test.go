package db_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cairn/internal/team/db"
)

func TestOneServerTakesAJob(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		ctx, now := context.Background(), time.Now()
		var mine atomic.Int32
		var servers sync.WaitGroup
		for range 20 {
			servers.Go(func() {
				ok, err := d.Take(ctx, "sweep", now, now.Add(time.Hour))
				if err != nil {
					t.Error(err)
				}
				if ok {
					mine.Add(1)
				}
			})
		}
		servers.Wait()
		if n := mine.Load(); n != 1 {
			t.Errorf("%d of 20 servers had the job, want 1", n)
		}
		for _, c := range []struct {
			at   time.Duration
			want bool
		}{{59 * time.Minute, false}, {61 * time.Minute, true}, {62 * time.Minute, false}} {
			at := now.Add(c.at)
			if got, err := d.Take(ctx, "sweep", at, at.Add(time.Hour)); err != nil || got != c.want {
				t.Errorf("after %v: %v, %v; want %v", c.at, got, err, c.want)
			}
		}
		if err := d.Postpone(ctx, "sweep", now); err != nil {
			t.Fatal(err)
		}
		if got, _ := d.Take(ctx, "sweep", now, now.Add(time.Hour)); !got {
			t.Error("a job that was put back to now is not due")
		}
	})
}

func TestSweep(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		ctx, now := context.Background(), time.Now()
		link := func(hash string, expires time.Time) {
			err := d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
				_, err := tx.Exec(ctx, `insert into auth.one_time_tokens (token_hash, kind, expires_at) values (?, 'claim', ?)`, hash, expires)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		link("over", now.Add(-time.Minute))
		link("open", now.Add(time.Minute))
		for i, want := range []int64{1, 0} {
			if n, err := d.Sweep(ctx, now); err != nil || n != want {
				t.Errorf("sweep %d: %d rows, %v; want %d", i, n, err, want)
			}
		}
		if err := d.Tidy(ctx, false); err != nil {
			t.Error(err)
		}
	})
}
