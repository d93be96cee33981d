package watch

import (
	"io"
	"net"
	"strconv"
	"sync"
	"testing"
)

// A tunnel passes connections on to a port, until it is cut.
type tunnel struct {
	port  int
	mu    sync.Mutex
	off   bool
	conns []net.Conn
}

func newTunnel(t *testing.T, to int) *tunnel {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	tun := &tunnel{port: ln.Addr().(*net.TCPAddr).Port}
	t.Cleanup(func() { ln.Close(); tun.cut(true) })
	go func() {
		for {
			in, err := ln.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", "127.0.0.1:"+strconv.Itoa(to))
			if err != nil || !tun.add(in, out) {
				in.Close()
				continue
			}
			go func() { _, _ = io.Copy(out, in); out.Close() }()
			go func() { _, _ = io.Copy(in, out); in.Close() }()
		}
	}()
	return tun
}

func (tun *tunnel) add(conns ...net.Conn) bool {
	tun.mu.Lock()
	defer tun.mu.Unlock()
	if tun.off {
		for _, c := range conns {
			c.Close()
		}
		return false
	}
	tun.conns = append(tun.conns, conns...)
	return true
}

func (tun *tunnel) cut(off bool) {
	tun.mu.Lock()
	defer tun.mu.Unlock()
	tun.off = off
	for _, c := range tun.conns {
		c.Close()
	}
	tun.conns = nil
}
