package spool

import (
	"time"

	"cairn/internal/team/retry"
)

const (
	maxBackoff = time.Hour
	maxAfter   = 6 * time.Hour // a server that says longer is asked again sooner
)

// delay is how long to wait after so many failed attempts: what the server
// asked for, and then some.
func delay(attempts int, after time.Duration) time.Duration {
	return min(max(0, after), maxAfter) + retry.Delay(attempts, 2*time.Second, maxBackoff)
}
