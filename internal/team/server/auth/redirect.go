package auth

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// An allowance is one address, or everything below one, that a sign-in may end at.
type allowance struct {
	scheme, host, path string
	below              bool
}

func parseAllowance(pattern string) (allowance, error) {
	base, below := strings.CutSuffix(pattern, "/**")
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" || strings.Contains(base, "*") {
		return allowance{}, fmt.Errorf("redirect address %q: https://HOST/PATH is wanted, with /** at the end for everything below", pattern)
	}
	return allowance{scheme: u.Scheme, host: strings.ToLower(u.Host), path: u.Path, below: below}, nil
}

// redirect returns where a sign-in is to end: what was asked for if it is
// allowed, else the server's own address.
func (s *server) redirect(asked string) *url.URL {
	if u, ok := s.mayRedirect(asked); ok {
		return u
	}
	u, _ := url.Parse(s.SiteURL) // New has looked at it
	return u
}

// mostRedirect is how long such an address may be: a stranger's is kept until
// the sign-in ends.
const mostRedirect = 2000

// mayRedirect says whether a sign-in may end at an address. What a browser
// might read in another way than we do is refused.
func (s *server) mayRedirect(asked string) (*url.URL, bool) {
	if len(asked) > mostRedirect {
		return nil, false
	}
	for _, c := range asked {
		if c <= ' ' || c == '\\' || c > '~' {
			return nil, false
		}
	}
	u, err := url.Parse(asked)
	if err != nil || u.Host == "" || u.User != nil || u.Opaque != "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, false
	}
	if u.Scheme == "http" && thisMachine(u.Hostname()) {
		return u, true
	}
	for _, a := range s.allowed {
		if u.Scheme != a.scheme || strings.ToLower(u.Host) != a.host {
			continue
		}
		if u.Path == a.path || a.below && strings.HasPrefix(u.Path, a.path+"/") && !strings.Contains(u.Path, "/..") {
			return u, true
		}
	}
	return nil, false
}

// thisMachine is the loopback of whoever's browser it is: RFC 8252, 7.3.
func thisMachine(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback() && ip.Zone() == ""
}
