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
	if broken, err := Each(name, func(e Entry) { n += e.Tokens }); broken != 0 || err != nil || n != 5000 {
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
	if broken, err := Each(name, func(e Entry) { n += e.Tokens }); broken != 4 || err != nil || n != 7 {
		t.Errorf("%d tokens, %d broken lines, %v", n, broken, err)
	}
}

func TestCall(t *testing.T) {
	if Call("make", "/a") == Call("make", "/b") || Call("make", "/a") == Call("ake", "/am") || Call("", "/a") != "" {
		t.Error("calls are taken for each other")
	}
}
