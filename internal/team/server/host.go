package server

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"

	"cairn/internal/team/wire"
)

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
			known := false
			for _, name := range names {
				known = known || strings.EqualFold(name, host)
			}
			if !known {
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
