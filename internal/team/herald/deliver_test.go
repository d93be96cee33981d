package herald

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/db/notice"
	"cairn/test/dbtest"
)

// What does not arrive is tried again, later each time, as long as it is of use.
func TestRetries(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := build(t, d)
		r := receive(t)
		r.answer = func(n int, w http.ResponseWriter) {
			if n == 0 {
				w.Header().Set("Retry-After", "600")
			}
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		w.channel("webhook", r.URL+"/a-secret-path")
		w.quiet()
		w.push("main", 40)
		now := time.Now()
		w.h.Now = func() time.Time { return now }
		if done := w.round(); done.Failed != 1 {
			t.Fatalf("%+v", done)
		}
		due := func() (at time.Time) {
			err := d.View(ctx, db.ServerItself, func(tx *db.Tx) error {
				var v db.Time
				err := tx.QueryRow(ctx, `select due_at from deliveries`).Scan(&v)
				at = *v.Value
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return at
		}
		if wait := due().Sub(now); wait < 599*time.Second || wait > 601*time.Second {
			t.Errorf("Retry-After 600 is heeded as %s", wait)
		}
		if done := w.round(); done.Failed != 0 {
			t.Error("it was tried again at once")
		}
		var waits []time.Duration
		for n := 2; n <= tries; n++ {
			now = due().Add(time.Second)
			if done := w.round(); done.Failed != 1 {
				t.Fatalf("try %d: %+v", n, done)
			}
			waits = append(waits, due().Sub(now).Round(time.Second))
		}
		for i, wait := range waits[:len(waits)-1] {
			if whole := min(firstPause<<(i+1), longest); wait < whole/2-time.Second || wait > whole+time.Second {
				t.Errorf("pause %d is %s, want up to %s: %s", i, wait, whole, waits)
			}
		}
		if w.count(`select count(*) from deliveries where failed_at is not null and attempts = 10 and error = 'the receiver answered 503'`) != 1 {
			t.Error("it is not given up, or does not say why")
		}
		now = now.Add(24 * time.Hour)
		if done := w.round(); done != (Done{}) || len(r.got()) != tries {
			t.Errorf("after that: %+v, %d tries", done, len(r.got()))
		}
		// Nobody heard that it fires, so nobody hears that it is over.
		w.push("main", 1)
		w.round()
		w.push("main", 1)
		if done := w.round(); done.Resolved != 1 || done.Failed+done.Sent != 0 {
			t.Errorf("the end: %+v", done)
		}
	})
}

// A server that is killed while it sends leaves the message to the next one.
func TestKilledWhileSending(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := build(t, d)
		r := receive(t)
		w.channel("slack", r.URL+"/slack")
		w.quiet()
		w.push("main", 40)
		if _, err := w.h.Judge(ctx); err != nil {
			t.Fatal(err)
		}
		now := time.Now()
		claimed, err := notice.Claim(ctx, d, now, now.Add(lease), 10) // and then it is killed
		if err != nil || len(claimed) != 1 {
			t.Fatalf("%v, %v", claimed, err)
		}
		if done := w.round(); done.Sent != 0 {
			t.Error("another server took what was claimed")
		}
		w.h.Now = func() time.Time { return now.Add(lease + time.Second) }
		if done := w.round(); done.Sent != 1 || len(r.got()) != 1 {
			t.Errorf("after the lease: %+v", done)
		}
	})
}

// That it is over is not told before that it fires.
func TestOrder(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := build(t, d)
		r := receive(t)
		fail := true
		r.answer = func(_ int, w http.ResponseWriter) {
			if fail {
				w.WriteHeader(http.StatusBadGateway)
			}
		}
		w.channel("webhook", r.URL+"/hook")
		w.quiet()
		now := time.Now().Add(time.Minute)
		w.h.Now = func() time.Time { return now }
		w.push("main", 40)
		w.round()
		fail = false
		w.push("main", 1)
		w.round()
		w.push("main", 1)
		if done := w.round(); done.Resolved != 1 || done.Sent != 0 {
			t.Fatalf("%+v", done)
		}
		now = now.Add(time.Minute)
		w.round()
		got := r.got()
		if len(got) != 3 || !strings.Contains(got[1], "alert.firing") || !strings.Contains(got[2], "alert.resolved") {
			t.Errorf("%q", got)
		}
	})
}

// A server that is being stopped gives the message back at once.
func TestStopped(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := build(t, d)
		stopping, stop := context.WithCancel(ctx)
		r := receive(t)
		r.answer = func(n int, _ http.ResponseWriter) {
			if n == 0 {
				stop()
				time.Sleep(50 * time.Millisecond)
			}
		}
		w.channel("webhook", r.URL+"/hook")
		w.quiet()
		w.push("main", 40)
		_, _ = w.h.Round(stopping)
		if done := w.round(); done.Sent != 1 {
			t.Errorf("the next server: %+v", done)
		}
	})
}

func TestSomebodyTries(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := build(t, d)
		r := receive(t)
		w.channel("slack", r.URL+"/slack")
		at := time.Now().Truncate(time.Microsecond)
		dbtest.Exec(t, d, `update team_channels set test_at = ?`, at)
		if done := w.round(); done.Sent != 1 || !strings.Contains(r.got()[0], "A message to try the channel slack") {
			t.Errorf("%+v: %q", done, r.got())
		}
		if done := w.round(); done.Sent != 0 {
			t.Error("it was sent twice")
		}
		if w.count(`select count(*) from team_channels where test_at is not null`) != 0 {
			t.Error("it is asked for still")
		}
		if w.count(`select count(*) from deliveries where event = '`+TestEvent(at)+`'`) != 1 {
			t.Error("it is not called " + TestEvent(at))
		}
	})
}
