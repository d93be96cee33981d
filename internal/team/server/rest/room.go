package rest

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db/rows"
	"cairn/internal/team/postgrest"
)

const (
	roomy  = 3 * rows.Most   // bytes of all large answers that are made or sent
	mostOf = 2 * rows.Most   // of those of one user
	queue  = 5 * time.Second // is how long a request waits for its place
)

// A room is the memory for answers that are not small. A request has a place in it
// from before its rows are read until its last byte is sent, so as many of them as
// one likes need no more memory than this, and who does not read what was asked
// for keeps nobody else waiting but oneself.
type room struct {
	mu    sync.Mutex
	taken int
	of    map[uuid.UUID]int
	freed chan struct{} // closed when there is more
}

func newRoom() *room { return &room{of: map[uuid.UUID]int{}, freed: make(chan struct{})} }

// A place is a part of the room.
type place struct {
	room *room
	who  uuid.UUID
	size int
}

// enter waits for a place.
func (r *room) enter(ctx context.Context, who uuid.UUID, size int) (*place, error) {
	late := time.NewTimer(queue)
	defer late.Stop()
	for {
		r.mu.Lock()
		if r.taken+size <= roomy && (r.of[who] == 0 || r.of[who]+size <= mostOf) {
			r.taken += size
			r.of[who] += size
			r.mu.Unlock()
			return &place{r, who, size}, nil
		}
		freed := r.freed
		r.mu.Unlock()
		select {
		case <-freed:
		case <-late.C:
			return nil, postgrest.Busy()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// shrink gives back what a place has over a size.
func (p *place) shrink(size int) {
	p.room.mu.Lock()
	defer p.room.mu.Unlock()
	p.room.taken -= p.size - size
	if p.room.of[p.who] -= p.size - size; p.room.of[p.who] == 0 {
		delete(p.room.of, p.who)
	}
	p.size = size
	close(p.room.freed)
	p.room.freed = make(chan struct{})
}

// leave gives a place back.
func (p *place) leave() { p.shrink(0) }
