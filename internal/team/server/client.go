package server

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"

	"cairn/internal/team/wire"
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
	return slices.ContainsFunc(s.config.Proxies, func(p netip.Prefix) bool { return p.Contains(ip) })
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

// rightHost refuses requests of this machine whose Host is none of the server's
// names. A page of a stranger can have its own name lead here and then ask as if
// it were ours (DNS rebinding); the browser says by which name it came. Probes of
// health use any name.
func (s *Server) rightHost(next http.Handler) http.Handler {
	own, _ := os.Hostname()
	listen, _, _ := net.SplitHostPort(s.config.listen())
	site, _ := url.Parse(s.url)
	names := []string{own, listen, s.config.TLS.Host, site.Hostname()}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostname(r.Host)
		if of(r).from.loopback && !safeHost(host) && r.URL.Path != wire.Healthy && r.URL.Path != wire.Ready {
			if !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, host) }) {
				of(r).reason = "host"
				refuse(w, r, refusal{status: http.StatusMisdirectedRequest, code: "misdirected_request",
					message: "this server does not know itself as " + short(host, 100) + "; cairn serve --url https://NAME gives it its name"})
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.TrimSuffix(strings.Trim(host, "[]"), ".")
}

// safeHost says whether nobody can have a host lead elsewhere: an address, or
// the name that every machine has for itself. "" is of a client that is no browser.
func safeHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	name := strings.ToLower(host)
	return name == "" || name == "localhost" || strings.HasSuffix(name, ".localhost")
}

// fronted says whether a proxy is likely before the server: what comes from this
// machine is then not this machine's, even where the proxy does not say so.
func (c Config) fronted() bool {
	site, err := url.Parse(c.URL)
	named := err == nil && c.URL != "" && !loopbackHost(site.Hostname()) && c.TLS == (TLS{Dir: c.TLS.Dir})
	return c.Insecure || len(c.Proxies) > 0 || named
}
