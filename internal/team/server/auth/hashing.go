package auth

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"
)

// mostHashing is how many requests wait to hash a password: each has one of the
// server's slots, and strangers must not get all of them.
const mostHashing = 64

// hashing lets no more passwords be hashed at once than there are processors.
// Addresses take turns. When too many wait, the one that has most of them loses
// its newest to one that has fewer.
type hashing struct {
	mu      sync.Mutex
	free    int
	total   int
	waiting map[string][]chan error
	turns   []string // addresses that wait, the next one first
}

func newHashing(atOnce int) *hashing {
	return &hashing{free: atOnce, waiting: map[string][]chan error{}}
}

var errHashing = failure{status: http.StatusServiceUnavailable, code: "over_capacity", message: "Too many passwords are checked at the moment: try again", retry: 2 * time.Second}

// hashed runs what hashes a password when it is its address's turn.
func (s *server) hashed(r *http.Request, fn func() error) error {
	if err := s.hashing.enter(r.Context(), s.network(r)); err != nil {
		return err
	}
	defer s.hashing.leave()
	return fn()
}

// enter waits for a turn; leave must follow, unless it is an error.
func (h *hashing) enter(ctx context.Context, from string) error {
	h.mu.Lock()
	if h.free > 0 {
		h.free--
		h.mu.Unlock()
		return nil
	}
	if h.total >= mostHashing && !h.makeRoom(from) {
		h.mu.Unlock()
		return errHashing
	}
	mine := make(chan error, 1)
	if len(h.waiting[from]) == 0 {
		h.turns = append(h.turns, from)
	}
	h.waiting[from] = append(h.waiting[from], mine)
	h.total++
	h.mu.Unlock()
	select {
	case err := <-mine:
		return err
	case <-ctx.Done():
	}
	h.mu.Lock()
	i := slices.Index(h.waiting[from], mine)
	if i >= 0 {
		h.remove(from, i)
	}
	h.mu.Unlock()
	if i < 0 && <-mine == nil { // its turn came in this moment
		h.leave()
	}
	return ctx.Err()
}

// makeRoom ends the newest wait of the address that has most, if that is more
// than another one would have with one more.
func (h *hashing) makeRoom(from string) bool {
	most := from
	for _, one := range h.turns {
		if len(h.waiting[one]) > len(h.waiting[most]) {
			most = one
		}
	}
	last := len(h.waiting[most]) - 1
	if last <= len(h.waiting[from]) {
		return false
	}
	h.waiting[most][last] <- errHashing
	h.remove(most, last)
	return true
}

// remove takes a wait out.
func (h *hashing) remove(from string, i int) {
	h.total--
	if h.waiting[from] = slices.Delete(h.waiting[from], i, i+1); len(h.waiting[from]) == 0 {
		delete(h.waiting, from)
		h.turns = slices.DeleteFunc(h.turns, func(one string) bool { return one == from })
	}
}

// leave gives the turn to the oldest wait of the next address.
func (h *hashing) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.total == 0 {
		h.free++
		return
	}
	from := h.turns[0]
	h.waiting[from][0] <- nil
	h.remove(from, 0)
	if len(h.waiting[from]) > 0 {
		h.turns = append(h.turns[1:], from)
	}
}
