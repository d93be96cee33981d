package server

import (
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// lanes are the slots of one address each, for as long as it has requests.
type lanes struct {
	mu sync.Mutex
	of map[netip.Prefix]*lane
}

type lane struct {
	slots    chan struct{}
	requests int // that have one or wait for one
}

func (l *lanes) enter(ip netip.Prefix) *lane {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of == nil {
		l.of = map[netip.Prefix]*lane{}
	}
	one := l.of[ip]
	if one == nil {
		one = &lane{slots: make(chan struct{}, mostOfOne)}
		l.of[ip] = one
	}
	one.requests++
	return one
}

func (l *lanes) leave(ip netip.Prefix) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.of[ip]
	if one.requests--; one.requests == 0 {
		delete(l.of, ip)
	}
}

// enter waits for a request's turn: of its address, then of all. It is false
// where that takes too long or the client goes away, else done must follow.
// This machine needs no protection from itself and waits with all only.
func (l *limits) enter(r *http.Request) (done func(), ok bool) {
	timer := time.NewTimer(l.queue)
	defer timer.Stop()
	wait := func(slots chan struct{}) bool {
		select {
		case slots <- struct{}{}:
			return true
		default:
		}
		select {
		case slots <- struct{}{}:
			return true
		case <-r.Context().Done():
		case <-timer.C:
		}
		return false
	}
	from := of(r).from
	if from.local {
		return func() { <-l.slots }, wait(l.slots)
	}
	ip := network(from.ip)
	one := l.lanes.enter(ip)
	if !wait(one.slots) {
		l.lanes.leave(ip)
		return nil, false
	}
	if !wait(l.slots) {
		<-one.slots
		l.lanes.leave(ip)
		return nil, false
	}
	return func() {
		<-l.slots
		<-one.slots
		l.lanes.leave(ip)
	}, true
}
