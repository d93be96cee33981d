package client

import (
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

// A thousand records that waited arrive, each exactly once.
func TestDrainThousand(t *testing.T) {
	d := newDouble(t)
	m := newMember(t, d)
	m.put(1000)
	begin := time.Now()
	r := m.run()
	t.Logf("1,000 records in %.2fs", time.Since(begin).Seconds())
	if r.Delivered.N() != 1000 || d.count("ship_logs") != 1000 || d.takes != 1000 {
		t.Errorf("%+v; %d rows, %d inserts", r, d.count("ship_logs"), d.takes)
	}
	m.left(0, 0)
	if data, _ := os.ReadFile(m.home.SyncLog()); !strings.Contains(string(data), "DRAIN 1000/1000 OK") {
		t.Errorf("log: %.200s", data)
	}
}

// What a server, or what is between, may do to a delivery: nothing is lost.
func TestFaults(t *testing.T) {
	t.Parallel()
	html := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(status)
			w.Write([]byte("<html>sign in to the hotel's network</html>"))
		}
	}
	say := func(status int, body string, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i+1 < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			answer(w, status, body)
		}
	}
	cut := func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }
	for _, tt := range []struct {
		name    string
		fault   http.HandlerFunc
		kind    error // of what stopped the drain, nil if nothing did
		refused bool
		most    int32 // requests
		log     string
	}{
		{"503", say(503, `{"code":"08006","message":"no connection"}`), ErrBusy, false, 11, "QUEUED"},
		{"503 with Retry-After", say(503, `{}`, "Retry-After", "120"), ErrBusy, false, 11, "QUEUED"},
		{"429", say(429, `{"code":"x","message":"slow down"}`, "Retry-After", "30"), ErrBusy, false, 11, "slow down"},
		{"507: the team is full", say(507, `{"code":"53400","message":"the team may store 5 rows and would have 6"}`, "Retry-After", "900"), ErrBusy, false, 11, "QUEUED the team may store 5 rows"},
		{"500", say(500, `{"code":"XX000","message":"oops"}`), nil, false, 40, "oops"},
		{"403", say(403, `{"code":"42501","message":"new row violates row-level security policy"}`), nil, true, 40, "REFUSED 403 42501: new row violates"},
		{"400", say(400, `{"code":"22P02","message":"invalid input syntax"}`), nil, true, 40, "REFUSED 400 22P02"},
		{"413", html(413), nil, true, 40, "too large"},
		{"409 of a row that is missing", say(409, `{"code":"23503","message":"violates foreign key"}`), nil, true, 40, "23503"},
		{"401", say(401, `{"code":"PGRST301","message":"JWT invalid"}`), ErrSignIn, false, 22, "JWT invalid"},
		{"wrong JSON", say(200, `{"id":`, "Content-Range", "*/*"), ErrNetwork, false, 11, "something else"},
		{"a page instead", html(200), ErrNetwork, false, 11, "a web page"},
		{"a page with 401", html(401), ErrNetwork, false, 11, "a web page"},
		{"200 and nothing", say(200, ""), ErrNetwork, false, 11, "empty"},
		{"204", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }, ErrNetwork, false, 11, "empty"},
		{"200 and another's JSON", say(200, `{"ok":true}`), ErrNetwork, false, 11, "Content-Range"},
		{"an answer without end", func(w http.ResponseWriter, r *http.Request) {
			for b := make([]byte, 1<<20); r.Context().Err() == nil; {
				if _, err := w.Write(b); err != nil {
					return
				}
			}
		}, ErrNetwork, false, 11, "more than 1 MB"},
		{"404 and another's JSON", say(404, `{"error":"not here"}`), ErrNetwork, false, 11, "404"},
		{"a page with 403", html(403), ErrNetwork, false, 11, "a web page"},
		{"a page with 404", html(404), ErrNetwork, false, 11, "a web page"},
		{"sent elsewhere", say(302, "", "Location", "http://portal.example/login"), ErrNetwork, false, 11, "portal.example"},
		{"cut", cut, ErrNetwork, false, 22, "cut"}, // net/http asks again where a kept connection was cut
		{"cut in the body", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100")
			answer(w, 200, `{"id`)
			cut(w, r)
		}, ErrNetwork, false, 11, "cut"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDouble(t)
			m := newMember(t, d)
			m.put(1)
			m.run() // the team is known
			m.put(20)
			before := d.answered.Load()
			d.fail(tt.fault)
			r := m.run()
			if n := d.answered.Load() - before; n > tt.most {
				t.Errorf("%d requests, want at most %d", n, tt.most)
			}
			switch {
			case tt.kind == nil && len(r.Stopped) != 0, tt.kind != nil && (len(r.Stopped) != 1 || !errors.Is(r.Stopped[0].Cause, tt.kind)):
				t.Errorf("stopped %v", r.Stopped)
			}
			data, _ := os.ReadFile(m.home.SyncLog())
			if !strings.Contains(string(data), tt.log) {
				t.Errorf("log %s", data)
			}
			if tt.refused {
				m.left(0, 20)
				list, err := m.queue.Refusals()
				if err != nil || len(list) != 20 || list[0].Kind != "ship_logs" || list[0].Reason == "" {
					t.Errorf("%+v %v", list, err)
				}
				return
			}
			m.left(20, 0)
			d.fail(nil)
			again := m.drain()
			again.Early = true
			if r, err := again.Run(t.Context()); err != nil || r.Delivered.N() != 20 {
				t.Errorf("then %+v, %v", r, err)
			}
			if d.count("ship_logs") != 20 {
				t.Errorf("%d rows", d.count("ship_logs"))
			}
		})
	}
}

// A server that nobody listens at, one that never answers, one whose
// certificate nobody knows.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(nil)
	gone.Close()
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	for name, url := range map[string]string{"gone": gone.URL, "TLS": secure.URL} {
		d := newDouble(t)
		m := newMember(t, d)
		m.queue.URL = url
		m.signIn(url)
		m.put(30)
		r := m.run()
		if len(r.Stopped) != 1 || !errors.Is(r.Stopped[0].Cause, ErrNetwork) || r.Failed > together {
			t.Errorf("%s: %+v", name, r)
		}
		m.left(30, 0)
	}
}

// A slow server costs one time limit, not one for every record.
func TestSlow(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	m := newMember(t, d)
	m.put(1)
	m.run()
	m.put(30)
	release := make(chan bool)
	t.Cleanup(func() { close(release) })
	d.fail(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	dr := m.drain()
	dr.patience = 50 * time.Millisecond
	r, err := dr.Run(t.Context())
	if err != nil || len(r.Stopped) != 1 || !strings.Contains(r.Stopped[0].Why, "too long") || r.Failed < 1 || r.Failed > together {
		t.Errorf("%+v, %v", r, err)
	}
	m.left(30, 0)
}

// Records of a server that one is not signed in to wait, and keep nothing else.
func TestSeveralServers(t *testing.T) {
	t.Parallel()
	a, b := newDouble(t), newDouble(t)
	m := newMember(t, a)
	m.queue.URL = b.URL
	m.put(30)
	m.queue.URL = a.URL
	m.put(12)
	if r := m.run(); r.Delivered.N() != 12 || len(r.Stopped) != 0 || a.count("ship_logs") != 12 || b.count("ship_logs") != 0 {
		t.Errorf("%+v", r)
	}
	m.left(30, 0)
	m.signIn(b.URL)
	if r := m.run(); r.Delivered.N() != 30 || b.count("ship_logs") != 30 {
		t.Errorf("%+v", r)
	}
	m.left(0, 0)
}

// An access token that is over is renewed once, whatever goes on side by side.
func TestExpiredWhileDraining(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	m := newMember(t, d)
	m.put(50)
	d.token.Store("another")
	if r := m.run(); r.Delivered.N() != 50 || d.refresh.Load() != 1 {
		t.Errorf("%+v, %d refreshes", r, d.refresh.Load())
	}
}

// Two machines with one queue, the second restored from a backup of the first.
func TestTwoMachines(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	a, b := newMember(t, d), newMember(t, d)
	a.put(200)
	if err := os.CopyFS(b.home.Queue(), os.DirFS(a.home.Queue())); err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	go func() { a.run(); close(done) }()
	b.run()
	<-done
	if d.count("ship_logs") != 200 || d.takes != 400 {
		t.Errorf("%d rows of %d inserts", d.count("ship_logs"), d.takes)
	}
	a.left(0, 0)
	b.left(0, 0)
}

// The newest of what is known by a session's id is what counts.
func TestOrder(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	m := newMember(t, d)
	for _, turns := range []string{"1", "2", "3", "4", "5"} {
		if _, err := m.queue.Put("session_transcripts", "same", []byte(`{"session_id":"s","total_turns":`+turns+`}`)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Millisecond) // ids sort by the millisecond
	}
	m.run()
	if row := string(d.rows["session_transcripts"]["same"]); !strings.Contains(row, `"total_turns":5`) || !strings.Contains(row, teamID) {
		t.Errorf("%s", row)
	}
}

// A run that the server has is no error to it, so a conflict is another run's:
// this one is not there.
func TestRunInConflict(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	m := newMember(t, d)
	m.put(1)
	m.run() // the team is known
	if _, err := m.queue.Put(Runs, strings.Repeat("a", 64), []byte(`{"schema_version":2,"label":"x","timestamp":"2026-03-15T10:30:00Z","total_tests":0,"passed":0,"failed":0,"all_results":[]}`)); err != nil {
		t.Fatal(err)
	}
	d.fail(func(w http.ResponseWriter, _ *http.Request) {
		answer(w, 409, `{"code":"23505","message":"duplicate key value violates unique constraint \"eval_results_pkey\""}`)
	})
	m.run()
	m.left(0, 1)
}
