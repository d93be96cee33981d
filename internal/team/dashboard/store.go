package dashboard

import (
	"container/list"
	"sync"
)

// mostKept bounds the bytes of kept answers, mostKnown about those of figures.
const (
	mostKept  = 24 << 20
	mostKnown = 48 << 20
)

// A store keeps what was used last.
type store[V any] struct {
	mu    sync.Mutex
	at    map[string]*list.Element
	order list.List // of *kept[V], the last used first
	bytes int
	most  int
}

type kept[V any] struct {
	key  string
	size int
	v    V
}

func newStore[V any](most int) *store[V] {
	return &store[V]{at: map[string]*list.Element{}, most: most}
}

func (s *store[V]) get(key string) (v V, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.at[key]
	if e == nil {
		return v, false
	}
	s.order.MoveToFront(e)
	return e.Value.(*kept[V]).v, true
}

func (s *store[V]) put(key string, v V, size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at[key] != nil {
		return
	}
	size += len(key)
	s.at[key] = s.order.PushFront(&kept[V]{key, size, v})
	for s.bytes += size; s.bytes > s.most; {
		old := s.order.Remove(s.order.Back()).(*kept[V])
		delete(s.at, old.key)
		s.bytes -= old.size
	}
}
