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
	"sync"
	"time"

	"cairn/internal/alive"
	"cairn/internal/team/live"
	"cairn/internal/team/loopback"
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
	*loopback.Door
	opts Options
	boot string
}

// Start listens, and tells other processes where. With a source that another
// process watches already it returns that one's address instead, and no Watch.
func Start(opts Options) (w *Watch, other string, err error) {
	opts.Unsure = cmp.Or(opts.Unsure, 10*time.Minute)
	opts.Quiet = cmp.Or(opts.Quiet, 2*time.Minute)
	opts.Every = cmp.Or(opts.Every, 250*time.Millisecond)
	opts.Beat = cmp.Or(opts.Beat, 15*time.Second)
	w = &Watch{opts: opts, boot: rand.Text()[:8]}
	w.wake = make(chan struct{})
	if opts.Key == "" {
		return w, "", w.listen(opts.Port, "")
	}
	unlock, err := lockFile(opts.Dir, opts.Key)
	if err != nil {
		return nil, "", err
	}
	defer unlock()
	token := ""
	before, known := readState(opts.Dir, opts.Key)
	if known {
		if url, ok := before.ask(opts.Key); ok {
			return nil, url, nil
		}
		token = before.Token // a page that is still open finds us again
	}
	if opts.Port == 0 && known {
		err = w.listen(before.Port, token)
	}
	if w.Door == nil {
		err = w.listen(opts.Port, token)
	}
	if err != nil {
		return nil, "", err
	}
	return w, "", writeState(opts.Dir, w.about())
}

func (w *Watch) listen(port int, token string) (err error) {
	w.Door, err = loopback.Listen(port, token, "cairn eval watch")
	return err
}

// Run follows the source and serves until ctx ends or nobody looks any more.
func (w *Watch) Run(ctx context.Context) (Outcome, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	end := w.Serve(w)

	idle := w.follow(ctx)
	reason := "stopped"
	if idle {
		reason = "idle"
	}
	w.say(reason)
	err := end()
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
