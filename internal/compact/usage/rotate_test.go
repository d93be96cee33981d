package usage

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// The account is bounded: a full file becomes the one before, and no entry of
// the two is lost, however many processes add and begin a new file at once.
func TestRotate(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "usage.jsonl")
	add := func(n int) {
		if err := Append(name, Entry{Time: time.Now(), Path: Run, Call: fmt.Sprint(n), Tokens: 1}); err != nil {
			t.Error(err)
		}
	}
	seen := func() (n int) {
		if broken, err := Each(name, time.Time{}, func(Entry) { n++ }); broken != 0 || err != nil {
			t.Errorf("%d broken lines, %v", broken, err)
		}
		return n
	}
	for i := range 100 {
		add(i)
	}
	fi, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			add(100 + i)
			if err := rotate(name, fi.Size()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := seen(); n != 120 {
		t.Errorf("%d entries of 120", n)
	}
	if old, err := os.Stat(name + earlier); err != nil || old.Size() < fi.Size() || old.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", old, err)
	}
	for i := range 100 { // the new file is full in its turn, and takes the place of the first
		add(i)
	}
	if err := rotate(name, 1); err != nil {
		t.Error(err)
	}
	if n := seen(); n < 100 || n >= 220 {
		t.Errorf("%d entries", n)
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("the full file is still there")
	}
}
