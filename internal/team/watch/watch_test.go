package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/live"
	"cairn/test/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// A runner writes events into a file, as a runner of evals would.
type runner struct {
	t    *testing.T
	file string
}

func newRunner(t *testing.T) *runner {
	return &runner{t, filepath.Join(t.TempDir(), "posts.ndjson")}
}

type event map[string]any

func (r *runner) write(events ...event) {
	r.t.Helper()
	var text []byte
	for _, e := range events {
		line, err := json.Marshal(e)
		if err != nil {
			r.t.Fatal(err)
		}
		text = append(append(text, line...), '\n')
	}
	r.append(string(text))
}

func (r *runner) append(text string) {
	r.t.Helper()
	f, err := os.OpenFile(r.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
		err = firstError(err, f.Close())
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func start(total int) event {
	return event{"event": "start", "suite": "posts", "label": "dev_fix-terseness", "git_branch": "dev/fix-terseness", "git_sha": "a08ff4691234aa", "total": total, "pid": os.Getpid()}
}

func one(name, status string) event {
	return event{"event": "case", "name": name, "status": status, "duration_ms": 4200}
}

// fast are options under which a test need not wait.
func fast(source Source) Options {
	return Options{Source: source, Every: 5 * time.Millisecond, Idle: time.Hour, Beat: 50 * time.Millisecond}
}

// serving is a watch that runs until its test ends or stop is called.
type serving struct {
	*Watch
	stop func() Outcome
	done chan Outcome
}

func serve(t *testing.T, opts Options) *serving {
	t.Helper()
	w, other, err := Start(opts)
	if err != nil || w == nil {
		t.Fatalf("not started: %v, %s", err, other)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := &serving{Watch: w, done: make(chan Outcome, 1)}
	go func() {
		out, err := w.Run(ctx)
		if err != nil {
			t.Error(err)
		}
		s.done <- out
		close(s.done)
	}()
	var out Outcome
	s.stop = func() Outcome {
		cancel()
		if last, ok := <-s.done; ok {
			out = last
		}
		return out
	}
	t.Cleanup(func() { s.stop() })
	return s
}

// until waits until what is watched is so.
func (s *serving) until(t *testing.T, what string, so func(run *live.Run, state live.State) bool) {
	t.Helper()
	for end := time.Now().Add(browsertest.Patience); ; time.Sleep(2 * time.Millisecond) {
		s.mu.Lock()
		ok := so(&s.run, s.state)
		s.mu.Unlock()
		if ok {
			return
		}
		if time.Now().After(end) {
			s.mu.Lock()
			defer s.mu.Unlock()
			t.Fatalf("never: %s; %s %q, %+v, broken %+v, problem %q", what, s.state, s.why, s.run.Counts, s.run.Broken, s.problem)
		}
	}
}

func many(n int) (events []event) {
	for i := range n {
		status := "pass"
		if i%100 == 7 {
			status = "fail"
		}
		events = append(events, one(fmt.Sprintf("case_%04d", i), status))
	}
	return events
}

func clean(t *testing.T, tab *browsertest.Tab) {
	t.Helper()
	if bad := tab.Problems(); len(bad) > 0 {
		t.Errorf("the browser complains: %q", bad)
	}
}

// shots takes pictures of what is shown into $CAIRN_SHOTS, for people to look
// at: narrow and wide, light and dark.
func shots(tab *browsertest.Tab, name string) {
	dir := os.Getenv("CAIRN_SHOTS")
	if dir == "" {
		return
	}
	for _, width := range []int{360, 1280} {
		for _, dark := range []bool{false, true} {
			tab.Look(browsertest.View{Width: width, Dark: dark})
			tab.Eval("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))", nil)
			tab.Shot(filepath.Join(dir, fmt.Sprintf("%s-%d%s.png", name, width, map[bool]string{true: "-dark"}[dark])))
		}
	}
	tab.Look(browsertest.View{})
}

func names(tab *browsertest.Tab) []string {
	var text string
	tab.Eval(`[...document.querySelectorAll("#rows .name")].map(e => e.textContent).join("\n")`, &text)
	return strings.Split(text, "\n")
}
