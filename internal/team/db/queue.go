package db

import (
	"context"
	"database/sql"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// A Load says for whom an update of SQLite's one writer is, and how much it
// writes, so that nobody's many rows hold up what others write.
type Load struct {
	Team uuid.UUID // whose turn it takes, zero for that of who asks
	Rows int       // about; 0 for few
	// Part: it is one part of many that come one after another. Between two parts
	// of anybody others write, and rows may wait for their run to come.
	Part bool
}

// An update waits for the writer.
type update struct {
	ctx  context.Context
	fn   func(*Tx) error
	err  chan error
	load Load
	turn uuid.UUID // teams take turns
}

// A queue holds the updates that wait. The server's own come first: sign-in,
// tokens, jobs. Those of teams come in turns, one of each, and parts only one
// at a time, after what else waits.
type queue struct {
	mu     sync.Mutex
	wake   chan struct{}
	closed bool
	first  []*update
	small  turns
	parts  turns
}

// turns are updates of several teams: the next one is of the team that has
// waited longest.
type turns struct {
	order []uuid.UUID
	of    map[uuid.UUID][]*update
}

func (t *turns) put(u *update) {
	if t.of == nil {
		t.of = map[uuid.UUID][]*update{}
	}
	if len(t.of[u.turn]) == 0 {
		t.order = append(t.order, u.turn)
	}
	t.of[u.turn] = append(t.of[u.turn], u)
}

func (t *turns) take() *update {
	if len(t.order) == 0 {
		return nil
	}
	team := t.order[0]
	t.order = t.order[1:]
	list := t.of[team]
	if len(list) == 1 {
		delete(t.of, team)
	} else {
		t.of[team] = list[1:]
		t.order = append(t.order, team)
	}
	return list[0]
}

func (t *turns) withdraw(u *update) bool {
	list := t.of[u.turn]
	i := slices.Index(list, u)
	if i < 0 {
		return false
	}
	if t.of[u.turn] = slices.Delete(slices.Clone(list), i, i+1); len(list) == 1 {
		delete(t.of, u.turn)
		t.order = slices.DeleteFunc(t.order, func(id uuid.UUID) bool { return id == u.turn })
	}
	return true
}

func newQueue() *queue { return &queue{wake: make(chan struct{}, 1)} }

func (q *queue) put(u *update, as Identity) {
	u.turn = u.load.Team
	for _, id := range [...]uuid.UUID{as.Team, as.User} {
		if u.turn == uuid.Nil {
			u.turn = id
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
		u.err <- sql.ErrConnDone
		return
	case u.load.Part:
		q.parts.put(u)
	case as.Role == Server && u.load.Team == uuid.Nil:
		q.first = append(q.first, u)
	default:
		q.small.put(u)
	}
	signal(q.wake)
}

// next takes the next update, nil where none waits. A part is taken only by who
// asks for one, or where nothing else waits.
func (q *queue) next(part bool) *update {
	q.mu.Lock()
	defer q.mu.Unlock()
	if part {
		return q.parts.take()
	}
	if len(q.first) > 0 {
		u := q.first[0]
		q.first = q.first[1:]
		return u
	}
	return q.small.take()
}

// withdraw takes back what the writer has not begun.
func (q *queue) withdraw(u *update) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := slices.Index(q.first, u); i >= 0 {
		q.first = slices.Delete(slices.Clone(q.first), i, i+1)
		return true
	}
	return q.small.withdraw(u) || q.parts.withdraw(u)
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	signal(q.wake)
}

// wait returns once something waits; false when the queue is closed and empty.
func (q *queue) wait() bool {
	for {
		q.mu.Lock()
		some := len(q.first)+len(q.small.order)+len(q.parts.order) > 0
		closed := q.closed
		q.mu.Unlock()
		if some || closed {
			return some
		}
		<-q.wake
	}
}

// A batch is what one transaction of the writer may still take.
type batch struct {
	updates, rows int
	until         time.Time
}

func newBatch(long time.Duration) *batch {
	return &batch{updates: mostTogether, rows: mostRows, until: time.Now().Add(long)}
}

// takes counts an update and says whether another one may follow.
func (b *batch) takes(u *update) bool {
	b.updates--
	b.rows -= u.load.Rows
	return b.updates > 0 && b.rows > 0 && time.Now().Before(b.until)
}
