package client

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// Ports are where a browser may come back to, tried in this order. They are
// few and fixed so that an admin can name them.
func Ports() []int { return []int{7374, 7375, 7376} }

// A Callback waits on this machine, and for this machine only, for the browser
// to come back with a code, once.
type Callback struct {
	state  string
	listen net.Listener
	server *http.Server
	came   chan arrival
	over   atomic.Bool // it came
}

type arrival struct {
	code string
	err  error
}

// NewCallback listens on the first port that is free.
func NewCallback(ports []int) (*Callback, error) {
	var listen net.Listener
	var err error
	for _, port := range ports {
		if listen, err = net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("no port is free for the browser to come back to, of %v: %w", ports, err)
	}
	cb := &Callback{state: rand.Text(), listen: listen, came: make(chan arrival, 1)}
	cb.server = &http.Server{Handler: http.HandlerFunc(cb.answer), ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 16 << 10}
	go func() { _ = cb.server.Serve(listen) }()
	return cb, nil
}

// URL is where the server is to send the browser.
func (cb *Callback) URL() string {
	return "http://" + cb.listen.Addr().String() + "/callback?state=" + cb.state
}

// Wait returns the code that the browser brought.
func (cb *Callback) Wait(ctx context.Context) (string, error) {
	select {
	case a := <-cb.came:
		return a.code, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// Close ends it, when what it answers is written.
func (cb *Callback) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = cb.server.Shutdown(ctx)
}

// answer takes one GET /callback with our state. Other pages can send a browser
// here, too; without the state theirs change nothing.
func (cb *Callback) answer(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	q := r.URL.Query()
	switch {
	case r.Method != http.MethodGet || r.URL.Path != "/callback":
		http.Error(w, "nothing is here", http.StatusNotFound)
		return
	case r.Host != cb.listen.Addr().String() || subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(cb.state)) != 1:
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, "<!doctype html><title>cairn</title><p>This is not the sign-in that cairn waits for.")
		return
	}
	code, err := Pasted("http://" + r.Host + r.URL.RequestURI())
	if cb.over.Swap(true) {
		w.WriteHeader(http.StatusGone)
		fmt.Fprint(w, "<!doctype html><title>cairn</title><p>This sign-in is over.")
		return
	}
	cb.came <- arrival{code, err}
	if err != nil {
		fmt.Fprint(w, "<!doctype html><title>cairn</title><h1>Not signed in</h1><p>The terminal says why. You can close this page.")
		return
	}
	fmt.Fprint(w, "<!doctype html><title>cairn</title><h1>Signed in</h1><p>You can close this page and go back to the terminal.")
}
