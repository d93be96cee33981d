package server

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"cairn/internal/team/db"
	"cairn/internal/team/wire"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

// opened is a store in a directory of its own.
func opened(t *testing.T) *Store {
	t.Helper()
	p := Place{Dir: filepath.Join(t.TempDir(), "data")}
	if err := os.Mkdir(p.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dbtest.SQLite(t), p.Embedded()); err != nil {
		t.Fatal(err)
	}
	st, err := Open(context.Background(), p, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

// made is a server that does not run yet, and its log.
func made(t *testing.T, c Config) (*Server, *bytes.Buffer) {
	t.Helper()
	log := &bytes.Buffer{}
	if c.Store == nil {
		c.Store = opened(t)
	}
	if c.Listen == "" {
		c.Listen = "127.0.0.1:0"
	}
	c.Log = slog.New(slog.NewTextHandler(&locked{w: log}, nil))
	s, err := New(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	s.accounts.SetCost(bcrypt.MinCost)
	t.Cleanup(func() { s.Close() })
	return s, log
}

type locked struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// running runs a server until stop, which waits for its end.
func running(t *testing.T, s *Server) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	var once sync.Once
	var err error
	stop = func() error {
		once.Do(func() { cancel(); err = <-ended })
		return err
	}
	t.Cleanup(func() { stop() })
	return stop
}

// get asks the handler as this machine, or as from another.
func get(s http.Handler, path, from string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.RemoteAddr, r.Host = from, "127.0.0.1"
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

const (
	here     = "127.0.0.1:5000"
	stranger = "203.0.113.9:5000"
)

func TestAnswers(t *testing.T) {
	s, log := made(t, Config{Version: "1.2.3", MetricsToken: "figures"})
	for _, c := range []struct {
		path, from string
		header     []string
		status     int
		want       string
	}{
		{"/healthz", stranger, nil, 200, `{"status":"ok"}`},
		{"/readyz", stranger, nil, 200, `{"status":"ok"}`},
		{"/cairn/v1/server", stranger, nil, 200, `"version":"1.2.3"`},
		{"/realtime/v1/websocket?apikey=k", here, nil, 404, `{"code":"not_found","details":null,"hint":null,"message":"realtime`},
		{"/storage/v1/object/x", here, nil, 404, `"message":"storage`},
		{"/functions/v1/f", here, nil, 404, `"code":"not_found"`},
		{"/nothing", here, nil, 404, `"message":"there is nothing`},
		{"/metrics", here, nil, 403, `"code":"not_allowed"`},
		{"/metrics", stranger, []string{"Authorization", "Bearer figure"}, 403, "not_allowed"},
		{"/metrics", stranger, []string{"Authorization", "Bearer figures"}, 200, `cairn_requests_total{route="/realtime/v1/",status="404"} 1`},
	} {
		w := get(s.Handler(), c.path, c.from, c.header...)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s: %d %s, want %d with %s", c.path, w.Code, w.Body, c.status, c.want)
		}
		for _, h := range []string{"X-Request-Id", "X-Content-Type-Options", "Content-Security-Policy", "Referrer-Policy"} {
			if w.Header().Get(h) == "" {
				t.Errorf("%s: no header %s", c.path, h)
			}
		}
	}
	if text := log.String(); strings.Contains(text, "apikey") || strings.Contains(text, "figures") || !strings.Contains(text, "path=/realtime/v1/websocket status=404") {
		t.Errorf("the log:\n%s", text)
	}
	open, _ := made(t, Config{})
	for from, want := range map[string]int{here: 200, stranger: 403} {
		if w := get(open.Handler(), "/metrics", from); w.Code != want {
			t.Errorf("without a token, from %s: %d, want %d", from, w.Code, want)
		}
	}
	if w := get(open.Handler(), "/metrics", here, "X-Forwarded-For", "203.0.113.9"); w.Code != 403 {
		t.Errorf("passed on by a proxy nobody named: %d, want 403", w.Code)
	}
}

func TestNotReady(t *testing.T) {
	st, err := Open(context.Background(), Place{Dir: t.TempDir()}, true)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := made(t, Config{Store: st})
	s.stopping.Store(true)
	if w := get(s.Handler(), "/readyz", here); w.Code != 503 {
		t.Errorf("while it stops: %d", w.Code)
	}
	s.stopping.Store(false)
	if w := get(s.Handler(), "/readyz", here); w.Code != 200 {
		t.Errorf("ready: %d %s", w.Code, w.Body)
	}
	dir := s.config.Store.Dir
	s.config.Store.Dir = filepath.Join(dir, "gone")
	if w := get(s.Handler(), "/readyz", here); w.Code != 200 {
		t.Errorf("a look is good for a moment: %d %s", w.Code, w.Body)
	}
	s.readiness.forget()
	if w := get(s.Handler(), "/readyz", here); w.Code != 503 || !strings.Contains(w.Body.String(), `"disk"`) {
		t.Errorf("where nothing can be written: %d %s", w.Code, w.Body)
	}
	s.config.Store.Dir = dir
	s.readiness.forget()
	st.Close()
	if w := get(s.Handler(), "/readyz", here); w.Code != 503 || strings.Contains(w.Body.String(), "sql") {
		t.Errorf("without a database: %d %s", w.Code, w.Body)
	}
	if w := get(s.Handler(), "/healthz", here); w.Code != 200 {
		t.Errorf("it is alive: %d", w.Code)
	}
}

func TestPanic(t *testing.T) {
	s, log := made(t, Config{})
	h := s.observe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/half" {
			w.WriteHeader(200)
		}
		panic("secret of the code")
	}))
	for path, want := range map[string]string{
		"/rest/v1/teams": `{"code":"XX000","details":null,"hint":null,"message":"an internal error`,
		"/auth/v1/token": `{"code":500,"error_code":"XX000","msg":"an internal error`,
	} {
		if w := get(h, path, here); w.Code != 500 || !strings.HasPrefix(w.Body.String(), want) || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if w := get(h, "/auth/v1/token", here, "X-Supabase-Api-Version", "2024-01-01"); !strings.HasPrefix(w.Body.String(), `{"code":"XX000","message":`) {
		t.Errorf("for a client that names a version: %s", w.Body)
	}
	if !strings.Contains(log.String(), "secret of the code") || !strings.Contains(log.String(), "goroutine") {
		t.Error("the log does not say why")
	}
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("half an answer ends with %v", p)
		}
	}()
	get(h, "/half", here)
}

func TestGracefulStop(t *testing.T) {
	s, _ := made(t, Config{})
	begun, finish := make(chan bool), make(chan bool)
	s.handler = s.observe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun <- true
		<-finish
		fmt.Fprint(w, "done")
	}))
	stop := running(t, s)
	answer := make(chan string, 1)
	go func() {
		resp, err := http.Get(s.URL() + "/")
		if err != nil {
			answer <- err.Error()
			return
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		answer <- string(text)
	}()
	<-begun
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	for !s.stopping.Load() {
		time.Sleep(time.Millisecond)
	}
	for { // the listener closes a moment later
		c, err := net.Dial("tcp", s.Addr().String())
		if err != nil {
			break
		}
		c.Close()
	}
	close(finish)
	if got := <-answer; got != "done" {
		t.Errorf("a request in flight got %q", got)
	}
	if err := <-stopped; err != nil {
		t.Errorf("stop: %v", err)
	}
}

func TestStopEndsWhatTakesTooLong(t *testing.T) {
	s, _ := made(t, Config{})
	s.timeouts.drain = 20 * time.Millisecond
	begun, ended := make(chan bool), make(chan error, 1)
	s.handler = s.observe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done()
		ended <- context.Cause(r.Context())
	}))
	stop := running(t, s)
	go http.Get(s.URL() + "/")
	<-begun
	if err := stop(); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("its context ended with %v", err)
	}
}

// A client that sends its header letter by letter, or one without end, does
// not keep a connection.
func TestSlowAndLargeHeaders(t *testing.T) {
	cairntest.Long(t)
	s, _ := made(t, Config{})
	s.timeouts.header = 50 * time.Millisecond
	running(t, s)
	slow, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	fmt.Fprint(slow, "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ")
	if n, err := io.Copy(io.Discard, slow); err != nil && n == 0 {
		t.Errorf("the connection was not closed in order: %v", err)
	}
	s, _ = made(t, Config{})
	running(t, s)
	large, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer large.Close()
	go fmt.Fprintf(large, "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Large: %s\r\n\r\n", strings.Repeat("x", maxHeaderBytes+8192))
	resp, err := http.ReadResponse(bufio.NewReader(large), nil)
	if err != nil || resp.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Fatalf("%v, %v; want 431", resp, err)
	}
	resp.Body.Close()
}

func TestManyClients(t *testing.T) {
	s, _ := made(t, Config{})
	running(t, s)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 500}}
	var all sync.WaitGroup
	var good atomic.Int32
	for range 500 {
		all.Go(func() {
			for range 4 {
				// Not /readyz: it says no where the database does not answer at once.
				resp, err := client.Get(s.URL() + wire.Server)
				if err != nil {
					t.Error(err)
					return
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				if resp.StatusCode == 200 {
					good.Add(1)
				}
			}
		})
	}
	all.Wait()
	if good.Load() != 2000 {
		t.Errorf("%d of 2000 answers were 200", good.Load())
	}
	client.CloseIdleConnections()
}

func TestPostgres(t *testing.T) {
	if pgtest.Shared() == nil {
		t.Skip(pgtest.ErrMissing)
	}
	url, err := pgtest.Shared().Database()
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if _, err := Open(ctx, Place{Database: url}, false); !errors.Is(err, db.ErrEmpty) {
		t.Errorf("--no-migrate on an empty database: %v", err)
	}
	var stores [2]*Store
	var both sync.WaitGroup
	for i := range stores {
		both.Go(func() {
			st, err := Open(ctx, Place{Database: url}, true)
			if err != nil {
				t.Error(err)
			}
			stores[i] = st
		})
	}
	both.Wait()
	if t.Failed() {
		t.FailNow()
	}
	var keys []string
	for _, st := range stores {
		defer st.Close()
		s, log := made(t, Config{Store: st})
		if w := get(s.Handler(), "/readyz", here); w.Code != 200 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		if !strings.Contains(log.String(), "above row-level security") {
			t.Errorf("a superuser is not warned about:\n%s", log)
		}
		keys = append(keys, s.anonKey())
	}
	if keys[0] != keys[1] {
		t.Error("two servers of one database have two secrets")
	}
	for _, c := range Examine(ctx, Place{Database: url}, TLS{}) {
		want := Good
		if c.Name == "user" {
			want = Warn
		}
		if c.Status != want {
			t.Errorf("%+v", c)
		}
	}
}
