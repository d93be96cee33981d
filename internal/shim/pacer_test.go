package shim

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/compact"
	"cairn/internal/compact/rule"
	"cairn/internal/host"
)

// A watched run is a pacer with a clock that the test moves.
type watched struct {
	*testing.T
	*pacer
	clock time.Time
	seen  int // bytes of stdout
}

func watch(t *testing.T, patient bool, call Call, args ...string) *watched {
	t.Helper()
	return watchIn(t, "", patient, call, args...)
}

// watchIn is watch where the host's setting is the timeout of every call.
func watchIn(t *testing.T, timeout string, patient bool, call Call, args ...string) *watched {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { out.Close() })
	w := &watched{T: t, clock: time.Unix(1e9, 0)}
	claude, _ := host.Sourcing()
	w.pacer = newPacer(Options{
		Args: args, Stdout: out,
		Timeout: claude.UsualTimeout(func(k string) string { return map[string]string{"BASH_DEFAULT_TIMEOUT_MS": timeout}[k] }),
		Compact: compact.Options{Level: compact.Normal, Library: rule.Load()},
	}, call)
	if w.patient != patient {
		t.Fatalf("%q: patient is %v", args, w.patient)
	}
	w.now = func() time.Time { return w.clock }
	w.begin()
	return w
}

// after lets time pass in steps, as child.File does, the tool writing at
// each of them, and returns what was shown since the last time.
func (w *watched) after(d time.Duration, chunk string) string {
	w.Helper()
	const step = 500 * time.Millisecond
	for range d / step {
		w.clock = w.clock.Add(step)
		w.follow([]byte(chunk))
	}
	return w.shownSince()
}

func (w *watched) shownSince() string {
	w.Helper()
	data, err := os.ReadFile(w.o.Stdout.Name())
	if err != nil {
		w.Fatal(err)
	}
	text := string(data[w.seen:])
	w.seen = len(data)
	return text
}

func (w *watched) ends(exit int) string {
	w.Helper()
	w.finish(exit)
	return w.shownSince()
}

func rows(from, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "row %d of the output\n", from+i)
	}
	return b.String()
}

func TestFiniteIsHeld(t *testing.T) {
	w := watch(t, true, Call{}, "make", "all")
	w.follow([]byte(rows(0, 1000)))
	if got := w.after(29*time.Second, ""); got != "" {
		t.Errorf("shown early: %q", got)
	}
	if got := w.ends(0); !strings.HasPrefix(got, "[cairn: 1,000 → ") || strings.Contains(got, "parts") {
		t.Errorf("at the end: %.200q", got)
	}
}

func TestFiniteIsShownAtLast(t *testing.T) {
	for _, tt := range []struct {
		call Call
		env  string
		hold time.Duration
	}{
		{Call{}, "", 30 * time.Second},
		{Call{Timeout: 10 * time.Minute}, "", 30 * time.Second},
		{Call{Timeout: 20 * time.Second}, "", 16 * time.Second},
		{Call{}, "20000", 16 * time.Second},
		{Call{Timeout: 20 * time.Second}, "60000", 16 * time.Second},
	} {
		w := watchIn(t, tt.env, true, tt.call, "make", "all")
		w.follow([]byte(rows(0, 1000)))
		early := w.after(tt.hold-time.Second, "")
		first := w.after(2*time.Second, "")
		if early != "" || !strings.Contains(first, "row 999 of the output\n") || strings.Contains(first, "[cairn") || strings.Contains(first, "row 500 ") {
			t.Errorf("%+v: early %.100q, then %.200q", tt.call, early, first)
		}
		w.follow([]byte(rows(1000, 1000)))
		next := w.after(3*time.Second, "")
		if !strings.Contains(next, "row 1999 of the output\n") || strings.Contains(next, "row 999 ") {
			t.Errorf("%+v: the next part: %.200q", tt.call, next)
		}
		last := w.ends(2)
		var before, after string
		if n, _ := fmt.Sscanf(last, "[cairn: %s → %s lines in 2 parts", &before, &after); n != 2 || before != "2,000" || !strings.HasSuffix(last, "]\n") {
			t.Errorf("%+v: the totals: %q", tt.call, last)
		}
	}
}

func TestOtherIsShownWhenSilent(t *testing.T) {
	w := watch(t, false, Call{}, "terraform", "apply")
	w.follow([]byte("migrating\n  step 1\nready? "))
	if got := w.after(1500*time.Millisecond, ""); got != "" {
		t.Errorf("shown early: %q", got)
	}
	if got := w.after(time.Second, ""); got != "migrating\n  step 1\nready? " {
		t.Errorf("after 2 s of silence: %q", got)
	}
	if got := w.after(10*time.Second, ""); got != "" {
		t.Errorf("nothing is new, but %q", got)
	}
	w.follow([]byte("yes\n"))
	if got := w.ends(0); got != "yes\n" { // nothing was cut: there is nothing to total
		t.Errorf("at the end: %q", got)
	}
}

func TestNeverSilent(t *testing.T) {
	w := watch(t, false, Call{}, "terraform", "apply")
	if got := w.after(29*time.Second, "tick\n  and its detail\n"); got != "" {
		t.Errorf("shown early: %q", got)
	}
	first := w.after(time.Second, "tick\n  and its detail\n")
	if first == "" || !strings.HasSuffix(first, "\n") || strings.HasSuffix(first, "tick\n") {
		t.Errorf("a part that ends inside a record: %q", first)
	}
	if got := w.after(9*time.Second, "tick\n  and its detail\n"); got != "" {
		t.Errorf("parts come too often: %q", got)
	}
	if got := w.after(2*time.Second, "tick\n  and its detail\n"); got == "" {
		t.Error("no second part")
	}
}

// However short the timeout is, something comes before it.
func TestShortTimeout(t *testing.T) {
	w := watch(t, true, Call{Timeout: 5 * time.Second}, "make", "all")
	if got := w.after(3500*time.Millisecond, "tick\n"); got != "" {
		t.Errorf("shown early: %q", got)
	}
	if got := w.after(time.Second, "tick\n"); got == "" {
		t.Error("nothing was shown at 80 % of the timeout")
	}
}

// Totals stand on a line of their own, also after a last line that has no end.
func TestTotalsAfterAnOpenLine(t *testing.T) {
	w := watch(t, false, Call{}, "terraform", "apply")
	w.follow([]byte(rows(0, 2000) + "listening"))
	part := w.after(3*time.Second, "")
	if !strings.HasSuffix(part, "\nlistening") {
		t.Fatalf("the part: %.300q", part)
	}
	if got := w.ends(0); !strings.HasPrefix(got, "\n[cairn: 2,001 → ") || !strings.Contains(got, " in 1 part · ops/terraform") {
		t.Errorf("the end: %q", got)
	}
}

// What is not text passes at once; a stdout that is full stops nothing.
func TestBytesAndHardship(t *testing.T) {
	w := watch(t, true, Call{}, "make", "all")
	w.follow([]byte("\xff\xfe\n" + rows(0, 1000)))
	if got := w.shownSince() + w.ends(0); got != "\xff\xfe\n"+rows(0, 1000) {
		t.Errorf("bytes became %.200q", got)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	w = watch(t, false, Call{}, "terraform", "apply")
	w.o.Stdout = full
	w.follow([]byte(rows(0, 10)))
	w.clock = w.clock.Add(3 * time.Second)
	w.follow(nil)
	w.follow([]byte(rows(10, 10)))
	w.finish(0)
	if w.hardship == nil {
		t.Error("a full disk went unnoticed")
	}
}
