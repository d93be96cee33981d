package retry

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"
)

func TestDelay(t *testing.T) {
	for _, tt := range []struct {
		tries           int
		shortest, whole time.Duration
	}{
		{0, time.Second, 2 * time.Second},
		{1, time.Second, 2 * time.Second},
		{2, 2 * time.Second, 4 * time.Second},
		{5, 16 * time.Second, 32 * time.Second},
		{11, 1024 * time.Second, 2048 * time.Second},
		{12, 30 * time.Minute, time.Hour},
		{1_000_000, 30 * time.Minute, time.Hour},
	} {
		if a, b := delay(tt.tries, 2*time.Second, time.Hour, 0), delay(tt.tries, 2*time.Second, time.Hour, 1); a != tt.shortest || b != tt.whole {
			t.Errorf("%d tries: %s to %s, want %s to %s", tt.tries, a, b, tt.shortest, tt.whole)
		}
	}
	first := Delay(3, time.Second, time.Hour)
	for range 100 {
		if Delay(3, time.Second, time.Hour) != first {
			return
		}
	}
	t.Error("every wait is the same")
}

func TestAfter(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "3": 3 * time.Second, "0.5": 500 * time.Millisecond, "-1": 0, "x": 0, "NaN": 0, "Sun, 01 Mar 2026 12:00:09 GMT": 9 * time.Second, "Sun, 01 Mar 2026 11:00:00 GMT": 0,
	} {
		if got := After(http.Header{"Retry-After": {value}}, at); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
	for _, huge := range []string{"1e300", "Inf", "99999999999999999999", "Sun, 01 Mar 2099 12:00:09 GMT"} {
		if got := After(http.Header{"Retry-After": {huge}}, at); got != 24*time.Hour {
			t.Errorf("%q: %v", huge, got)
		}
	}
}

func TestWait(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	if err := Wait(ctx, time.Millisecond); err != nil {
		t.Error(err)
	}
	stop()
	if err := Wait(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
