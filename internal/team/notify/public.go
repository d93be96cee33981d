package notify

import (
	"errors"
	"net"
	"net/netip"
	"syscall"
)

// ErrPrivate says that a name leads to an address that is not of the internet.
var ErrPrivate = errors.New("its address is private: cairn serve --allow-private-webhooks lets messages go there")

// Networks that only machines nearby are in, beside those that netip knows of.
// Source: the IANA registries of special-purpose addresses for IPv4 and IPv6.
var nearby = [...]string{
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16", "fec0::/10",
}

// Ways in which an IPv6 address has an IPv4 one in it, and where: NAT64, 6to4.
var within = [...]struct {
	prefix string
	at     int
}{{"64:ff9b::/96", 12}, {"2002::/16", 2}, {"::/96", 12}}

// Public says whether an address is one of the internet: not this machine, not
// its network, not a cloud's metadata, in whatever way it is written.
func Public(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	if !ip.IsValid() || !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() {
		return false
	}
	for _, n := range nearby {
		if netip.MustParsePrefix(n).Contains(ip) {
			return false
		}
	}
	for _, w := range within {
		if ip.Is6() && netip.MustParsePrefix(w.prefix).Contains(ip) {
			b := ip.As16()
			return Public(netip.AddrFrom4([4]byte(b[w.at : w.at+4])))
		}
	}
	return true
}

// onlyPublic is [net.Dialer.Control]: it sees the address that a connection is
// about to be made to, after the name was looked up, so that a name that changes
// its mind is of no use.
func onlyPublic(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || !Public(ip) {
		return ErrPrivate
	}
	return nil
}
