// Package loopback serves pages on this machine to whoever knows their address:
// it listens on 127.0.0.1 alone, the address holds a secret, and pages of other
// names and sites are refused.
//
// The live page of a run (watch) and the pages of stored runs (evalview) stand
// behind it. What a page shows is not known here.
package loopback

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"cairn/internal/team/page"
)

// A Door is a listener and the secret that leads inside.
type Door struct {
	ln     net.Listener
	token  string
	ticket tickets
	what   string // the command that prints the address
}

// Listen listens on a port, 0 for one that is free. The token is the secret of the
// address; "" makes one. what is the command that prints the address: a wrong address
// is answered with it.
func Listen(port int, token, what string) (*Door, error) {
	ln, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("cannot listen on port %d of 127.0.0.1: %w", port, err)
	}
	if token == "" {
		token = rand.Text()
	}
	return &Door{ln: ln, token: token, what: what}, nil
}

// Port is where it listens.
func (d *Door) Port() int { return d.ln.Addr().(*net.TCPAddr).Port }

// Token is the secret of the address.
func (d *Door) Token() string { return d.token }

// URL is the address of the first page. Whoever knows it may look.
func (d *Door) URL() string { return Address(d.Port(), d.token) }

// Address is the first page's at a port with a token.
func Address(port int, token string) string {
	return "http://127.0.0.1:" + strconv.Itoa(port) + "/" + token + "/"
}

// OpenURL is an address that leads inside once, within a minute. Every user of the
// machine can see a browser's command line, so the secret itself must not be in it.
func (d *Door) OpenURL() string {
	return "http://127.0.0.1:" + strconv.Itoa(d.Port()) + "/open/" + d.ticket.issue(time.Now())
}

// Close closes a door that was not served.
func (d *Door) Close() error { return d.ln.Close() }

// Inside returns what a request asks for behind the token, such as "" for the
// first page; ok is false where the request was answered already. It answers only
// those who know the token, and only as this machine: a page of another name that
// leads here (DNS rebinding) is refused.
func (d *Door) Inside(w http.ResponseWriter, r *http.Request) (rest string, ok bool) {
	page.Headers(w.Header())
	if !local(r) {
		http.Error(w, "this page is for this machine only", http.StatusForbidden)
		return "", false
	}
	dir, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if dir == "open" && r.Method == http.MethodGet && d.ticket.use(rest, time.Now()) {
		w.Header().Set("Location", "/"+d.token+"/")
		w.WriteHeader(http.StatusSeeOther)
		return "", false
	}
	if subtle.ConstantTimeCompare([]byte(dir), []byte(d.token)) != 1 {
		http.Error(w, "no such page; "+d.what+" prints the address", http.StatusNotFound)
		return "", false
	}
	return rest, true
}

// local reports whether a browser on this machine asks for a page of ours, by
// name or by a forwarded port, and no other site made it ask.
func local(r *http.Request) bool {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return false
	}
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
		return false
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "" || site == "same-origin" || site == "none"
}

// Serve answers with a handler, which calls Inside first. stop gives open requests
// three seconds to end, and returns the server's error.
func (d *Door) Serve(handler http.Handler) (stop func() error) {
	var active conns
	srv := &http.Server{
		Handler: handler, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog: log.New(io.Discard, "", 0), ConnState: active.note,
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(d.ln) }()
	return func() error {
		_ = d.ln.Close()
		active.wait(3 * time.Second)
		_ = srv.Close()
		err := <-served
		if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
			err = nil
		}
		return err
	}
}

// conns are the connections that are being answered. A server that shuts down
// waits for those that never asked too, and browsers keep such in store.
type conns struct {
	mu     sync.Mutex
	active map[net.Conn]bool
}

func (c *conns) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.active == nil {
		c.active = map[net.Conn]bool{}
	}
	if state == http.StateActive {
		c.active[conn] = true
	} else {
		delete(c.active, conn)
	}
}

func (c *conns) wait(most time.Duration) {
	for end := time.Now().Add(most); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		c.mu.Lock()
		n := len(c.active)
		c.mu.Unlock()
		if n == 0 {
			return
		}
	}
}

// tickets lead inside once each.
type tickets struct {
	mu    sync.Mutex
	until map[string]time.Time
}

func (t *tickets) issue(now time.Time) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for ticket, end := range t.until {
		if now.After(end) {
			delete(t.until, ticket)
		}
	}
	if t.until == nil {
		t.until = map[string]time.Time{}
	}
	ticket := rand.Text()
	t.until[ticket] = now.Add(time.Minute)
	return ticket
}

func (t *tickets) use(ticket string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	end, ok := t.until[ticket]
	delete(t.until, ticket)
	return ok && now.Before(end)
}
