package watch

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/live"
)

// polled is the names of a run's rows after one look at the source.
func polled(t *testing.T, s Source, run *live.Run) string {
	t.Helper()
	for more := true; more; {
		var err error
		if _, more, err = s.Poll(run, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	for _, r := range run.Rows {
		names = append(names, r.Name)
	}
	return strings.Join(names, " ")
}

func TestFile(t *testing.T) {
	r := newRunner(t)
	s, run := File(r.file), &live.Run{}
	step := func(what, want string) {
		t.Helper()
		if got := polled(t, s, run); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	step("not there yet", "")
	r.append(`{"event":"start"}` + "\n" + `{"name":"a","passed":true}` + "\r\n" + `{"name":"b","pas`)
	step("half a line waits", "a")
	r.append(`sed":true}` + "\n")
	step("its other half", "a b")
	step("nothing new", "a b")
	if err := os.WriteFile(r.file, []byte(`{"name":"c","passed":true}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	step("truncated and written anew", "c")
	if err := os.WriteFile(r.file, []byte(`{"name":"d","passed":true}`+"\n"+strings.Repeat(`{"event":"other"}`+"\n", 10)), 0o600); err != nil {
		t.Fatal(err)
	}
	step("written anew and longer than before", "d")
	next := r.file + ".next"
	if err := firstError(os.WriteFile(next, []byte(`{"name":"e","passed":true}`+"\n"), 0o600), os.Rename(next, r.file)); err != nil {
		t.Fatal(err)
	}
	step("replaced", "e")
	pad := strings.Repeat(`{"event":"other"}`+"\n", headBytes/10)
	name := func(names ...string) (text string) {
		for _, n := range names {
			text += `{"name":"` + n + `","passed":true}` + "\n"
		}
		return pad + text
	}
	if err := os.WriteFile(r.file, []byte(name("f", "g", "h")), 0o600); err != nil {
		t.Fatal(err)
	}
	step("three", "f g h")
	if err := os.Truncate(r.file, int64(len(name("f")))); err != nil {
		t.Fatal(err)
	}
	step("truncated, with the same beginning", "f")
	if err := firstError(os.WriteFile(next, []byte(name("i", "j")), 0o600), os.Rename(next, r.file)); err != nil {
		t.Fatal(err)
	}
	step("replaced, with the same beginning", "i j")
	if err := os.Remove(r.file); err != nil {
		t.Fatal(err)
	}
	step("removed", "i j")
	if run.Broken.Lines != 0 {
		t.Errorf("broken: %+v", run.Broken)
	}
}

func TestLongLine(t *testing.T) {
	r := newRunner(t)
	s, run := File(r.file), &live.Run{}
	r.append(`{"event":"start"}` + "\n" + `{"name":"` + strings.Repeat("x", live.MaxLine+pollBytes) + `","passed":true}` + "\n" + `{"name":"b","passed":true}` + "\n")
	if got := polled(t, s, run); got != "b" || run.Broken.Lines != 1 || !strings.Contains(run.Broken.Why, "longer than") {
		t.Errorf("%q, broken %+v", got, run.Broken)
	}
}

// A file that is one run of version 1 is read whole, each time it changed.
func TestDocument(t *testing.T) {
	for _, form := range []string{"{\n \"schema_version\": 1,\n \"total\": 5, \"passed\": 5, \"failed\": 0,\n \"all_results\": [%s]}\n", `{"schema_version":1,"total":5,"passed":5,"failed":0,"all_results":[%s]}`} {
		r := newRunner(t)
		s, run := File(r.file), &live.Run{}
		for _, c := range []struct{ results, want string }{
			{`{"name":"a","passed":true}`, "a"},
			{`{"name":"a","passed":true},{"name":"b","passed":true}`, "a b"},
			{`{"name":"a","passed":true},{"na`, "a b"}, // in the middle of being written
			{`{"name":"a","passed":true},{"name":"b","passed":true},{"name":"c","passed":true}`, "a b c"},
		} {
			text := fmt.Sprintf(form, c.results)
			if err := os.WriteFile(r.file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := polled(t, s, run); got != c.want || run.Expected != 5 {
				t.Errorf("%q of %d, want %q of 5", got, run.Expected, c.want)
			}
		}
		if err := os.WriteFile(r.file, []byte("garbage"), 0o600); err != nil {
			t.Fatal(err)
		}
		var err error
		for range patience {
			_, _, err = s.Poll(run, time.Now())
		}
		if err == nil || !strings.Contains(err.Error(), "posts.ndjson") {
			t.Errorf("a file that stays unreadable: %v", err)
		}
	}
}

func TestWorkers(t *testing.T) {
	dir := t.TempDir()
	s, run := Suite("posts", filepath.Join(dir, "live"), dir), &live.Run{}
	write := func(name, results string) {
		t.Helper()
		file := filepath.Join(dir, "posts", name)
		err := firstError(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(`{"schema_version":1,"suite":"posts","all_results":[`+results+`]}`), 0o600))
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := polled(t, s, run); got != "" {
		t.Errorf("before: %q", got)
	}
	write("worker_4711.json", `{"name":"a","passed":true}`)
	write("other.json", `{"name":"x","passed":true}`)
	if got := polled(t, s, run); got != "a" {
		t.Errorf("one worker: %q", got)
	}
	write("worker_4712.json", `{"name":"b","passed":false}`)
	write("worker_4711.json", `{"name":"a","passed":true},{"name":"c","passed":true}`)
	if got := polled(t, s, run); got != "a c b" {
		t.Errorf("two workers: %q", got)
	}
	if _, pids := s.Around(); len(pids) != 2 || pids[0]+pids[1] != 4711+4712 {
		t.Errorf("workers %v", pids)
	}
}

// Without a name it is the suite that was written to last.
func TestNewest(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"old", "new", "older"} {
		file := filepath.Join(dir, name+".ndjson")
		when := time.Now().Add(-time.Duration([]int{10, 1, 20}[i]) * time.Hour)
		if err := firstError(os.WriteFile(file, []byte(`{"name":"`+name+`","passed":true}`+"\n"), 0o600), os.Chtimes(file, when, when)); err != nil {
			t.Fatal(err)
		}
	}
	s := Suite("", dir, dir)
	if got := polled(t, s, &live.Run{}); got != "new" || s.Name() != filepath.Join(dir, "new.ndjson") {
		t.Errorf("%q of %s", got, s.Name())
	}
}

func TestStream(t *testing.T) {
	in, out := io.Pipe()
	opts := fast(Stream("stdin", in))
	s := serve(t, opts)
	fmt.Fprintf(out, "%s\n%s", `{"event":"start","total":2}`, `{"name":"a",`)
	s.until(t, "one line", func(run *live.Run, _ live.State) bool { return run.Lines == 1 })
	fmt.Fprint(out, `"passed":true}`)
	out.Close()
	s.until(t, "the last line, without an end", func(run *live.Run, state live.State) bool {
		return run.Counts.Passed == 1 && state == live.Crashed
	})
}
