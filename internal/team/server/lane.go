package server

import (
	"context"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"cairn/internal/team/server/access"
	"cairn/internal/team/server/api"
)

// lanes are the slots of one client each, for as long as it has requests.
type lanes struct {
	mu sync.Mutex
	of map[bucket]*lane
}

type lane struct {
	slots    chan struct{}
	requests int // that have one or wait for one
}

func (l *lanes) enter(key bucket, most int) *lane {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of == nil {
		l.of = map[bucket]*lane{}
	}
	one := l.of[key]
	if one == nil {
		one = &lane{slots: make(chan struct{}, most)}
		l.of[key] = one
	}
	one.requests++
	return one
}

func (l *lanes) leave(key bucket) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.of[key]
	if one.requests--; one.requests == 0 {
		delete(l.of, key)
	}
}

// lanesOf are the lanes that a request goes through: that of its token and that
// of its address. This machine needs no protection from itself.
func (s *Server) lanesOf(r *http.Request) []bucket {
	var keys []bucket
	if token := access.Bearer(r); token != "" && token != s.anonKey() {
		keys = append(keys, bucket{token: digest(token)})
	}
	if from := of(r).from; !from.local {
		keys = append(keys, bucket{ip: api.Network(from.ip)})
	}
	return keys
}

// enter waits for a request's turn: in each of its lanes, then among all. It is
// false where that takes too long or the client goes away, else done must follow.
func (l *limits) enter(ctx context.Context, keys []bucket) (done func(), ok bool) {
	timer := time.NewTimer(l.queue)
	defer timer.Stop()
	var undo []func()
	done = func() {
		for i := len(undo) - 1; i >= 0; i-- {
			undo[i]()
		}
	}
	wait := func(slots chan struct{}) bool {
		select {
		case slots <- struct{}{}:
		default:
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				return false
			case <-timer.C:
				return false
			}
		}
		undo = append(undo, func() { <-slots })
		return true
	}
	ok = true
	for _, key := range keys {
		most := mostOfOne
		if key.ip == (netip.Prefix{}) {
			most = mostOfToken
		}
		one := l.lanes.enter(key, most)
		undo = append(undo, func() { l.lanes.leave(key) })
		if ok = wait(one.slots); !ok {
			break
		}
	}
	if ok = ok && wait(l.slots); !ok {
		done()
	}
	return done, ok
}
