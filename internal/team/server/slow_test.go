package server

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cairn/test/cairntest"
)

var anyLoopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// patient makes a server that waits for slow clients longer than a test takes:
// whatever is answered is answered in spite of them.
func patient(s *Server) {
	s.timeouts.header, s.timeouts.read, s.timeouts.write, s.timeouts.grace = time.Hour, time.Hour, time.Hour, time.Hour
}

// dials sends the same beginning of a request on a connection for each address,
// so many times, by way of a proxy, and leaves it at that.
func dials(t *testing.T, s *Server, addresses, each int, request string) (all []net.Conn) {
	t.Helper()
	for a := range addresses {
		for range each {
			c, err := net.Dial("tcp", s.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { c.Close() })
			if _, err := fmt.Fprintf(c, request, fmt.Sprintf("203.0.113.%d", a+1)); err != nil {
				t.Fatal(err)
			}
			all = append(all, c)
		}
	}
	return all
}

// until waits for what does happen.
func until(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !happened(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s never happens", what)
		}
	}
}

// ask sends a whole request as another address does by way of the proxy.
func ask(t *testing.T, s *Server, method, path string, body io.Reader) *http.Response {
	t.Helper()
	r, err := http.NewRequest(method, s.URL()+path, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Forwarded-For", "198.51.100.7")
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// TestSlowBodies: bodies that do not come cost nobody but their senders anything.
func TestSlowBodies(t *testing.T) {
	cairntest.Long(t)
	const signup = "POST /auth/v1/signup HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: %s\r\nContent-Type: application/json\r\n"
	for name, c := range map[string]struct {
		addresses, each int
		request         string
		large           bool // one of the others sends 5 MB
	}{
		"one address":            {1, 256, signup + "Content-Length: 1000\r\n\r\n{", false},
		"four addresses":         {4, 64, signup + "Content-Length: 1000\r\n\r\n{", false},
		"forty addresses":        {40, 64, signup + "Content-Length: 1000\r\n\r\n{", false},
		"in chunks":              {4, 64, signup + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", false},
		"large ones":             {4, 64, strings.Replace(signup, "/auth/v1/signup", "/rest/v1/teams", 1) + "Content-Length: 8000000\r\n\r\n{", true},
		"large, forty addresses": {40, 10, strings.Replace(signup, "/auth/v1/signup", "/rest/v1/rpc/push_eval_run", 1) + "Content-Length: 33000000\r\n\r\n{", false},
		"headers":                {4, 64, "GET /auth/v1/settings HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: %s\r\nX-Slow: ", false},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := made(t, Config{Proxies: anyLoopback})
			patient(s)
			running(t, s)
			dials(t, s, c.addresses, c.each, c.request)
			if name != "headers" {
				// Those whose bodies are too large in sum wait, and are then refused.
				until(t, "all requests are there", func() bool { return int(s.metrics.inFlight.Load()) >= min(c.addresses*c.each, 10) })
			}
			for range 5 {
				if resp := ask(t, s, http.MethodGet, "/auth/v1/settings", nil); resp.StatusCode != 200 {
					t.Errorf("another's request: %s", resp.Status)
				}
				if resp := ask(t, s, http.MethodPost, "/auth/v1/token?grant_type=password", strings.NewReader(`{"email":"a@x.test","password":"wrong-password"}`)); resp.StatusCode != 400 {
					t.Errorf("another's sign-in: %s", resp.Status)
				}
			}
			if c.large {
				if resp := ask(t, s, http.MethodPost, "/rest/v1/teams", bytes.NewReader(make([]byte, 5<<20))); resp.StatusCode >= 500 {
					t.Errorf("another's large request: %s", resp.Status)
				}
			}
		})
	}
}

// TestSlowBodyIsCut: a body that comes too slowly is refused, and nothing of it stays.
func TestSlowBodyIsCut(t *testing.T) {
	s, _ := made(t, Config{})
	s.timeouts.grace = 20 * time.Millisecond
	running(t, s)
	c := dials(t, s, 1, 1, "POST /auth/v1/signup HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: %s\r\nContent-Length: 1000\r\n\r\n{")[0]
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusRequestTimeout || !strings.Contains(string(text), `"error_code":"request_timeout"`) {
		t.Errorf("%s %s", resp.Status, text)
	}
	until(t, "giving its memory back", func() bool { n, _ := s.limits.held.total(); return n == 0 })
}

// sized answers with as many bytes as the path says, which do not pack.
func sized(served *atomic.Int64) http.Handler {
	noise := make([]byte, 1<<20)
	rand.Read(noise)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n int
		fmt.Sscanf(r.URL.Path, "/%d", &n)
		for ; n > 0; n -= len(noise) {
			if _, err := w.Write(noise[:min(n, len(noise))]); err != nil {
				break
			}
		}
		served.Add(1)
	})
}

// TestSlowReaders: answers that nobody reads hold no slot, no handler, and no
// memory that another needs.
func TestSlowReaders(t *testing.T) {
	s, _ := made(t, Config{Proxies: anyLoopback})
	patient(s)
	var served atomic.Int64
	s.handler = s.observe(s.limited(s.limits, route{body: 1 << 20, pace: easy, handler: sized(&served)}))
	running(t, s)
	dials(t, s, 4, 64, "GET /6000000 HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer of-a-member\r\nX-Forwarded-For: %s\r\n\r\n")
	until(t, "the end of the handlers", func() bool { return served.Load() == 256 && len(s.limits.slots) == 0 })
	for range 5 {
		for _, n := range []int64{10, 5_000_000} {
			resp := ask(t, s, http.MethodGet, fmt.Sprintf("/%d", n), nil)
			if got, err := io.Copy(io.Discard, resp.Body); resp.StatusCode != 200 || got != n || err != nil {
				t.Errorf("another's answer of %d bytes: %s, %d, %v", n, resp.Status, got, err)
			}
		}
	}
	if held, _ := s.limits.held.total(); held > heldBytes {
		t.Errorf("%d bytes are held", held)
	}
}

// TestUnreadIsCut: who does not read an answer loses it, and the log does not say otherwise.
func TestUnreadIsCut(t *testing.T) {
	s, log := made(t, Config{})
	s.timeouts.grace, s.timeouts.rate = 20*time.Millisecond, 1<<30
	var served atomic.Int64
	s.handler = s.observe(s.limited(s.limits, route{body: 1 << 20, pace: easy, handler: sized(&served)}))
	stop := running(t, s)
	c := dials(t, s, 1, 1, "GET /15000000 HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: %s\r\n\r\n")[0]
	until(t, "the end of the answer", func() bool {
		n, _ := s.limits.held.total()
		return served.Load() == 1 && n == 0
	})
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if n, err := io.Copy(io.Discard, resp.Body); err == nil {
		t.Errorf("%d bytes look like a whole answer", n)
	}
	stop()
	if text := log.String(); !strings.Contains(text, "unsent=") {
		t.Errorf("the log:\n%s", text)
	}
}

// TestLongAnswers are written while they are made, without a slot, a few at a time.
func TestLongAnswers(t *testing.T) {
	s, _ := made(t, Config{})
	patient(s)
	var served atomic.Int64
	s.handler = s.observe(s.limited(s.limits, route{body: 1 << 20, pace: easy, handler: sized(&served)}))
	running(t, s)
	const long = "GET /80000000 HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: %s\r\n\r\n"
	cs := dials(t, s, 1, longAtOnce, long)
	until(t, "writing without a slot", func() bool { return len(s.limits.long) == longAtOnce && len(s.limits.slots) == 0 })
	resp := ask(t, s, http.MethodGet, "/80000000", nil)
	if resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" {
		t.Errorf("one too many: %s", resp.Status)
	}
	first, err := http.ReadResponse(bufio.NewReader(cs[0]), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Body.Close()
	if n, err := io.Copy(io.Discard, first.Body); n != 80_000_000 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	for _, c := range cs {
		c.Close()
	}
	until(t, "the end of all", func() bool { return len(s.limits.long) == 0 })
}

// TestAnswerHasItsOwnTime: how long a request waited and was worked on is not
// taken from the time in which its answer is read.
func TestAnswerHasItsOwnTime(t *testing.T) {
	s, _ := made(t, Config{})
	s.timeouts.read, s.timeouts.write = 10*time.Millisecond, 10*time.Millisecond
	s.handler = s.observe(s.limited(s.limits, route{body: 1 << 20, pace: easy, handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(r.Body)
		<-time.After(100 * time.Millisecond)
		if r.Context().Err() != nil {
			t.Error("the request ended before its answer")
		}
		fmt.Fprint(w, len(data), err)
	})}))
	running(t, s)
	resp := ask(t, s, http.MethodPost, "/", strings.NewReader("twelve bytes"))
	if text, err := io.ReadAll(resp.Body); string(text) != "12 <nil>" || err != nil {
		t.Errorf("%s %q %v", resp.Status, text, err)
	}
}

// TestManyLargeBodies: of more than fit, some are worked on and the others told
// when to come again; every one is answered.
func TestManyLargeBodies(t *testing.T) {
	const size, most = 1 << 20, 8 << 20
	for name, body := range map[string][]byte{"plain": make([]byte, size), "packed": packed(size), "packed, with a false size": append(packed(size)[:len(packed(size))-4], 1, 0, 0, 0)} {
		t.Run(name, func(t *testing.T) {
			s, _ := made(t, Config{})
			s.limits.held = newHeld(most)
			s.limits.queue = 50 * time.Millisecond
			full := make(chan struct{})
			var open atomic.Int64
			s.handler = s.observe(s.limited(s.limits, route{body: size, pace: easy, handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				n, err := io.Copy(io.Discard, r.Body)
				if err != nil && err != gzip.ErrChecksum {
					return
				}
				if n != size {
					t.Errorf("%d bytes", n)
				}
				open.Add(1)
				<-full
			})}))
			running(t, s)
			var work sync.WaitGroup
			var good, later atomic.Int64
			for range 40 {
				work.Go(func() {
					r, _ := http.NewRequest(http.MethodPost, s.URL()+"/rest/v1/x", bytes.NewReader(body))
					if name != "plain" {
						r.Header.Set("Content-Encoding", "gzip")
					}
					resp, err := http.DefaultClient.Do(r)
					if err != nil {
						t.Error(err)
						return
					}
					defer resp.Body.Close()
					switch {
					case resp.StatusCode == 200:
						good.Add(1)
					case resp.StatusCode == 503 && resp.Header.Get("Retry-After") != "":
						if later.Add(1) == 33 { // the others have their turn now
							close(full)
						}
					default:
						t.Errorf("%s %v", resp.Status, resp.Header)
					}
				})
			}
			work.Wait()
			if n := open.Load(); n == 0 || n > most/size {
				t.Errorf("%d were worked on at once", n)
			}
		})
	}
}
