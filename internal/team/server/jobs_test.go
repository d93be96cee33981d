package server

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestJobs(t *testing.T) {
	st := opened(t)
	one, log := made(t, Config{Store: st, RetainMonths: 12})
	two, _ := made(t, Config{Store: st})
	for _, j := range one.jobs() {
		one.turn(ctx, j)
		two.turn(ctx, j)
		if n := strings.Count(log.String(), "msg=job job="+j.name) + strings.Count(log.String(), " job="+j.name+" "); n == 0 {
			t.Errorf("%s: nothing in the log:\n%s", j.name, log)
		}
	}
	ran := 0
	fails := job{"fails", time.Hour, func(context.Context) ([]slog.Attr, error) { ran++; return nil, errors.New("no") }}
	one.turn(ctx, fails)
	one.turn(ctx, fails)
	if ran != 1 {
		t.Errorf("it ran %d times in a row", ran)
	}
	if mine, err := st.DB.Take(ctx, "fails", time.Now().Add(retryTime+time.Second), time.Now()); !mine || err != nil {
		t.Errorf("after the pause: %v, %v", mine, err)
	}
}

func TestRetainedSince(t *testing.T) {
	for _, c := range []struct{ now, want string }{{"2026-03-31", "2026-02-01"}, {"2026-01-01", "2025-12-01"}} {
		now, _ := time.Parse(time.DateOnly, c.now)
		if got := retainedSince(now, 1).Format(time.DateOnly); got != c.want {
			t.Errorf("%s: %s, want %s", c.now, got, c.want)
		}
	}
}
