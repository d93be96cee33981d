// Package retry is when something that failed is tried again.
//
// It is a leaf: of ours it imports nothing.
package retry

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

// Delay is how long to wait after so many tries: between a half and the whole of
// first, which doubles each time up to most. So many clients that failed at the
// same time do not come back at the same time.
func Delay(tries int, first, most time.Duration) time.Duration {
	return delay(tries, first, most, rand.Float64())
}

func delay(tries int, first, most time.Duration, part float64) time.Duration {
	d := most
	if doubled := max(0, tries-1); doubled < 32 && first <= most>>doubled {
		d = first << doubled
	}
	return d/2 + time.Duration(part*float64(d/2))
}

// mostAfter is how long a server can make a client wait.
const mostAfter = 24 * time.Hour

// After reads the header Retry-After, which holds seconds, or a date by the
// server's clock: at most a day, and 0 where there is none.
func After(h http.Header, now time.Time) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds > 0 {
		return time.Duration(min(seconds, mostAfter.Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(0, at.Sub(now)), mostAfter)
	}
	return 0
}

// Wait returns after d, or earlier with the context's error.
func Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
