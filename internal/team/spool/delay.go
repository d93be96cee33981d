package spool

import (
	"math/rand/v2"
	"time"
)

const (
	firstBackoff = 2 * time.Second
	maxBackoff   = time.Hour
	maxAfter     = 6 * time.Hour // a server that says longer is asked again sooner
)

// delay is how long to wait after so many failed attempts: what the server
// asked for, and between a half and the whole of 2 s, 4 s, 8 s … 1 h, where
// part, from 0 to 1, says how far between. So many clients that failed at the
// same time do not come back at the same time.
func delay(attempts int, after time.Duration, part float64) time.Duration {
	backoff := maxBackoff
	if shift := max(0, attempts-1); shift < 12 {
		backoff = min(firstBackoff<<shift, maxBackoff)
	}
	backoff = backoff/2 + time.Duration(part*float64(backoff/2))
	return min(max(0, after), maxAfter) + backoff
}

func fraction() float64 { return rand.Float64() }
