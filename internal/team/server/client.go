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
	local bool // from this machine, and nothing says that it was passed on
}

// clientOf believes X-Forwarded-For and -Proto only from proxies that the
// admin named, and then the last address that is no such proxy.
func (s *Server) clientOf(r *http.Request) client {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return client{}
	}
	c := client{ip: peer.Addr().Unmap()}
	hops := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	if !s.trusted(c.ip) {
		c.local = c.ip.IsLoopback() && hops == "" && r.Header.Get("Forwarded") == ""
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
