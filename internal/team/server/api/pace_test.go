package api

import (
	"net/netip"
	"testing"
)

func TestPacesAreBounded(t *testing.T) {
	var p Paces[int]
	p.Of(-1, 1, 1).Allow()
	for i := range 3 * most {
		p.Of(i, 1, 1)
		if i%1000 == 0 && p.Of(-1, 1, 1).Allow() {
			t.Fatalf("who keeps asking is forgotten after %d others", i)
		}
	}
	if n := len(p.young) + len(p.old); n > 2*most {
		t.Errorf("%d limiters are kept", n)
	}
}

func TestNetwork(t *testing.T) {
	for ip, want := range map[string]string{"2001:db8:1:2:3::4": "2001:db8:1:2::/64", "10.1.2.3": "10.1.2.3/32"} {
		if got := Network(netip.MustParseAddr(ip)).String(); got != want {
			t.Errorf("%s: %s, want %s", ip, got, want)
		}
	}
}
