package compact

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/redact"
	"cairn/test/cairntest"
)

// stored is the output under the id that a result names.
func stored(t *testing.T, dir string, res Result) string {
	t.Helper()
	if !strings.Contains(res.Reduced, "cairn compact show "+res.Meta.TeeID+"]") || res.Meta.TeeID == "" {
		t.Fatalf("no way back: %.300s", res.Reduced)
	}
	data, err := os.ReadFile(filepath.Join(dir, res.Meta.TeeID+".log"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Whatever is cut can be had again, byte for byte but for secrets: of a success
// of a few lines, and of an output that is too large to be held.
func TestEveryCutHasAWayBack(t *testing.T) {
	t.Parallel()
	secret := "password=" + "hunter2hunter2\n"
	large := numbered(60_000, "INFO request %d served from the cache after it was asked for once more, with no other trouble than that")
	for name, text := range map[string]string{
		"small":   strings.Repeat("=== RUN   TestA\n--- PASS: TestA (0.00s)\n", 40) + secret + "ok  \tx\t0.1s",
		"CRLF":    numbered(300, "INFO request %d served\r"),
		"large":   large[:5<<20] + secret + large[5<<20:],
		"no ends": strings.Repeat("x", rawWhole+rawEnd) + "\n" + strings.Repeat("y", rawWhole) + "\nend",
	} {
		for how, take := range map[string]func(*Stream, []byte){
			"at once": func(q *Stream, p []byte) { q.Write(p) },
			"chunks": func(q *Stream, p []byte) {
				for len(p) > 0 {
					n := min(len(p), 65_537)
					q.Write(p[:n])
					p = p[n:]
				}
			},
		} {
			dir := t.TempDir()
			q := NewStream(Envelope{Command: "go test -v ./..."}, Options{Level: Normal, Tee: Tee{Dir: dir}})
			take(q, []byte(text))
			res := q.Finish(new(int))
			if got := stored(t, dir, res); got != redact.Text(text) {
				t.Errorf("%s, %s: %d bytes stored of %d: %.200q", name, how, len(got), len(text), got)
			}
			if files, _ := filepath.Glob(filepath.Join(dir, "*.log")); len(files) != 1 {
				t.Errorf("%s, %s: %d files", name, how, len(files))
			}
		}
	}
}

// Of what is larger than a stored output may be both ends are there, and how
// much is missing between them.
func TestStoredEnds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := numbered(100_000, "INFO request %d served from the cache after it was asked for once more")
	s := NewStream(Envelope{Command: "tail app.log"}, Options{Level: Normal, Tee: Tee{Dir: dir, MaxBytes: 2 << 20}})
	s.Write([]byte(text))
	got := stored(t, dir, s.Finish(new(int)))
	head, tail, ok := strings.Cut(got, "\n[… ")
	missing, tail, _ := strings.Cut(tail, " bytes …]\n")
	if !ok || !strings.HasPrefix(text, head) || !strings.HasSuffix(text, tail) || len(got) > 2<<20+100 || len(got) < 2<<20-1<<10 {
		t.Errorf("%d bytes: %.100q … %q", len(got), head, missing)
	}
	if want := fmt.Sprint(len(text) - len(head) - len(tail)); strings.ReplaceAll(missing, ",", "") != want {
		t.Errorf("%s bytes missing, in truth %s", missing, want)
	}
}

// A session that asks for the same a second time gets what was left out. What
// has changed, and what another asks for, is cut as before.
func TestSecondAsk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ask := func(session, command, text string) Result {
		return Compact(Envelope{Command: command, CombinedText: text}, Options{Level: Normal, Tee: Tee{Dir: dir, Session: session}})
	}
	text := numbered(400, "--- PASS: Test%d (0.00s)")
	first := ask("one", "go test -v ./...", text)
	stored(t, dir, first)
	if res := ask("one", "go test -v ./...", text); res.Reduced != text || !res.Meta.Again || res.Meta.TeeID != "" {
		t.Errorf("the second ask: %+v: %.100s", res.Meta, res.Reduced)
	}
	if res := ask("one", "go test -v ./...", text); res.Reduced != text {
		t.Errorf("the third ask: %.100s", res.Reduced)
	}
	for name, res := range map[string]Result{
		"another session": ask("two", "go test -v ./...", text),
		"another command": ask("one", "go test -v ./other", text),
		"another output":  ask("one", "go test -v ./...", text+"ok\n"),
		"nobody":          ask("", "go test -v ./...", text),
		"nobody again":    ask("", "go test -v ./...", text),
	} {
		if res.Meta.Unchanged || res.Meta.TeeID == first.Meta.TeeID {
			t.Errorf("%s: %+v", name, res.Meta)
		}
		stored(t, dir, res)
	}
	if res := Compact(Envelope{Command: "go test -v ./...", CombinedText: text}, Options{Level: Normal, Tee: Tee{Dir: dir, Dry: true}}); res.Meta.TeeID != dryID || res.Meta.TeeFile != nil {
		t.Errorf("a replay: %+v", res.Meta)
	}
}

// Ids may be taken by other outputs.
func TestIDsThatAreTaken(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := numbered(400, "--- PASS: Test%d (0.00s)")
	opt := Options{Level: Normal, Tee: Tee{Dir: dir, Session: "one"}}
	ids := idsOf("one", "", "go test -v ./...", "", text)
	for try := range 3 {
		if err := os.WriteFile(filepath.Join(dir, ids(try)+".log"), []byte("another"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := Envelope{Command: "go test -v ./...", CombinedText: text}
	if got := stored(t, dir, Compact(env, opt)); got != text {
		t.Errorf("got %.100q", got)
	}
	if res := Compact(env, opt); !res.Meta.Again {
		t.Errorf("the second ask: %+v", res.Meta)
	}
}

// What is stored is bounded: the oldest go first.
func TestStoredTotal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range 5 {
		name := filepath.Join(dir, fmt.Sprintf("old%d.log", i))
		if err := os.WriteFile(name, make([]byte, 1000), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(time.Duration(i-10) * time.Minute)
		os.Chtimes(name, at, at)
	}
	text := numbered(100, "--- PASS: Test%d (0.00s)")
	res := Compact(Envelope{Command: "go test -v ./...", CombinedText: text}, Options{Level: Normal, Tee: Tee{Dir: dir, MaxTotal: int64(len(text)) + 2500}})
	stored(t, dir, res)
	var left []string
	files, _ := filepath.Glob(filepath.Join(dir, "old*.log"))
	for _, f := range files {
		left = append(left, filepath.Base(f))
	}
	if fmt.Sprint(left) != "[old3.log old4.log]" {
		t.Errorf("left are %v", left)
	}
}

// A disk that is full while a large output comes in costs what is stored.
func TestSpillFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := NewStream(Envelope{Command: "tail app.log"}, Options{Level: Normal, Tee: Tee{Dir: dir}})
	s.Write([]byte(numbered(100_000, "INFO request %d served from the cache after it was asked for")))
	if s.raw.spill == nil {
		t.Fatal("it is held whole")
	}
	s.raw.spill.file.Close()
	s.Write([]byte(numbered(100_000, "INFO request %d served from the cache after it was asked for")))
	res := s.Finish(new(int))
	files, _ := filepath.Glob(filepath.Join(dir, "*.log"))
	if !res.Meta.TeeFailed || res.Meta.TeeID != "" || strings.Contains(res.Reduced, "raw:") || len(files) > 0 {
		t.Errorf("%+v, %v: %.200s", res.Meta, files, res.Reduced)
	}
}

// A large output is written while it comes in: memory does not grow with it.
func TestSpillIsBounded(t *testing.T) {
	cairntest.Long(t)
	dir := t.TempDir()
	s := NewStream(Envelope{Command: "tail app.log"}, Options{Level: Normal, Tee: Tee{Dir: dir}})
	line := numbered(10_000, "INFO request %d served from the cache after it was asked for")
	total := 0
	for total < 48<<20 {
		total += len(line)
		s.Write([]byte(line))
		if held := cap(s.raw.held) + cap(s.raw.ring); held > 16<<20 {
			t.Fatalf("%d bytes are held after %d", held, total)
		}
	}
	if got := stored(t, dir, s.Finish(new(int))); len(got) > teeBytes+100 || len(got) < teeBytes-1<<20 {
		t.Errorf("%d bytes stored of %d", len(got), total)
	}
}
