package server

import (
	"crypto/sha256"
	"net/netip"
	"time"

	"golang.org/x/time/rate"
)

// A pace is how often one client may ask.
type pace uint8

const (
	free   pace = iota // health and figures
	easy               // reads, writes
	strict             // sign-in, which has finer limits of its own
)

// An allowance is a bucket of tokens that fills by so many a second.
type allowance struct {
	perSecond rate.Limit
	burst     int
}

// allowanceOf is what an address or a token may do. This machine itself gets so
// much that only a loop without end comes up against it.
func allowanceOf(p pace, local bool) allowance {
	switch {
	case local && p == strict:
		return allowance{2000, 4000}
	case local:
		return allowance{20_000, 40_000}
	case p == strict:
		return allowance{20, 300}
	}
	return allowance{100, 1000}
}

// A bucket is whose asking is counted: an address or a token.
type bucket struct {
	pace  pace
	ip    netip.Prefix
	token [16]byte // the beginning of a SHA-256
}

// take uses up one of a pace, or says how long to wait for it.
func take(l *rate.Limiter, now time.Time) (wait time.Duration) {
	res := l.ReserveN(now, 1)
	if wait = res.DelayFrom(now); wait > 0 {
		res.CancelAt(now)
	}
	return wait
}

func digest(token string) (out [16]byte) {
	sum := sha256.Sum256([]byte(token))
	copy(out[:], sum[:])
	return out
}
