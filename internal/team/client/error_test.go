package client

import (
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
)

// Each error that a person can do something about says what.
func TestHints(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	_, refused := net.Dial("tcp", address)
	var op *net.OpError
	if !errors.As(refused, &op) {
		t.Fatal(refused)
	}
	far := &net.OpError{Op: "dial", Addr: &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1)}, Err: op.Err}
	unix := &net.OpError{Op: "dial", Addr: &net.UnixAddr{Name: "/x"}, Err: op.Err}
	cut := &net.OpError{Op: "read", Addr: op.Addr, Err: op.Err}
	for want, list := range map[string][]*Error{
		"cairn up starts it again": {networkError("http://"+address, refused)},
		"cairn sync test tells":    {networkError("http://192.0.2.1", far), networkError("http://x", unix), networkError("http://"+address, cut), {Kind: ErrNetwork}},
		"cairn team quota shows":   {{Kind: ErrBusy, Status: http.StatusInsufficientStorage}},
		"try again later":          {{Kind: ErrBusy, Status: http.StatusServiceUnavailable}},
		"run cairn sync setup":     {{Kind: ErrSignIn}},
		"authenticator app":        {{Kind: ErrFactor}},
		"cairn team members":       {{Kind: ErrDenied}},
	} {
		for _, e := range list {
			if got := e.Hint(); !strings.Contains(got, want) {
				t.Errorf("%v: %q, want %q", e, got, want)
			}
		}
	}
	if got := (&Error{Kind: ErrRefused}).Hint(); got != "" {
		t.Errorf("what is refused for good: %q", got)
	}
}
