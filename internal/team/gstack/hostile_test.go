//go:build unix

package gstack

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"cairn/internal/team/result"
	"cairn/test/cairntest"
)

// Whatever lies where a file is expected, the import ends, tells of it, and
// takes the rest.
func TestHostile(t *testing.T) {
	w := newWorld(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(w.root, filepath.FromSlash(name)) }
	good := w.put(evals+"good.json", "@eval-result.gstack.json")
	dir := filepath.Dir(good)
	w.put(evals+"empty.json", "")
	w.put(evals+"binary.json", "\x00\x01\x02")
	w.put(evals+"torn.json", w.sample("eval-result.gstack.json")[:700])
	w.put(evals+"bad\xff\x1b[31m.json", "[")
	w.put(evals+"deep.json", strings.Repeat("[", 200_000))
	must(syscall.Mkfifo(filepath.Join(dir, "pipe.json"), 0o600))
	must(os.Symlink(good, filepath.Join(dir, "link.json")))
	must(os.Symlink(dir, filepath.Join(dir, "loop")))
	must(os.Symlink("self.json", filepath.Join(dir, "self.json")))
	must(os.MkdirAll(at(evals+"a/b/c/d/e/f/g/h"), 0o755))
	huge := w.put(evals+"huge.json", "{")
	must(os.Truncate(huge, result.MaxBytes+1))

	must(os.MkdirAll(at("gstack/config.yaml"), 0o755))
	must(syscall.Mkfifo(at("gstack/greptile-history.md"), 0o600))
	must(os.MkdirAll(at("gstack/sync-queue.json/x"), 0o755))
	w.put("gstack/retros", "a file")
	w.put("app/.gstack/qa-reports/baseline.json", `{"url":7}`)
	must(os.MkdirAll(at("elsewhere"), 0o755))
	w.put("elsewhere/a.json", "@retro.json")
	must(os.MkdirAll(at("app/.context"), 0o755))
	must(os.Symlink(at("elsewhere"), at("app/.context/retros")))
	w.put("gstack/projects/acme-app/timeline.jsonl", strings.Repeat("x", 3*mostLine)+"\n"+w.sample("timeline.jsonl"))
	w.put("gstack/projects/.DS_Store", "")
	must(os.Symlink(at("gstack/projects"), at("gstack/projects/round")))

	unreadable := os.Geteuid() != 0
	if unreadable {
		w.put(evals+"secret.json", "{}")
		must(os.Chmod(at(evals+"secret.json"), 0))
		must(os.MkdirAll(at(evals+"closed"), 0))
		t.Cleanup(func() { _ = os.Chmod(at(evals+"closed"), 0o755) })
	}

	keep := &shelf{}
	done := make(chan *Report, 1)
	go func() { done <- w.read(keep) }()
	var r *Report
	select {
	case r = <-done:
	case <-time.After(time.Minute):
		t.Fatal("it waits for something")
	}
	if len(keep.runs) != 1 || len(keep.rows) != 1 {
		t.Errorf("%d runs, %d rows", len(keep.runs), len(keep.rows))
	}
	for name, why := range map[string]string{
		"empty.json": "empty", "binary.json": "", "torn.json": "ends in the middle", "bad\xff\x1b[31m.json": "", "deep.json": "",
		"pipe.json": "not a regular file", "link.json": linkWhy, "self.json": linkWhy, "g": "too many directories", "huge.json": "at most 100 MB",
		"config.yaml": "not a regular file", "greptile-history.md": "not a regular file", "sync-queue.json": "not a regular file",
		"retros": "this must be a directory; " + linkWhy, "baseline.json": "must be a string, not a number", "timeline.jsonl": "a line of more than 1 MB",
	} {
		if got := r.why(name); got == "" || !strings.Contains(got, why) {
			t.Errorf("%q: %q, want %q", name, got, why)
		}
	}
	if unreadable && (!strings.Contains(r.why("secret.json"), "permission denied") || !strings.Contains(r.why("closed"), "permission denied")) {
		t.Errorf("%+v", r.Left)
	}
}

// A log that is wrong all over takes no memory for each line.
func TestManyWrongLines(t *testing.T) {
	cairntest.Long(t)
	w := newWorld(t)
	w.put("gstack/projects/acme-app/timeline.jsonl", string(bytes.Repeat([]byte("{\n"), 50_000)))
	r := w.read(&shelf{})
	w.want(r, Count{Ships, 50_000, 0, 0, 50_000})
	if len(r.Left) != mostWrong || r.Bad() != 50_000 {
		t.Errorf("%d entries, %d bad", len(r.Left), r.Bad())
	}
}
