package herald

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/alert"
	"cairn/internal/team/db"
	"cairn/internal/team/notify"
	"cairn/test/dbtest"
)

// quiet pushes twenty runs with one failure each, and judges them.
func (w *world) quiet() {
	for range 20 {
		w.push("main", 1)
	}
	for w.round().Judged > 0 {
	}
}

// A run that was made before the newest one, however late it comes, changes no
// alert; one that is gone is forgotten; one that is not whole is waited for.
func TestLateGoneAndUnfinished(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := build(t, d)
		w.quiet()
		newest := w.at
		w.push("main", 7)
		w.round()
		w.pushAt(newest.Add(-30*time.Minute), "main", 7) // late: not the second in a row
		if done := w.round(); done.Judged != 1 || done.Fired != 0 || w.count(`select pushes from alerts`) != 1 {
			t.Errorf("a late push: %+v", done)
		}
		gone := w.push("main", 7)
		dbtest.Exec(t, d, `delete from eval_runs where id = ?`, gone)
		if done := w.round(); done.Judged != 0 || w.count(`select count(*) from cairn.judgments`) != 0 {
			t.Errorf("a run that is gone: %+v", done)
		}
		w.pushAt(time.Now().Add(-8*24*time.Hour), "main", 50)
		if n := w.count(`select count(*) from cairn.judgments`); n != 0 {
			t.Errorf("%d old runs wait to be judged", n)
		}
		// Sent table by table: the run is there before its results.
		id := uuid.New()
		dbtest.Exec(t, d, `insert into eval_runs (team_id, id, run_at, ingest_key, repo_slug, branch, label, suite, total_tests, passed, failed) values (?, ?, ?, 'a key that is long', 'acme/app', 'main', 'main', 'posts', 50, 0, 50)`,
			w.team, id, time.Now())
		if done := w.round(); done.Judged != 0 {
			t.Errorf("a run without results: %+v", done)
		}
		w.h.Now = func() time.Time { return time.Now().Add(11 * time.Minute) }
		if done := w.round(); done.Judged != 1 || done.Fired != 0 {
			t.Errorf("a run whose results never came: %+v", done)
		}
	})
}

// A feature branch is judged by what main was, and main is not touched.
func TestBranch(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := build(t, d)
		for range 20 {
			w.push("main", 9)
		}
		for w.round().Judged > 0 {
		}
		w.push("feature", 40)
		if done := w.round(); done.Fired != 1 {
			t.Fatalf("a branch: %+v", done)
		}
		w.push("main", 1)
		if done := w.round(); done.Fired+done.Resolved != 0 {
			t.Errorf("main: %+v", done)
		}
		if n := w.count(`select count(*) from alerts where branch = 'feature' and state = 'firing'`); n != 1 {
			t.Errorf("%d alerts of the branch", n)
		}
		for range 20 { // where a branch is better, main is no worse
			w.push("better", 0)
		}
		for w.round().Judged > 0 {
		}
		w.push("main", 9)
		if done := w.round(); done.Fired != 0 || w.count(`select count(*) from alerts where branch = 'main'`) != 0 {
			t.Errorf("main beside a better branch: %+v", done)
		}
		w.h.Now = func() time.Time { return time.Now().Add(alert.QuietTime) }
		if done := w.round(); done.Resolved != 1 || w.count(`select count(*) from alerts where outcome = 'quiet'`) != 1 {
			t.Errorf("after two weeks: %+v", done)
		}
	})
}

// Bad runs do not become what others are measured by, until they are the usual.
func TestBaselineStays(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := build(t, d)
		w.quiet()
		var all Done
		for range 20 {
			w.push("main", 30)
			done := w.round()
			all.add(done)
			if n := w.count(`select count(*) from alerts where state = 'firing'`); n != 1 && done.Resolved == 0 {
				t.Fatalf("%d alerts fire", n)
			}
		}
		if all.Fired != 1 || all.Resolved != 1 || w.count(`select count(*) from alerts where outcome = 'usual'`) != 1 {
			t.Fatalf("%+v", all)
		}
		for range 5 {
			w.push("main", 30)
			if done := w.round(); done.Fired != 0 {
				t.Errorf("the new level: %+v", done)
			}
		}
	})
}

// A series that flaps is told of once in an hour, and what nobody heard of
// beginning, nobody hears the end of.
func TestCoolDown(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := build(t, d)
		r := receive(t)
		w.channel("webhook", r.URL+"/hook")
		w.quiet()
		now := time.Now()
		w.h.Now = func() time.Time { return now }
		flap := func() {
			now = now.Add(time.Minute)
			w.push("main", 40)
			w.round()
			w.push("main", 1)
			w.round()
			w.push("main", 1)
			w.round()
		}
		flap()
		flap()
		flap()
		if got := r.got(); len(got) != 2 {
			t.Fatalf("%d messages of three times: %q", len(got), got)
		}
		now = now.Add(alert.CoolDown)
		w.round()
		if got := r.got(); len(got) != 2 || w.count(`select count(*) from deliveries where sent_at is null`) != 0 {
			t.Errorf("after an hour: %d messages", len(got))
		}
		now = now.Add(time.Minute)
		w.push("main", 40)
		w.round()
		w.push("main", 1)
		w.push("main", 1)
		w.round()
		now = now.Add(time.Minute)
		w.push("main", 40) // still bad when the hour is over
		w.round()
		if len(r.got()) != 4 {
			t.Errorf("a new one: %d messages", len(r.got()))
		}
		now = now.Add(alert.CoolDown)
		w.round()
		if len(r.got()) != 5 {
			t.Errorf("the one that waited: %d messages", len(r.got()))
		}
	})
}

// Several servers work on one database: each run is judged once, each message
// sent once.
func TestSeveralServers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := build(t, d)
		r := receive(t)
		for i := range 5 {
			w.channel("webhook", fmt.Sprintf("%s/%d", r.URL, i))
		}
		dbtest.Exec(t, d, `update team_channels set created_at = ?`, time.Now().AddDate(0, -1, 0))
		w.quiet()
		w.push("main", 7)
		w.push("main", 7)
		monday := digestTime()
		var all Done
		var mu sync.Mutex
		var servers sync.WaitGroup
		for range 4 {
			h := &Herald{DB: d, Sender: notify.New(notify.Config{AllowPrivate: true}), Now: func() time.Time { return monday }}
			servers.Go(func() {
				for range 5 {
					done, err := h.Round(ctx)
					_, digested := h.Digest(ctx, w.team)
					mu.Lock()
					all.add(done)
					if err != nil || digested != nil {
						t.Error(err, digested)
					}
					mu.Unlock()
				}
			})
		}
		servers.Wait()
		all.add(w.round())
		if all.Judged != 2 || all.Fired != 1 || all.Sent != 10 || len(r.got()) != 10 {
			t.Errorf("%+v, %d received", all, len(r.got()))
		}
		seen := map[string]int{}
		for _, b := range r.got() {
			seen[b[:2]]++
		}
		for path, n := range seen {
			if n != 2 {
				t.Errorf("%s got %d messages", path, n)
			}
		}
	})
}

// digestTime is a minute after a Monday's nine o'clock, soon.
func digestTime() time.Time {
	at := time.Now().UTC()
	at = time.Date(at.Year(), at.Month(), at.Day(), 9, 1, 0, 0, time.UTC)
	for at.Weekday() != time.Monday {
		at = at.AddDate(0, 0, -1)
	}
	return at
}
