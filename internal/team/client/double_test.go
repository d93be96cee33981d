package client

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/home"
	"cairn/internal/team/spool"
	"cairn/internal/team/wire"
)

const teamID = "11111111-1111-4111-8111-111111111111"

// double is a small PostgREST in memory: rows by table and ingest key. fault is
// asked first about every request but sign-ins.
type double struct {
	*httptest.Server
	mu       sync.Mutex
	rows     map[string]map[string]jsontext.Value
	takes    int // inserts, also of rows that were there
	fault    atomic.Pointer[http.HandlerFunc]
	answered atomic.Int32
	refresh  atomic.Int32
	token    atomic.Value // that is taken
}

func newDouble(t *testing.T) *double {
	d := &double{rows: map[string]map[string]jsontext.Value{}}
	d.token.Store("a")
	d.Server = httptest.NewServer(d)
	t.Cleanup(d.Close)
	return d
}

// fail makes every request end as f says, nil ends that.
func (d *double) fail(f http.HandlerFunc) {
	if f == nil {
		d.fault.Store(nil)
		return
	}
	d.fault.Store(&f)
}

func answer(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	io.WriteString(w, body)
}

func (d *double) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.answered.Add(1)
	if r.URL.Path == wire.Auth+"token" {
		n := d.refresh.Add(1)
		d.token.Store(fmt.Sprint("a", n))
		answer(w, 200, fmt.Sprintf(`{"access_token":"a%d","refresh_token":"r%d","expires_at":%d,"user":{"id":"u","email":"dev@example.com"}}`, n, n, time.Now().Add(time.Hour).Unix()))
		return
	}
	if f := d.fault.Load(); f != nil {
		(*f)(w, r)
		return
	}
	if r.Header.Get("Authorization") != "Bearer "+d.token.Load().(string) {
		answer(w, 401, `{"code":"PGRST301","message":"JWT invalid"}`)
		return
	}
	body, _ := io.ReadAll(r.Body)
	name := strings.TrimPrefix(r.URL.Path, wire.Rest)
	switch {
	case name == "teams":
		w.Header().Set("Content-Range", "0-0/*")
		answer(w, 200, `[{"id":"`+teamID+`","slug":"acme"}]`)
	case r.URL.Path == wire.PushEvalRun:
		var push struct {
			Run jsontext.Value `json:"p_run"`
		}
		if json.Unmarshal(body, &push) != nil {
			answer(w, 400, `{"code":"PGRST102","message":"bad body"}`)
			return
		}
		fresh := d.take("eval_runs", push.Run)
		answer(w, 200, fmt.Sprintf(`{"id":"%s","duplicate":%v}`, teamID, !fresh))
	case r.Method == http.MethodPost:
		if !d.take(name, body) && !strings.Contains(r.Header.Get("Prefer"), "resolution=") {
			answer(w, 409, `{"code":"23505","message":"duplicate key"}`)
			return
		}
		w.Header().Set("Content-Range", "*/*")
		w.WriteHeader(201)
	default:
		answer(w, 404, `{"code":"PGRST205","message":"no such table"}`)
	}
}

// take stores a row and reports whether it is new.
func (d *double) take(name string, row jsontext.Value) bool {
	var head struct {
		Key string `json:"ingest_key"`
	}
	if json.Unmarshal(row, &head) != nil || head.Key == "" {
		panic("no ingest_key in " + string(row))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.takes++
	if d.rows[name] == nil {
		d.rows[name] = map[string]jsontext.Value{}
	}
	_, there := d.rows[name][head.Key]
	d.rows[name][head.Key] = row
	return !there
}

func (d *double) count(name string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.rows[name])
}

// member is a home that is signed in at the double, with its queue.
type member struct {
	home  home.Home
	queue *spool.Spool
	t     *testing.T
}

func newMember(t *testing.T, d *double) *member {
	t.Helper()
	h := home.Home(t.TempDir())
	m := &member{h, spool.Open(h.Queue()), t}
	m.queue.URL, m.queue.Team = d.URL, "acme"
	m.signIn(d.URL)
	return m
}

func (m *member) signIn(url string) {
	m.t.Helper()
	if err := openStore(m.home).edit(url, func(Session) Session {
		return Session{AccessToken: "a", RefreshToken: "r", ExpiresAt: time.Now().Add(time.Hour).Unix(), AnonKey: "anon"}
	}); err != nil {
		m.t.Fatal(err)
	}
}

func (m *member) put(n int) {
	m.t.Helper()
	for i := range n {
		key := fmt.Sprintf("%064d", i)
		if _, err := m.queue.Put("ship_logs", key, fmt.Appendf(nil, `{"repo_slug":"acme/app","version":"%d","ingest_key":%q}`, i, key)); err != nil {
			m.t.Fatal(err)
		}
	}
}

// drain is one run of the drainer, as a process of its own has it.
func (m *member) drain() *Drain {
	return &Drain{Queue: spool.Open(m.home.Queue()), Log: OpenLog(m.home), Open: func(url string) (*Client, error) {
		all, err := Sessions(m.home)
		if s, ok := all[url]; ok {
			return Open(Options{URL: url, AnonKey: s.AnonKey, Home: m.home, Log: OpenLog(m.home)})
		}
		return nil, err
	}}
}

func (m *member) run() Drained {
	m.t.Helper()
	r, err := m.drain().Run(m.t.Context())
	if err != nil {
		m.t.Fatal(err)
	}
	return r
}

func (m *member) left(waiting, refused int) {
	m.t.Helper()
	st, err := m.queue.Status()
	if err != nil || st.Waiting != waiting || st.Claimed != 0 || st.Refused != refused {
		m.t.Errorf("%+v, %v; want %d waiting, %d refused", st, err, waiting, refused)
	}
}

// later drains when the claims of drainers that failed are old.
func (m *member) later(t *testing.T) {
	t.Helper()
	d := m.drain()
	d.Early, d.Now = true, func() time.Time { return time.Now().Add(2 * time.Minute) }
	if _, err := d.Run(t.Context()); err != nil {
		t.Error(err)
	}
}
