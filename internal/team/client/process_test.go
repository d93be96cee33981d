package client

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"cairn/internal/home"
	"cairn/internal/team/spool"
)

// DrainAsProcess makes this test binary a drainer, or a process that pushes,
// when the environment says so; ok is false when it does not.
func DrainAsProcess() (code int, ok bool) {
	url, h := os.Getenv("CAIRN_TEST_URL"), home.Home(os.Getenv("CAIRN_TEST_HOME"))
	if url == "" {
		return 0, false
	}
	later, _ := time.ParseDuration(os.Getenv("CAIRN_TEST_LATER"))
	q := spool.Open(h.Queue())
	q.URL, q.Team = url, "acme"
	d := &Drain{Queue: q, Log: OpenLog(h), Early: true, Now: func() time.Time { return time.Now().Add(later) },
		Open: func(url string) (*Client, error) { return Open(Options{URL: url, Home: h, Log: OpenLog(h)}) }}
	if n := os.Getenv("CAIRN_TEST_PUT"); n != "" {
		id, err := q.Put("ship_logs", fmt.Sprintf("%064s", n), []byte(`{"version":"`+n+`"}`))
		if err != nil {
			return 1, true
		}
		d.Only = []string{id}
	}
	if _, err := d.Run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1, true
	}
	return 0, true
}

func (m *member) process(url string, more ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), append([]string{"CAIRN_TEST_URL=" + url, "CAIRN_TEST_HOME=" + string(m.home)}, more...)...)
	cmd.Stderr = os.Stderr
	return cmd
}

// A drainer that is killed at any point loses nothing, and what it sent twice
// is one row. CAIRN_KILLS says how often; 100 is the promise.
func TestKilledDrainer(t *testing.T) {
	t.Parallel()
	kills := 5
	if n, err := strconv.Atoi(os.Getenv("CAIRN_KILLS")); err == nil {
		kills = n
	}
	d := newDouble(t)
	m := newMember(t, d)
	per := 40
	total := kills * per
	m.put(total)
	killed := 0
	for i := range kills {
		// Every process begins after the claims of the one before are old.
		cmd := m.process(d.URL, fmt.Sprintf("CAIRN_TEST_LATER=%dm", 2*i))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for wait := time.Now().Add(10 * time.Second); d.count("ship_logs") < i*per/2 && time.Now().Before(wait); {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(rand.IntN(40_000)) * time.Microsecond)
		if err := cmd.Process.Kill(); err == nil {
			killed++
		}
		_ = cmd.Wait()
	}
	last := m.process(d.URL, fmt.Sprintf("CAIRN_TEST_LATER=%dm", 2*kills+2))
	if out, err := last.Output(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if n := d.count("ship_logs"); n != total {
		t.Errorf("%d rows, want %d", n, total)
	}
	m.left(0, 0)
	t.Logf("%d kills, %d records, %d inserts", killed, total, d.takes)
}

// Processes that push at the same time lose nothing of each other's.
func TestParallelPushes(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	m := newMember(t, d)
	d.token.Store("another") // the first request of each finds the session over
	const n = 50
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if out, err := m.process(d.URL, fmt.Sprintf("CAIRN_TEST_PUT=%d", i+1)).Output(); err != nil {
				t.Errorf("%v %s", err, out)
			}
		})
	}
	wg.Wait()
	if d.count("ship_logs") != n || d.takes != n || d.refresh.Load() != 1 {
		t.Errorf("%d rows of %d inserts, %d refreshes", d.count("ship_logs"), d.takes, d.refresh.Load())
	}
	m.left(0, 0)
}
