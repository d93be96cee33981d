package watch

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/live"
)

// Only who knows the address may look, and no page of another name.
func TestWhoMayLook(t *testing.T) {
	r := newRunner(t)
	r.write(start(1), voice)
	s := serve(t, fast(File(r.file)))
	s.until(t, "a row", func(run *live.Run, _ live.State) bool { return len(run.Rows) == 1 })
	url := s.URL()
	root := url[:strings.LastIndex(strings.TrimSuffix(url, "/"), "/")]
	for _, c := range []struct {
		method, url string
		header      [2]string
		want        int
	}{
		{"GET", url, [2]string{}, 200},
		{"GET", url + "case/0", [2]string{}, 200},
		{"GET", url + "case/1", [2]string{}, 404},
		{"GET", url + "case/-1", [2]string{}, 404},
		{"GET", url + "case/x", [2]string{}, 404},
		{"GET", url + "about", [2]string{"Origin", root}, 200},
		{"GET", url + "events/", [2]string{}, 404},
		{"POST", url, [2]string{}, 405},
		{"OPTIONS", url + "about", [2]string{}, 405},
		{"GET", root + "/", [2]string{}, 404},
		{"GET", root + "/favicon.ico", [2]string{}, 404},
		{"GET", root + "/open/", [2]string{}, 404},
		{"GET", strings.TrimSuffix(url, "/") + "x/", [2]string{}, 404},
		{"GET", url, [2]string{"Host", "evil.example:" + strconv.Itoa(s.Port())}, 403},
		{"GET", url, [2]string{"Host", "localhost:9000"}, 200}, // a forwarded port
		{"GET", url, [2]string{"Host", "localhost.evil.example"}, 403},
		{"GET", url + "events", [2]string{"Origin", "http://evil.example"}, 403},
		{"GET", url + "about", [2]string{"Origin", "null"}, 403},
		{"GET", url, [2]string{"Sec-Fetch-Site", "cross-site"}, 403},
	} {
		req, err := http.NewRequest(c.method, c.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.header[0] == "Host" {
			req.Host = c.header[1]
		} else if c.header[0] != "" {
			req.Header.Set(c.header[0], c.header[1])
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != c.want {
			t.Errorf("%s %s %v: %d, want %d", c.method, c.url, c.header, resp.StatusCode, c.want)
		}
		if resp.Header.Get("Access-Control-Allow-Origin") != "" || resp.Header.Get("Content-Security-Policy") == "" || resp.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s %s: headers %v", c.method, c.url, resp.Header)
		}
	}
}

// The address for the command line of a browser leads to the page once.
func TestTicket(t *testing.T) {
	s := serve(t, fast(File(newRunner(t).file)))
	url := s.OpenURL()
	if strings.Contains(url, s.Token()) {
		t.Fatalf("%s tells the token", url)
	}
	for i, want := range []string{s.URL(), url} {
		resp, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if got := resp.Request.URL.String(); got != want {
			t.Errorf("the %d. time it leads to %s (%d), want %s", i+1, got, resp.StatusCode, want)
		}
	}
}

// events reads a stream of events from a viewer that came as far as id.
func events(t *testing.T, url, id string) (next func() (id string, m message), hangUp func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, "GET", url+"events", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Last-Event-ID", id)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	if kind := resp.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatalf("%d %s", resp.StatusCode, kind)
	}
	in := bufio.NewReader(resp.Body)
	next = func() (id string, m message) {
		t.Helper()
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				t.Fatalf("%v before an event", err)
			}
			if text, ok := strings.CutPrefix(line, "id: "); ok {
				id = strings.TrimSpace(text)
			}
			if text, ok := strings.CutPrefix(line, "data: "); ok {
				if err := json.Unmarshal([]byte(text), &m); err != nil {
					t.Fatal(err)
				}
				return id, m
			}
		}
	}
	return next, func() { cancel(); resp.Body.Close() }
}

// A viewer that comes back gets what it missed; one of another time all.
func TestResume(t *testing.T) {
	r := newRunner(t)
	r.write(start(1200))
	r.write(many(rowsAtOnce*2 + 10)...)
	s := serve(t, fast(File(r.file)))
	s.until(t, "all rows", func(run *live.Run, _ live.State) bool { return len(run.Rows) == rowsAtOnce*2+10 })
	next, hangUp := events(t, s.URL(), "")
	var id string
	seen := map[int]bool{}
	for i := range 3 {
		var m message
		id, m = next()
		if m.Reset != (i == 0) || m.More != (i < 2) || len(m.Rows) > rowsAtOnce {
			t.Errorf("message %d: reset %v, more %v, %d rows", i, m.Reset, m.More, len(m.Rows))
		}
		for _, row := range m.Rows {
			seen[row.I] = true
		}
	}
	if len(seen) != rowsAtOnce*2+10 {
		t.Errorf("%d rows came", len(seen))
	}
	hangUp()
	r.write(event{"event": "case", "name": "case_0000", "attempt": 1, "status": "fail"})
	s.until(t, "the row that changed", func(run *live.Run, _ live.State) bool { return run.Rows[0].Status == "fail" })
	next, hangUp = events(t, s.URL(), id)
	if _, m := next(); m.Reset || len(m.Rows) != 1 || m.Rows[0].Status != "fail" {
		t.Errorf("missed: reset %v, %d rows", m.Reset, len(m.Rows))
	}
	hangUp()
	for _, id := range []string{"", "x", "other.0.3", s.boot + ".7.3", s.boot + ".0.999999999", s.boot + ".a.b"} {
		next, hangUp := events(t, s.URL(), id)
		if _, m := next(); !m.Reset || len(m.Rows) != rowsAtOnce {
			t.Errorf("from %q: reset %v, %d rows", id, m.Reset, len(m.Rows))
		}
		hangUp()
	}
}

// A silent connection is kept alive, and ends when the watch does.
func TestBeatAndEnd(t *testing.T) {
	s := serve(t, fast(File(newRunner(t).file)))
	resp, err := http.Get(s.URL() + "events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	in := bufio.NewReader(resp.Body)
	for line := ""; !strings.HasPrefix(line, ": "); {
		if line, err = in.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	begun := make(chan Outcome)
	go func() { begun <- s.stop() }()
	rest, err := io.ReadAll(in)
	if err != nil || !strings.HasSuffix(string(rest), "event: bye\ndata: stopped\n\n") {
		t.Errorf("%v; the stream ends with %q", err, rest)
	}
	if out := <-begun; out.Idle || out.State != live.Waiting {
		t.Errorf("outcome %+v", out)
	}
}

// It ends by itself when the run is over and nobody looks, and not before.
func TestIdle(t *testing.T) {
	r := newRunner(t)
	r.write(start(1), one("a", "pass"))
	opts := fast(File(r.file))
	opts.Idle = time.Nanosecond
	s := serve(t, opts)
	next, hangUp := events(t, s.URL(), "")
	for {
		if _, m := next(); m.Head.Counts.Done == 1 {
			break
		}
	}
	r.write(event{"event": "finish"})
	for {
		if _, m := next(); m.Head.State == live.Finished {
			break
		}
	}
	r.write(event{"event": "cost", "model": "m", "cost_usd": 1}) // a viewer is there, so it goes on
	for {
		if _, m := next(); m.Head.CostUSD == 1 {
			break
		}
	}
	hangUp()
	if out := <-s.done; !out.Idle || out.State != live.Finished || out.Run.Counts.Passed != 1 {
		t.Errorf("outcome: idle %v, %s, %+v", out.Idle, out.State, out.Run.Counts)
	}
}

// While nothing was written yet, a short Idle does not end it.
func TestIdleWaits(t *testing.T) {
	opts := fast(File(newRunner(t).file))
	opts.Idle = 0
	w, _, err := Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	crashes := 0
	w.look(&crashes)
	begin := w.left
	for _, c := range []struct {
		state live.State
		after time.Duration
		want  bool
	}{{live.Waiting, time.Minute, false}, {live.Waiting, time.Hour, true}, {live.Silent, time.Minute, false}, {live.Running, 24 * time.Hour, false}, {live.Crashed, 0, true}} {
		if w.state = c.state; w.isIdle(begin.Add(c.after)) != c.want {
			t.Errorf("%s for %v: idle is not %v", c.state, c.after, c.want)
		}
	}
}

// scripted is a source that gives what it is told to, a line each time.
type scripted []string

func (s *scripted) Name() string          { return "scripted" }
func (s *scripted) Around() (bool, []int) { return false, nil }
func (s *scripted) Poll(run *live.Run, now time.Time) (news, more bool, err error) {
	if len(*s) == 0 {
		return false, false, nil
	}
	run.Line([]byte((*s)[0]), now)
	*s = (*s)[1:]
	return true, false, nil
}

// A runner writes that it is done and ends between two looks: it is looked
// once more before it is called gone.
func TestEndsBetweenLooks(t *testing.T) {
	opts := fast(&scripted{`{"event":"start","pid":` + strconv.Itoa(gone(t)) + `}`, `{"event":"finish"}`})
	w, _, err := Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	crashes := 0
	var states []live.State
	for range 4 {
		w.look(&crashes)
		states = append(states, w.state)
	}
	if !slices.Equal(states, []live.State{live.Waiting, live.Finished, live.Finished, live.Finished}) {
		t.Errorf("states %v", states)
	}
}
