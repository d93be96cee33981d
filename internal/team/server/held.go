package server

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// Bytes that requests may make the server keep at once: bodies that arrive or
// are worked on, answers that are not read yet, and heldEach for every request.
// The last eighth is for requests of at most smallHold, so that nobody waits
// behind large ones to sign in.
const (
	heldBytes = 128 << 20
	smallHold = 64 << 10
	heldEach  = 16 << 10 // a connection's buffers and a goroutine's stack
)

// A client that moves fewer bytes a second than this is slow, and so is one that
// moves none for slowAfter: if memory is short, its request is the first to be
// cut off.
const (
	slowRate  = 256 << 10
	slowAfter = 500 * time.Millisecond
)

// errNoMemory says that a request got no memory in time; errCut, that another
// client got what a slow one had.
var (
	errNoMemory = errors.New("too many bytes are held already")
	errCut      = errors.New("cut off: memory was short and the client slow")
)

// held bounds the memory that clients take, and divides it fairly: when it runs
// out, the address that has most loses a request for whose client the server
// waits, a slow one to an address that has less than half as much, any to one
// that has less than a quarter. So senders and readers cost only each other.
type held struct {
	mu    sync.Mutex
	most  int64
	bytes int64
	of    map[netip.Prefix]*share
	freed chan struct{} // closed when bytes are given back
	// When somebody last searched for a victim, and how much the largest address
	// had with one, so that many who wait do not search all the time.
	searched time.Time
	largest  [2]int64 // with a slow request, with one that waits for its client
}

type share struct {
	bytes int64
	holds map[*hold]struct{}
}

// A hold is what one request takes of it.
type hold struct {
	all   *held
	ip    netip.Prefix
	bytes int64        // guarded by all.mu
	since time.Time    // when the server began to wait for the client, zero while it does not; guarded by all.mu
	stop  func()       // ends the waiting; guarded by all.mu
	moved atomic.Int64 // bytes that the client sent or read since
	last  atomic.Int64 // when it did so last, in nanoseconds
	cut   atomic.Bool
}

func newHeld(most int64) *held {
	return &held{most: most, of: map[netip.Prefix]*share{}, freed: make(chan struct{})}
}

// take begins a hold of n bytes.
func (a *held) take(ctx context.Context, ip netip.Prefix, n int64, patience time.Duration) (*hold, error) {
	h := &hold{all: a, ip: ip}
	return h, h.grow(ctx, n, patience)
}

// grow takes n bytes more and waits for them for so long. Who does not wait
// takes also from those that are not slow.
func (h *hold) grow(ctx context.Context, n int64, patience time.Duration) error {
	freed, ok := h.try(n, patience == 0)
	if ok {
		return nil
	}
	if patience == 0 {
		return errNoMemory
	}
	began, timer := time.Now(), time.NewTimer(patience)
	defer timer.Stop()
	again := time.NewTicker(slowAfter / 10) // who was not slow yet may be now
	defer again.Stop()
	for {
		select {
		case <-freed:
		case <-again.C:
		case <-timer.C:
			return errNoMemory
		case <-ctx.Done():
			return ctx.Err()
		}
		if freed, ok = h.try(n, time.Since(began) > slowAfter); ok {
			return nil
		}
	}
}

func (h *hold) try(n int64, hard bool) (freed <-chan struct{}, ok bool) {
	a := h.all
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.of[h.ip]
	if s == nil {
		s = &share{holds: map[*hold]struct{}{}}
	}
	most := a.most
	if h.bytes+n > smallHold {
		most -= a.most / 8
	}
	for now := time.Now(); a.bytes+n > most; {
		victim := a.victim(s.bytes+n, hard, now)
		if victim == nil {
			return a.freed, false
		}
		victim.cut.Store(true)
		victim.stop()
		a.give(victim, victim.bytes)
	}
	a.of[h.ip] = s
	s.holds[h] = struct{}{}
	s.bytes += n
	h.bytes += n
	a.bytes += n
	return nil, true
}

// victim is a request that is to make room for an address which will then have
// so many bytes: the largest slow one, or any, of the address that has most.
func (a *held) victim(mine int64, hard bool, now time.Time) *hold {
	if now.Sub(a.searched) < slowAfter/20 && a.largest[0] <= 2*mine && (!hard || a.largest[1] <= 4*mine) {
		return nil
	}
	var found [2]*hold
	a.searched, a.largest = now, [2]int64{}
	for _, s := range a.of {
		for h := range s.holds {
			for i, fits := range [...]bool{h.slow(now), !h.since.IsZero() && h.bytes > heldEach} {
				if fits && (s.bytes > a.largest[i] || s.bytes == a.largest[i] && h.bytes > found[i].bytes) {
					found[i], a.largest[i] = h, s.bytes
				}
			}
		}
	}
	switch {
	case a.largest[0] > 2*mine:
		return found[0]
	case hard && a.largest[1] > 4*mine:
		return found[1]
	}
	return nil
}

func (h *hold) slow(now time.Time) bool {
	if h.since.IsZero() || h.bytes == 0 {
		return false
	}
	late := now.Sub(h.since) - slowAfter
	still := now.Sub(time.Unix(0, h.last.Load()))
	return late > 0 && (still > slowAfter || h.moved.Load() < int64(late.Seconds()*slowRate))
}

// progress notes how many bytes the client has moved since the server waits for it.
func (h *hold) progress(moved int64) {
	h.moved.Store(moved)
	h.last.Store(time.Now().UnixNano())
}

// give returns bytes of a hold. The lock is held.
func (a *held) give(h *hold, n int64) {
	s := a.of[h.ip]
	if s == nil {
		return
	}
	h.bytes -= n
	s.bytes -= n
	a.bytes -= n
	if h.bytes == 0 {
		delete(s.holds, h)
		if len(s.holds) == 0 {
			delete(a.of, h.ip)
		}
	}
	close(a.freed)
	a.freed = make(chan struct{})
}

// shrink gives back what is more than n bytes.
func (h *hold) shrink(n int64) {
	h.all.mu.Lock()
	defer h.all.mu.Unlock()
	if h.bytes > n {
		h.all.give(h, h.bytes-n)
	}
}

// waits notes that from now on the server waits for the client; stop must end
// that at once. nil: it waits no more.
func (h *hold) waits(stop func()) {
	h.all.mu.Lock()
	defer h.all.mu.Unlock()
	h.since, h.stop = time.Time{}, stop
	if stop != nil {
		h.since = time.Now()
		h.progress(0)
	}
}

// total is how many bytes are held, and by how many addresses.
func (a *held) total() (bytes, addresses int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.bytes, int64(len(a.of))
}
