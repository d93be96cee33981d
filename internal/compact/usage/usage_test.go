package usage

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func TestAppendAtOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "not", "there", "usage.jsonl")
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if err := Append(name, Entry{Time: time.Now(), Path: Run, Rule: "tests/go", Tokens: 100}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	n := 0
	if broken, err := Each(name, time.Time{}, func(e Entry) { n += e.Tokens }); broken != 0 || err != nil || n != 5000 {
		t.Errorf("%d tokens, %d broken lines, %v", n, broken, err)
	}
	if fi, err := os.Stat(name); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", fi.Mode(), err)
	}
}

func TestEachSkipsWhatIsNoEntry(t *testing.T) {
	name := filepath.Join(t.TempDir(), "usage.jsonl")
	text := "\x00\x00\x00\n{\"time\":\"2026-11-20T10:00:00Z\",\"path\":\"run\",\"tokens\":7}\n[]\n{}\n{\"path\":\"ru"
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	n := 0
	if broken, err := Each(name, time.Time{}, func(e Entry) { n += e.Tokens }); broken != 4 || err != nil || n != 7 {
		t.Errorf("%d tokens, %d broken lines, %v", n, broken, err)
	}
}

// A full disk leaves the beginning of an entry, and the next one stands behind it.
func TestEachAfterAFullDisk(t *testing.T) {
	name := filepath.Join(t.TempDir(), "usage.jsonl")
	old, late := time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC), time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	if err := os.WriteFile(name, []byte(`{"time":"2026-11-01T09:00:00Z","path":"hook","tok`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, e := range []Entry{{Time: late, Path: Run, Tokens: 1}, {Time: old, Path: Run, Tokens: 2}, {Time: late, Path: Hook, Tokens: 4}} {
		if err := Append(name, e); err != nil {
			t.Fatal(err)
		}
	}
	for since, want := range map[time.Time]int{{}: 7, late: 5, late.Add(time.Second): 0} {
		n := 0
		if broken, err := Each(name, since, func(e Entry) { n += e.Tokens }); broken != 1 || err != nil || n != want {
			t.Errorf("since %v: %d tokens, %d broken lines, %v", since, n, broken, err)
		}
	}
}

func TestCall(t *testing.T) {
	if Call("make", "/a") == Call("make", "/b") || Call("make", "/a") == Call("ake", "/am") || Call("", "/a") != "" {
		t.Error("calls are taken for each other")
	}
}
