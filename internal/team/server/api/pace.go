package api

import (
	"net/netip"
	"sync"

	"golang.org/x/time/rate"
)

// most is how many limiters a generation has: about 20 MB for both, whoever asks.
const most = 25_000

// Paces hands out limiters by key. When the young are too many they become the
// old, and the old, which nobody has asked for since, are forgotten: memory has
// a bound whatever strangers send.
type Paces[K comparable] struct {
	mu         sync.Mutex
	young, old map[K]*rate.Limiter
}

// Of returns the limiter of a key: burst at once, then so many a second.
func (p *Paces[K]) Of(key K, perSecond rate.Limit, burst int) *rate.Limiter {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.young[key]
	if l == nil {
		if l = p.old[key]; l == nil {
			l = rate.NewLimiter(perSecond, burst)
		}
		if p.young == nil || len(p.young) >= most {
			p.young, p.old = map[K]*rate.Limiter{}, p.young
		}
		p.young[key] = l
	}
	return l
}

// Network is what one stranger has of addresses: all of IPv4's, 64 bits of IPv6's.
func Network(ip netip.Addr) netip.Prefix {
	bits := ip.BitLen()
	if ip.Is6() {
		bits = 64
	}
	p, _ := ip.Prefix(bits)
	return p
}
