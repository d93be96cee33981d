package server

import (
	"cairn/internal/team/server/api"
	"container/list"
	"net"
	"net/netip"
	"sync"
)

// mostConns is how many connections there may be at a time, and connsOfOne how
// many of one address. An office of a thousand people behind one address fits:
// a browser has six connections at most, with TLS one. A proxy that is trusted
// and this machine have no bound of their own.
const (
	mostConns  = 8192
	connsOfOne = 1024
)

// sendBuffer is how much of an answer the kernel keeps for a connection. It
// would take megabytes, and then nobody could say whether they are read.
const sendBuffer = 256 << 10

// conns bounds open connections. When there are too many, the address that has
// most loses its oldest to one that has less than half as many.
type conns struct {
	net.Listener
	server *Server
	most   int
	ofOne  int
	mu     sync.Mutex
	open   int
	of     map[netip.Prefix]*list.List // of *conn, the oldest first
}

type conn struct {
	net.Conn
	all   *conns
	ip    netip.Prefix
	free  bool // of a bound of its own
	place *list.Element
}

func (s *Server) bound(l net.Listener) *conns {
	return &conns{Listener: l, server: s, most: min(mostConns, mostFiles()/2), ofOne: connsOfOne, of: map[netip.Prefix]*list.List{}}
}

// Accept closes connections that are too many and returns the next one that is not.
func (a *conns) Accept() (net.Conn, error) {
	for {
		c, err := a.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.SetWriteBuffer(sendBuffer)
		}
		var ip netip.Addr
		if peer, err := netip.ParseAddrPort(c.RemoteAddr().String()); err == nil {
			ip = peer.Addr().Unmap()
		}
		mine := &conn{Conn: c, all: a, ip: api.Network(ip), free: ip.IsLoopback() || a.server.trusted(ip)}
		victim, ok := a.enter(mine)
		if victim != nil {
			a.server.metrics.refused("connections")
			_ = victim.Close()
		}
		if ok {
			return mine, nil
		}
		a.server.metrics.refused("connections")
		_ = c.Close()
	}
}

func (a *conns) enter(c *conn) (victim *conn, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	own := a.of[c.ip]
	if own == nil {
		own = list.New()
	}
	if !c.free && own.Len() >= a.ofOne {
		return nil, false
	}
	if a.open >= a.most {
		most := 2 * (own.Len() + 1)
		for _, l := range a.of {
			if oldest := l.Front().Value.(*conn); l.Len() > most && !oldest.free {
				most, victim = l.Len(), oldest
			}
		}
		if victim == nil {
			return nil, false
		}
		a.leave(victim)
	}
	a.of[c.ip] = own
	c.place = own.PushBack(c)
	a.open++
	return victim, true
}

func (a *conns) leave(c *conn) {
	if c.place == nil {
		return
	}
	own := a.of[c.ip]
	own.Remove(c.place)
	c.place = nil
	a.open--
	if own.Len() == 0 {
		delete(a.of, c.ip)
	}
}

func (c *conn) Close() error {
	c.all.mu.Lock()
	c.all.leave(c)
	c.all.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite lets http.Server end a connection so that its last answer arrives.
func (c *conn) CloseWrite() error {
	if tcp, ok := c.Conn.(*net.TCPConn); ok {
		return tcp.CloseWrite()
	}
	return nil
}

// total is how many are open, and from how many addresses.
func (a *conns) total() (open, addresses int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return int64(a.open), int64(len(a.of))
}
