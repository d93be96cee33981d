package client

import (
	"os"
	"strings"
	"testing"

	"cairn/internal/home"
)

func TestLog(t *testing.T) {
	t.Parallel()
	h := home.Home(t.TempDir())
	l := OpenLog(h)
	l.Add("PUSH", "eval_runs", "OK", "5 tests, 0.3s")
	l.Add("PUSH", "ship_logs", "QUEUED", "two\nlines\x1b[31m "+strings.Repeat("x", 500))
	line, ok := l.Last(func(l Line) bool { return l.Outcome == "OK" })
	if !ok || line.Verb != "PUSH" || line.What != "eval_runs" || line.More != "5 tests, 0.3s" || line.At.IsZero() {
		t.Errorf("%+v", line)
	}
	data, _ := os.ReadFile(l.File())
	if n := strings.Count(string(data), "\n"); n != 2 || strings.Contains(string(data), "\x1b") {
		t.Errorf("%d lines in %q", n, data)
	}
	for range 20_000 {
		l.Add("PUSH", "eval_runs", "OK", strings.Repeat("y", 100))
	}
	for _, name := range []string{l.File(), l.File() + ".1"} {
		if fi, err := os.Stat(name); err != nil || fi.Size() > mostLog+1000 || fi.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, fi, err)
		}
	}
	if entries, _ := os.ReadDir(string(h)); len(entries) != 2 {
		t.Errorf("%v", entries)
	}
	(*Log)(nil).Add("a", "b", "c", "d")
}
