// Package watch shows a run of evals in a browser while it is going on: it
// follows what runners write, and serves one page on this machine.
//
// Package cli starts it. What lines mean is package live's; nothing here
// changes, stores or sends results, and nothing listens but on loopback.
package watch

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"cairn/internal/alive"
	"cairn/internal/team/live"
	"cairn/internal/team/result"
)

// Options say what is watched and for how long. Zero durations are defaults,
// but for Idle.
type Options struct {
	Source Source
	Key    string // what a second watch of the same source would say too; "" shares nothing
	Dir    string // of the files by which one watch finds another
	Port   int    // 0 is one that is free
	Host   string // the name of this machine

	Price func(result.Cost) (usd float64, known bool) // of tokens, where the runner tells no dollars; may be nil
	Push  func(source string) string                  // the command that stores a run, shown when it is finished; may be nil

	Idle   time.Duration // how long it goes on without a viewer when the run is over
	Unsure time.Duration // the same, at least, when it is not known to be over; 10 minutes
	Quiet  time.Duration // how long a runner of unknown fate may be silent; 2 minutes
	Every  time.Duration // how often the source is asked; 250 ms
	Beat   time.Duration // how often a silent connection is kept alive; 15 s
}

// An Outcome is how it stood when the watch ended.
type Outcome struct {
	Run    live.Run
	State  live.State
	Why    string
	Source string // its name at last
	Idle   bool   // it ended by itself
}

// hub is what the follower writes and the viewers read.
type hub struct {
	mu      sync.Mutex
	run     live.Run
	state   live.State
	why     string
	problem string // why the source cannot be read
	bye     string // why the watch ends
	wake    chan struct{}
	viewers int
	left    time.Time // when the last viewer left, or the state changed
}

// A Watch is a page that is being served.
type Watch struct {
	hub
	opts   Options
	ln     net.Listener
	token  string
	boot   string
	ticket tickets
}

// Start listens, and tells other processes where. With a source that another
// process watches already it returns that one's address instead, and no Watch.
func Start(opts Options) (w *Watch, other string, err error) {
	opts.Unsure = cmp.Or(opts.Unsure, 10*time.Minute)
	opts.Quiet = cmp.Or(opts.Quiet, 2*time.Minute)
	opts.Every = cmp.Or(opts.Every, 250*time.Millisecond)
	opts.Beat = cmp.Or(opts.Beat, 15*time.Second)
	w = &Watch{opts: opts, token: rand.Text(), boot: rand.Text()[:8]}
	w.wake = make(chan struct{})
	if opts.Key == "" {
		return w, "", w.listen(opts.Port)
	}
	unlock, err := lockFile(opts.Dir, opts.Key)
	if err != nil {
		return nil, "", err
	}
	defer unlock()
	before, known := readState(opts.Dir, opts.Key)
	if known {
		if url, ok := before.ask(opts.Key); ok {
			return nil, url, nil
		}
		w.token = before.Token // a page that is still open finds us again
	}
	if opts.Port == 0 && known {
		err = w.listen(before.Port)
	}
	if w.ln == nil {
		err = w.listen(opts.Port)
	}
	if err != nil {
		return nil, "", err
	}
	return w, "", writeState(opts.Dir, w.about())
}

func (w *Watch) listen(port int) error {
	ln, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("port %d of 127.0.0.1 cannot be had: %w", port, err)
	}
	w.ln = ln
	return nil
}

// Port is where it listens.
func (w *Watch) Port() int { return w.ln.Addr().(*net.TCPAddr).Port }

// URL is the address of the page. Who knows it may look.
func (w *Watch) URL() string { return address(w.Port(), w.token) }

func address(port int, token string) string {
	return "http://127.0.0.1:" + strconv.Itoa(port) + "/" + token + "/"
}

// OpenURL is an address that leads to the page once, within a minute: what the
// command line of a browser shows to everybody is of no use afterwards.
func (w *Watch) OpenURL() string {
	return "http://127.0.0.1:" + strconv.Itoa(w.Port()) + "/open/" + w.ticket.issue(time.Now())
}

// Run follows the source and serves until ctx ends or nobody looks any more.
func (w *Watch) Run(ctx context.Context) (Outcome, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	srv := &http.Server{
		Handler: w, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog: silent(),
	}
	var active conns
	srv.ConnState = active.note
	served := make(chan error, 1)
	go func() { served <- srv.Serve(w.ln) }()

	idle := w.follow(ctx)
	reason := "stopped"
	if idle {
		reason = "idle"
	}
	w.say(reason)
	_ = w.ln.Close()
	active.wait(3 * time.Second)
	_ = srv.Close()
	err := <-served
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		err = nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return Outcome{Run: w.run, State: w.state, Why: w.why, Source: w.opts.Source.Name(), Idle: idle}, err
}

// follow asks the source again and again; it returns true when nobody has
// looked for long.
func (w *Watch) follow(ctx context.Context) (idle bool) {
	tick := time.NewTicker(w.opts.Every)
	defer tick.Stop()
	w.left = time.Now()
	for crashes := 0; ; {
		more := w.look(&crashes)
		if w.isIdle(time.Now()) {
			return true
		}
		if more && ctx.Err() == nil {
			continue
		}
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
}

// look asks the source once and wakes the viewers when there is news. That a
// runner is gone counts when the source was asked once more since: what it
// wrote last may have been missed.
func (w *Watch) look(crashes *int) (more bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	news, more, err := w.opts.Source.Poll(&w.run, now)
	problem := ""
	if err != nil {
		problem = err.Error()
	}
	over, pids := w.opts.Source.Around()
	state, why := w.run.State(live.Around{Now: now, Alive: alive.Process, Here: w.opts.Host, PIDs: pids, Over: over, Quiet: w.opts.Quiet})
	if state == live.Crashed || state == live.Finished {
		if *crashes++; *crashes < 2 || more {
			state, why = w.state, w.why
		}
	} else {
		*crashes = 0
	}
	state = cmp.Or(state, live.Waiting)
	if news || state != w.state || why != w.why || problem != w.problem {
		if state != w.state {
			w.left = now
		}
		w.state, w.why, w.problem = state, why, problem
		w.wakeAll()
	}
	return more
}

// isIdle reports whether nobody looks and nothing happens. Before a run has
// begun, or while nobody knows whether it goes on, patience is longer.
func (w *Watch) isIdle(now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	limit := w.opts.Idle
	switch w.state {
	case live.Running:
		return false
	case live.Waiting, live.Silent:
		limit = max(limit, w.opts.Unsure)
	}
	return w.viewers == 0 && now.Sub(w.left) >= limit
}

// say tells the viewers that the watch ends.
func (w *Watch) say(bye string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bye = bye
	w.wakeAll()
}

// wakeAll lets every viewer look again; the lock is held.
func (h *hub) wakeAll() {
	close(h.wake)
	h.wake = make(chan struct{})
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
