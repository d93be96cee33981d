package eval

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"cairn/internal/team/result"
)

// aRun is one of day n with a case that passed.
func aRun(n int) *result.Run {
	run := &result.Run{SchemaVersion: 1, Suite: "s", Label: "main", Timestamp: result.Time{Time: day0.AddDate(0, 0, n)}, Results: []result.Result{{Name: "a", Status: result.Pass, Passed: true}}}
	run.Derive()
	return run
}

// put stores runs of the days.
func put(t *testing.T, s *Store, days ...int) []Entry {
	t.Helper()
	var entries []Entry
	for _, n := range days {
		e, fresh, err := s.Put(aRun(n))
		if err != nil || !fresh {
			t.Fatal(e, fresh, err)
		}
		entries = append(entries, e)
	}
	return entries
}

// list returns the days of the month of what a store lists.
func list(t *testing.T, s *Store) string {
	t.Helper()
	entries, broken, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	days := []string{}
	for _, e := range entries {
		days = append(days, fmt.Sprint(e.Time.Day()))
		if e.Suite != "s" || e.Total != 1 || !strings.HasSuffix(e.File, "-main-"+e.ID+".json") {
			t.Errorf("entry %+v", e)
		}
	}
	return strings.Join(days, " ") + strings.Repeat(" broken", len(broken))
}

func TestPutTwice(t *testing.T) {
	s := Open(filepath.Join(t.TempDir(), "not", "there", "yet"))
	if got := list(t, s); got != "" {
		t.Errorf("nothing is %q", got)
	}
	put(t, s, 1, 0, 2)
	again := aRun(1)
	again.Hostname = "another.example.com" // tells nothing of the content
	if e, fresh, err := s.Put(again); fresh || err != nil || e.ID == "" {
		t.Errorf("the same content: %+v, %v, %v", e, fresh, err)
	}
	if got := list(t, s); got != "3 2 1" {
		t.Errorf("the newest first is %q", got)
	}
	e, _, _ := s.Put(aRun(1))
	run, err := s.Load(e)
	if err != nil || run.ID != e.ID || len(run.Results) != 1 {
		t.Errorf("%+v, %v", run, err)
	}
	if runtime.GOOS != "windows" {
		for name, want := range map[string]os.FileMode{s.dir: 0o700, filepath.Join(s.dir, e.File): 0o600, filepath.Join(s.dir, indexName): 0o600} {
			if fi, err := os.Stat(name); err != nil || fi.Mode().Perm() != want {
				t.Errorf("%s: %v, %v", name, fi.Mode(), err)
			}
		}
	}
	if err := os.Remove(filepath.Join(s.dir, e.File)); err != nil {
		t.Fatal(err)
	}
	if got := list(t, s); got != "3 1" {
		t.Errorf("one removed is %q", got)
	}
}

// The index may be anything: what is listed are the files.
func TestIndexCanBeLost(t *testing.T) {
	for name, spoil := range map[string]func(index string) string{
		"lost":      func(string) string { return "" },
		"torn":      func(index string) string { return index[:len(index)-30] },
		"garbage":   func(index string) string { return "\x00\xff{{{\n" + index + "[]\nnull\n{}\n\n{\"file\":\"x.json\"}\n" },
		"twice":     func(index string) string { return index + index },
		"a wrong":   func(index string) string { return strings.Replace(index, `"total":1`, `"total":"1"`, 1) },
		"no id":     func(index string) string { return strings.Replace(index, `"id"`, `"if"`, 1) },
		"elsewhere": func(index string) string { return index + `{"file":"../../x-1.json","id":"1"}` + "\n" },
	} {
		s := Open(t.TempDir())
		put(t, s, 0, 1, 2)
		index := filepath.Join(s.dir, indexName)
		data, err := os.ReadFile(index)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(index, []byte(spoil(string(data))), 0o600); err != nil {
			t.Fatal(err)
		}
		put(t, s, 3) // after a torn line
		if got := list(t, s); got != "4 3 2 1" {
			t.Errorf("%s: %q", name, got)
		}
		if _, unknown, _ := s.readIndex(names(t, s)); len(unknown) > 0 {
			t.Errorf("%s: not mended: %q", name, unknown)
		}
	}
}

func names(t *testing.T, s *Store) []string {
	t.Helper()
	files, err := s.files()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestIndexOfWhatIsGoneIsMadeNew(t *testing.T) {
	s := Open(t.TempDir())
	kept := put(t, s, 0, 1)
	if err := os.Remove(filepath.Join(s.dir, kept[0].File)); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		s.note(kept[0])
	}
	if got := list(t, s); got != "2" {
		t.Errorf("%q", got)
	}
	if _, _, lines := s.readIndex(nil); lines != 1 {
		t.Errorf("%d lines of one run", lines)
	}
}

// A process was killed between the two writes, or the file is somebody's own.
func TestFilesWithoutIndex(t *testing.T) {
	s := Open(t.TempDir())
	e := put(t, s, 0)[0]
	if err := os.Remove(filepath.Join(s.dir, indexName)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(s.dir, e.File))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"mine.json":    strings.Replace(string(data), "2026-03-01", "2026-03-09", 1),
		"broken.json":  string(data[:40]),
		"empty.json":   "",
		".tmp-1.json":  "half",
		"notes.txt":    "no run",
		"1-other.json": `{"schema_version": 7}`,
	} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // also when the index knows some
		entries, broken, err := s.List()
		if err != nil || len(entries) != 2 || len(broken) != 3 {
			t.Fatal(entries, broken, err)
		}
		if entries[0].File != "mine.json" || len(entries[0].ID) != 12 || entries[0].ID == e.ID || entries[1].ID != e.ID {
			t.Errorf("%+v", entries)
		}
		for _, b := range broken {
			if !strings.Contains(b.Error(), s.dir) {
				t.Errorf("%v does not name the file", b)
			}
		}
	}
}

func TestReadOnlyStore(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("everything may be written here")
	}
	s := Open(t.TempDir())
	put(t, s, 0, 1)
	os.Remove(filepath.Join(s.dir, indexName))
	os.Chmod(s.dir, 0o500)
	defer os.Chmod(s.dir, 0o700)
	if got := list(t, s); got != "2 1" {
		t.Errorf("%q", got)
	}
	if _, _, err := s.Put(aRun(2)); err == nil {
		t.Error("stored where nothing can be written")
	}
}

// A home that is a file is an error and no panic.
func TestStoreThatIsAFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "evals")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Open(name).List(); err == nil {
		t.Error("a file lists runs")
	}
	if _, _, err := Open(name).Put(aRun(0)); err == nil {
		t.Error("stored in a file")
	}
}

// 100 processes put and list at once; every second is killed at some moment.
func TestManyProcesses(t *testing.T) {
	if dir := os.Getenv("EVAL_TEST_STORE"); dir != "" {
		var n int
		fmt.Sscan(os.Getenv("EVAL_TEST_DAY"), &n)
		s := Open(dir)
		for i := range 3 {
			if _, _, err := s.Put(aRun(3*n + i)); err != nil {
				t.Fatal(err)
			}
			if _, broken, err := s.List(); err != nil || len(broken) > 0 {
				t.Fatal(broken, err)
			}
		}
		return
	}
	dir, processes := t.TempDir(), 100
	if testing.Short() {
		processes = 20
	}
	var wg sync.WaitGroup
	for n := range processes {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestManyProcesses$")
			cmd.Env = append(os.Environ(), "EVAL_TEST_STORE="+dir, fmt.Sprintf("EVAL_TEST_DAY=%d", n))
			if n%2 == 1 {
				if err := cmd.Start(); err != nil {
					t.Error(err)
					return
				}
				time.Sleep(time.Duration(n) * time.Millisecond)
				cmd.Process.Kill()
				cmd.Wait()
				return
			}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	s := Open(dir)
	entries, broken, err := s.List()
	if err != nil || len(broken) > 0 {
		t.Fatal(broken, err)
	}
	ids := map[string]bool{}
	for _, e := range entries {
		if run, err := s.Load(e); err != nil || run.ID != e.ID || !run.Timestamp.Equal(e.Time.Time) || ids[e.ID] {
			t.Errorf("%+v: %v", e, err)
		}
		ids[e.ID] = true
	}
	for n := 0; n < processes; n += 2 {
		for i := range 3 {
			run := aRun(3*n + i)
			if run.Identify(); !ids[run.ID] {
				t.Errorf("run %d of process %d is lost", i, n)
			}
		}
	}
}

// A run of several suites is read once, however many they are, and what a
// killed push left is removed.
func TestStoreLoader(t *testing.T) {
	dir := t.TempDir()
	s := Open(dir)
	run := &result.Run{SchemaVersion: result.Version, Timestamp: result.Time{Time: time.Unix(1e9, 0).UTC()}, Results: []result.Result{{Name: "a", Suite: "x"}, {Name: "a", Suite: "y"}}}
	for i := range run.Results {
		run.Results[i].Set(result.Pass)
	}
	run.Recount()
	e, _, err := s.Put(run)
	if err != nil || len(e.Suites) != 2 {
		t.Fatal(e, err)
	}
	load := s.loader()
	one, err := load(e)
	two, _ := load(e)
	if err != nil || one == nil || one != two {
		t.Errorf("read again: %v", err)
	}
	temp := filepath.Join(dir, ".cairn-1.tmp")
	if err := os.WriteFile(temp, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(temp, old, old); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.List(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(temp); err == nil {
		t.Error("the temporary file is still there")
	}
}
