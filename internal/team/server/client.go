package server

import (
	"net/http"
	"net/netip"
	"strings"
)

// A client is from where a request comes.
type client struct {
	ip    netip.Addr
	https bool // it came to the proxy by TLS
	// loopback: the connection is from this machine.
	loopback bool
	// local: so is the request; nothing says that it was passed on, or could have been.
	local bool
}

// clientOf believes X-Forwarded-For and -Proto only from proxies that the
// admin named, and then the last address that is no such proxy.
func (s *Server) clientOf(r *http.Request) client {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return client{}
	}
	c := client{ip: peer.Addr().Unmap()}
	c.loopback = c.ip.IsLoopback()
	hops := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	if !s.trusted(c.ip) {
		c.local = c.loopback && !s.config.fronted() && !passedOn(r)
		return c
	}
	c.https = strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
	for hops != "" && s.trusted(c.ip) {
		i := strings.LastIndexByte(hops, ',')
		ip, err := netip.ParseAddr(strings.TrimSpace(hops[i+1:]))
		if err != nil {
			break
		}
		c.ip, hops = ip.Unmap(), hops[:max(i, 0)]
	}
	return c
}

func (s *Server) trusted(ip netip.Addr) bool {
	for _, p := range s.config.Proxies {
		if p.Contains(ip) {
			return true
		}
	}
	return false
}

func forwardedTLS(r *http.Request) bool { return of(r).from.https }

// passedOn says whether a request shows that a proxy has passed it on: by a
// header, or by the version of HTTP that nginx speaks unless told otherwise.
func passedOn(r *http.Request) bool {
	for name := range r.Header {
		if strings.HasPrefix(name, "X-Forwarded-") {
			return true
		}
	}
	for _, name := range [...]string{"Forwarded", "Via", "X-Real-Ip", "True-Client-Ip", "Cf-Connecting-Ip"} {
		if r.Header.Get(name) != "" {
			return true
		}
	}
	return !r.ProtoAtLeast(1, 1)
}
