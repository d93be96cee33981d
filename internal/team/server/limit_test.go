package server

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"
)

// packed is n zero bytes, packed.
func packed(n int) []byte { return packedAt(gzip.DefaultCompression, n) }

func packedAt(level, n int) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, level)
	z.Write(make([]byte, n))
	z.Close()
	return b.Bytes()
}

func TestBodies(t *testing.T) {
	s, _ := made(t, Config{})
	const most = 1000
	for _, c := range []struct {
		name   string
		body   []byte
		coding string
		chunks bool
		status int // 200: the handler read all of it
		read   int
	}{
		{"as large as it may be", make([]byte, most), "", false, 200, most},
		{"too large, and says so", make([]byte, most+1), "", false, 413, 0},
		{"too large, and does not say so", make([]byte, most+1), "", true, 413, most},
		{"packed", packed(most), "gzip", false, 200, most},
		{"packed, one byte too much", packed(most + 1), "gzip", false, 413, most},
		{"a bomb", packed(900_000), "gzip", false, 413, most},
		{"packed by something else", []byte("x"), "br", false, 415, 0},
		{"not packed at all", []byte("plain"), "gzip", false, 400, 0},
	} {
		read := 0
		h := s.observe(s.limited(s.limits, route{body: most, pace: strict, handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			data, err := io.ReadAll(r.Body)
			read = len(data)
			var large *http.MaxBytesError
			if errors.As(err, &large) {
				w.WriteHeader(413)
			} else if err != nil {
				w.WriteHeader(400)
			}
		})}))
		r := httptest.NewRequest(http.MethodPost, "/rest/v1/x", bytes.NewReader(c.body))
		if c.chunks {
			r.ContentLength = -1
		}
		if c.coding != "" {
			r.Header.Set("Content-Encoding", c.coding)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if bytes, _ := s.limits.held.total(); bytes != 0 {
			t.Errorf("%s: %d bytes are held afterwards", c.name, bytes)
		}
		if w.Code != c.status || read != c.read {
			t.Errorf("%s: %d, %d bytes read; want %d, %d", c.name, w.Code, read, c.status, c.read)
		}
	}
}

func TestAnswersArePacked(t *testing.T) {
	s, _ := made(t, Config{})
	text := strings.Repeat("0123456789", 1000)
	l := newLimits()
	h := s.observe(s.limited(l, route{pattern: "/", body: 1, pace: easy, handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, text)
	})}))
	if w := get(h, "/", here); w.Body.String() != text {
		t.Error("unpacked for a client that does not ask for it")
	}
	w := get(h, "/", here, "Accept-Encoding", "gzip")
	z, err := gzip.NewReader(w.Body)
	if err != nil || w.Header().Get("Content-Encoding") != "gzip" {
		t.Fatal(err)
	}
	if data, _ := io.ReadAll(z); string(data) != text {
		t.Error("what was packed is not what was sent")
	}
}

func TestTooManyRequests(t *testing.T) {
	s, _ := made(t, Config{})
	l := newLimits()
	ok := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	h := s.observe(s.limited(l, route{handler: ok, body: 1, pace: strict}))
	n, w := 0, get(h, "/auth/v1/token", stranger)
	for ; w.Code == 200; w = get(h, "/auth/v1/token", stranger) {
		n++
	}
	if n < 300 || n > 400 {
		t.Errorf("%d sign-ins before the first 429", n)
	}
	if w.Code != 429 || w.Header().Get("Retry-After") != "1" || !strings.Contains(w.Body.String(), `"error_code":"over_request_rate_limit"`) {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	for _, other := range []string{"203.0.113.10:1", "[2001:db8::1]:1", here} {
		if w := get(h, "/auth/v1/token", other); w.Code != 200 {
			t.Errorf("%s pays for another: %d", other, w.Code)
		}
	}
}

func TestTooMuchAtOnce(t *testing.T) {
	s, _ := made(t, Config{})
	l := newLimits()
	l.queue = time.Millisecond
	for range mostAtOnce {
		l.slots <- struct{}{}
	}
	h := s.observe(s.limited(l, route{handler: http.NotFoundHandler(), body: 1, pace: easy}))
	w := get(h, "/rest/v1/teams", here)
	if w.Code != 503 || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), `"code":"over_capacity"`) {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	<-l.slots
	if w := get(h, "/rest/v1/teams", here); w.Code != 404 {
		t.Errorf("when one is done: %d", w.Code)
	}
}

// TestSlowOnes: a stranger whose requests do not end is in nobody's way but his own.
func TestSlowOnes(t *testing.T) {
	s, _ := made(t, Config{})
	l := newLimits()
	l.queue = time.Millisecond
	end, begun := make(chan struct{}), make(chan struct{}, mostAtOnce)
	h := s.observe(s.limited(l, route{body: 1, pace: easy, handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			begun <- struct{}{}
			<-end
		}
	})}))
	var work sync.WaitGroup
	answered := make(chan int, mostAtOnce+10)
	for range mostAtOnce + 10 {
		work.Go(func() { answered <- get(h, "/slow", stranger).Code })
	}
	for range mostAtOnce / 4 {
		<-begun
	}
	for range mostAtOnce + 10 - mostAtOnce/4 {
		select {
		case code := <-answered:
			if code != 503 {
				t.Errorf("one too many of the stranger: %d", code)
			}
		case <-begun:
			t.Fatal("one address has too many slots")
		}
	}
	for _, other := range []string{"203.0.113.10:1", "[2001:db8::1]:1", here} {
		if w := get(h, "/", other); w.Code != 200 {
			t.Errorf("%s waits for another: %d", other, w.Code)
		}
	}
	close(end)
	work.Wait()
	if w := get(h, "/", stranger); w.Code != 200 || len(l.lanes.of) != 0 || len(l.slots) != 0 {
		t.Errorf("afterwards: %d, %d lanes, %d slots", w.Code, len(l.lanes.of), len(l.slots))
	}
}

// TestTooLargeIsAnswered: a program that sends all before it reads gets its answer.
func TestTooLargeIsAnswered(t *testing.T) {
	s, _ := made(t, Config{})
	srv := httptest.NewServer(s.observe(s.limited(s.limits, route{body: 8 << 20, handler: http.NotFoundHandler(), pace: easy})))
	defer srv.Close()
	c, err := net.Dial("tcp", srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const size = 20 << 20
	fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", size)
	if _, err := c.Write(make([]byte, size)); err != nil {
		t.Fatalf("sending: %v", err)
	}
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 413 {
		t.Error(res.Status)
	}
}

func TestClientOf(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("127.0.0.0/8")}
	for _, c := range []struct {
		config    Config
		peer      string
		header    string // name: value
		ip        string
		https     bool
		local     bool
		http10    bool
		forwarded string // X-Forwarded-Proto
	}{
		{config: Config{Proxies: proxies}, peer: "203.0.113.9:1", header: "X-Forwarded-For: 198.51.100.7", forwarded: "https", ip: "203.0.113.9"}, // not believed
		{config: Config{Proxies: proxies}, peer: "10.1.2.3:1", header: "X-Forwarded-For: 198.51.100.7", forwarded: "https", ip: "198.51.100.7", https: true},
		{config: Config{Proxies: proxies}, peer: "10.1.2.3:1", header: "X-Forwarded-For: 1.1.1.1, 198.51.100.7, 10.9.9.9", ip: "198.51.100.7"}, // what is left of it is made up
		{config: Config{Proxies: proxies}, peer: "10.1.2.3:1", header: "X-Forwarded-For: rubbish", ip: "10.1.2.3"},
		{config: Config{Proxies: proxies}, peer: "10.1.2.3:1", ip: "10.1.2.3"},
		{config: Config{Proxies: proxies}, peer: "[::1]:1", ip: "::1"}, // could come by a proxy
		{peer: "[::1]:1", ip: "::1", local: true},
		{peer: "127.0.0.1:1", ip: "127.0.0.1", local: true},
		{peer: "203.0.113.9:1", ip: "203.0.113.9"},
		// Proxies on this machine that nobody named.
		{peer: "[::1]:1", header: "X-Forwarded-For: 198.51.100.7", ip: "::1"},
		{peer: "[::1]:1", header: "Forwarded: for=198.51.100.7", ip: "::1"},
		{peer: "[::1]:1", header: "X-Forwarded-Host: cairn.example.com", ip: "::1"},
		{peer: "[::1]:1", header: "X-Real-IP: 198.51.100.7", ip: "::1"},
		{peer: "[::1]:1", header: "Via: 1.1 proxy", ip: "::1"},
		{peer: "[::1]:1", ip: "::1", http10: true},
		{config: Config{URL: "https://cairn.example.com"}, peer: "[::1]:1", ip: "::1"},
		{config: Config{Insecure: true}, peer: "127.0.0.1:1", ip: "127.0.0.1"},
		{config: Config{URL: "http://127.0.0.1:7373"}, peer: "127.0.0.1:1", ip: "127.0.0.1", local: true},
		{config: Config{URL: "https://cairn.example.com", TLS: TLS{Cert: "c.pem", Key: "k.pem"}}, peer: "127.0.0.1:1", ip: "127.0.0.1", local: true},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = c.peer
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-Proto", c.forwarded)
		}
		if name, value, ok := strings.Cut(c.header, ": "); ok {
			r.Header.Set(name, value)
		}
		if c.http10 {
			r.ProtoMajor, r.ProtoMinor = 1, 0
		}
		got := (&Server{config: c.config}).clientOf(r)
		if got.ip != netip.MustParseAddr(c.ip) || got.https != c.https || got.local != c.local {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// TestHost: a page whose name leads here by a trick gets nothing.
func TestHost(t *testing.T) {
	lone, _ := made(t, Config{})
	named, _ := made(t, Config{URL: "https://cairn.example.com", MetricsToken: "figures"})
	for _, c := range []struct {
		server           *Server
		from, host, path string
		status           int
	}{
		{lone, here, "evil.example", "/cairn/v1/server", 421},
		{lone, here, "evil.example:7373", "/metrics", 421},
		{lone, here, "127.0.0.1.evil.example", "/metrics", 421},
		{lone, here, "localhost.evil.example", "/auth/v1/settings", 421},
		{lone, here, "evil.example", "/", 421},
		{lone, here, "evil.example", "/readyz", 200},
		{lone, here, "evil.example", "/healthz", 200},
		{lone, here, "localhost:7373", "/metrics", 200},
		{lone, here, "LOCALHOST.", "/metrics", 200},
		{lone, here, "[::1]:7373", "/metrics", 200},
		{lone, here, "127.0.0.1:80", "/cairn/v1/server", 200},
		{lone, here, "cairn.localhost", "/cairn/v1/server", 200},
		{lone, here, "192.168.1.7:7373", "/cairn/v1/server", 200},
		{named, here, "cairn.example.com", "/cairn/v1/server", 200},
		{named, here, "Cairn.Example.com:443", "/cairn/v1/server", 200},
		{named, here, "127.0.0.1:7373", "/cairn/v1/server", 200},
		{named, here, "evil.example", "/cairn/v1/server", 421},
		{named, here, "cairn.example.com", "/metrics", 403},
		{named, stranger, "cairn:7373", "/cairn/v1/server", 200}, // a proxy elsewhere that calls it so
		{named, stranger, "10.0.0.7", "/readyz", 200},
	} {
		r := httptest.NewRequest(http.MethodGet, c.path, nil)
		r.RemoteAddr, r.Host = c.from, c.host
		w := httptest.NewRecorder()
		c.server.Handler().ServeHTTP(w, r)
		if w.Code != c.status {
			t.Errorf("%s from %s at %q: %d %s, want %d", c.path, c.from, c.host, w.Code, w.Body, c.status)
		}
	}
}
