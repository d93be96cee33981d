package server

import (
	"cairn/internal/team/server/api"
	"context"
	"fmt"
	"net"
	"net/netip"
	"testing"
	"time"
)

func network10(i int) netip.Prefix {
	return netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 32)
}

// waiting takes bytes for a request that waits for its client since so long.
func waiting(t *testing.T, a *held, i int, n int64, since time.Duration) *hold {
	t.Helper()
	h, err := a.take(context.Background(), network10(i), n, 0)
	if err != nil {
		t.Fatal(err)
	}
	h.waits(func() {})
	h.since = h.since.Add(-since)
	h.last.Store(h.since.UnixNano())
	return h
}

func TestHeldIsShared(t *testing.T) {
	const most = 8 << 20
	a := newHeld(most)
	var slow []*hold
	for range 7 {
		slow = append(slow, waiting(t, a, 1, 1<<20, time.Minute))
	}
	if _, err := a.take(t.Context(), network10(1), 1<<20, 0); err != errNoMemory {
		t.Errorf("an address takes from itself: %v", err)
	}
	mine, err := a.take(t.Context(), network10(2), 1<<20, 0)
	if err != nil {
		t.Fatalf("another: %v", err)
	}
	cut := 0
	for _, h := range slow {
		if h.cut.Load() {
			cut++
		}
	}
	if bytes, addresses := a.total(); cut != 1 || bytes != 7<<20 || addresses != 2 {
		t.Errorf("%d were cut off, %d bytes of %d addresses are held", cut, bytes, addresses)
	}
	if err := mine.grow(t.Context(), 3<<20, 0); err != errNoMemory {
		t.Errorf("more than half of what the other has: %v", err)
	}
	if _, err := a.take(t.Context(), network10(3), smallHold, 0); err != nil {
		t.Errorf("the last eighth is for small ones: %v", err)
	}
	for _, h := range slow {
		h.shrink(0)
		h.shrink(0)
	}
	if bytes, _ := a.total(); bytes != 1<<20+smallHold {
		t.Errorf("%d bytes are held in the end", bytes)
	}
}

// TestHeldSparesTheQuick: who is quick or is worked on gives way last, or not at all.
func TestHeldSparesTheQuick(t *testing.T) {
	a := newHeld(8 << 20)
	working, err := a.take(t.Context(), network10(1), 5<<20, 0)
	if err != nil {
		t.Fatal(err)
	}
	quick := waiting(t, a, 2, 2<<20, 0)
	if _, err := a.take(t.Context(), network10(3), 800<<10, 0); err != errNoMemory || quick.cut.Load() || working.cut.Load() {
		t.Errorf("%v; cut off: the quick one %v, the one worked on %v", err, quick.cut.Load(), working.cut.Load())
	}
	if _, err := a.take(t.Context(), network10(3), 400<<10, 0); err != nil || !quick.cut.Load() || working.cut.Load() {
		t.Errorf("less than a quarter: %v; cut off: the quick one %v, the one worked on %v", err, quick.cut.Load(), working.cut.Load())
	}
}

func TestHeldWaits(t *testing.T) {
	a := newHeld(8 << 20)
	h, err := a.take(t.Context(), network10(1), 7<<20, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan error, 1)
	go func() {
		_, err := a.take(context.Background(), network10(2), 1<<20, time.Minute)
		got <- err
	}()
	h.shrink(0)
	if err := <-got; err != nil {
		t.Errorf("when bytes are given back: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.take(ctx, network10(1), 7<<20, time.Minute); err != context.Canceled {
		t.Errorf("a client that went away waits: %v", err)
	}
}

type pipe struct {
	net.Conn
	closed bool
}

func (p *pipe) Close() error { p.closed = true; return p.Conn.Close() }

func TestConnections(t *testing.T) {
	s := &Server{metrics: newMetrics(), config: Config{Proxies: []netip.Prefix{netip.MustParsePrefix("10.9.0.0/16")}}}
	a := s.bound(nil)
	a.most, a.ofOne = 40, 10
	enter := func(ip string) *conn {
		one, _ := net.Pipe()
		addr := netip.MustParseAddr(ip)
		c := &conn{Conn: &pipe{Conn: one}, all: a, ip: api.Network(addr), free: addr.IsLoopback() || s.trusted(addr)}
		victim, ok := a.enter(c)
		if victim != nil {
			victim.Close()
		}
		if !ok {
			return nil
		}
		return c
	}
	var first *conn
	for i := range 10 {
		c := enter("203.0.113.1")
		if c == nil {
			t.Fatalf("the %d. connection of an address is refused", i+1)
		}
		if i == 0 {
			first = c
		}
	}
	if enter("203.0.113.1") != nil {
		t.Error("one address has more than its part")
	}
	for range 20 {
		if enter("10.9.1.1") == nil {
			t.Fatal("a trusted proxy has a bound of its own")
		}
	}
	for i := range 10 {
		if enter(fmt.Sprintf("198.51.100.%d", i)) == nil {
			t.Fatal("there is room")
		}
	}
	c := enter("192.0.2.1")
	if c == nil || !first.Conn.(*pipe).closed {
		t.Fatal("the address with most connections does not give way")
	}
	c.Close()
	c.Close()
	if open, _ := a.total(); open != 39 {
		t.Errorf("%d are open, want 39", open)
	}
}
