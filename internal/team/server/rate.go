package server

import (
	"crypto/sha256"
	"net/netip"
	"sync"
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

// maxBuckets bounds the memory: about 20 MB, whoever asks.
const maxBuckets = 50_000

// buckets hands out limiters by key. When the young are too many they become
// the old, and the old, which nobody has asked for since, are forgotten.
type buckets struct {
	mu         sync.Mutex
	young, old map[bucket]*rate.Limiter
}

type bucket struct {
	pace  pace
	ip    netip.Prefix
	token [16]byte // the beginning of a SHA-256
}

func (b *buckets) take(key bucket, q allowance, now time.Time) (wait time.Duration) {
	b.mu.Lock()
	l := b.young[key]
	if l == nil {
		if l = b.old[key]; l == nil {
			l = rate.NewLimiter(q.perSecond, q.burst)
		}
		if b.young == nil || len(b.young) >= maxBuckets/2 {
			b.young, b.old = map[bucket]*rate.Limiter{}, b.young
		}
		b.young[key] = l
	}
	b.mu.Unlock()
	res := l.ReserveN(now, 1)
	if wait = res.DelayFrom(now); wait > 0 {
		res.CancelAt(now)
	}
	return wait
}

// network is an address as one client has it: of IPv6, a /64.
func network(ip netip.Addr) netip.Prefix {
	bits := ip.BitLen()
	if ip.Is6() {
		bits = 64
	}
	p, _ := ip.Prefix(bits)
	return p
}

func digest(token string) (out [16]byte) {
	sum := sha256.Sum256([]byte(token))
	copy(out[:], sum[:])
	return out
}
