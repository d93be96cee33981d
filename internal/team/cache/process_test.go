package cache

import (
	"bytes"
	"cairn/test/cairntest"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestProcess is no test: it is the other process of those below, which says in
// its environment what to do where.
func TestProcess(t *testing.T) {
	root, job, number := os.Getenv("CACHE_TEST_ROOT"), os.Getenv("CACHE_TEST_JOB"), os.Getenv("CACHE_TEST_NUMBER")
	if root == "" {
		t.Skip("run by other tests")
	}
	c := Cache{Root: root}
	switch job {
	case "share":
		share(t, c, number)
	case "loop": // until killed
		fmt.Fprintln(os.Stderr, "begun")
		for n := 0; ; n++ {
			put(t, c, "s", "k", letters(n))
		}
	case "full":
		limitFiles(t, 100<<10)
		if err := c.Write("s", "k", "", []byte(letters(4)), noon); err == nil {
			t.Error("no error on a full disk")
		}
	}
}

// share writes and reads entries of its own, which nobody else touches, and
// some that all processes write.
func share(t *testing.T, c Cache, number string) {
	for n := range 8 {
		own, ownData := fmt.Sprintf("own-%s-%d", number, n), fmt.Sprintf(`"%s of %d"`, number, n)
		put(t, c, "s", own, ownData)
		if e, err := c.Read("s", own); err != nil || string(e.Data) != ownData {
			t.Errorf("%s: %q, %v", own, e.Data, err)
		}
		shared := "shared-" + strconv.Itoa(n%3)
		put(t, c, "s", shared, letters(n))
		if e, err := c.Read("s", shared); err != nil || !whole(e.Data) {
			t.Errorf("%s: %d bytes, %v", shared, len(e.Data), err)
		}
	}
}

// letters is data of many times one letter.
func letters(n int) string {
	return `"` + strings.Repeat(string(rune('a'+n%20)), 50_000*(1+n%5)) + `"`
}

func whole(data []byte) bool {
	return len(data) > 3 && (len(data)-2)%50_000 == 0 && bytes.Count(data, data[1:2]) == len(data)-2
}

func process(root, job string, number int) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^TestProcess$", "-test.count=1")
	cmd.Env = append(os.Environ(), "CACHE_TEST_ROOT="+root, "CACHE_TEST_JOB="+job, "CACHE_TEST_NUMBER="+strconv.Itoa(number))
	return cmd
}

// A hundred processes at once lose nothing and read nothing torn, although
// another one clears a suite all the while.
func TestAHundredProcesses(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	const processes = 100
	c := Cache{Root: t.TempDir()}
	stop := make(chan bool)
	var clearing, wg sync.WaitGroup
	clearing.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				put(t, c, "cleared", "k", "1")
				if _, _, err := c.Clear("cleared", time.Time{}); err != nil {
					t.Error(err)
				}
			}
		}
	})
	for n := range processes {
		wg.Go(func() {
			if out, err := process(c.Root, "share", n).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	wg.Wait()
	close(stop)
	clearing.Wait()
	for n := range processes {
		for i := range 8 {
			if e, err := c.Read("s", fmt.Sprintf("own-%d-%d", n, i)); err != nil || string(e.Data) != fmt.Sprintf(`"%d of %d"`, n, i) {
				t.Errorf("process %d, entry %d: %q, %v", n, i, e.Data, err)
			}
		}
	}
	if files, invalid, err := c.Verify(func(int64) {}); files != processes*8+3 || invalid != nil || err != nil {
		t.Errorf("%d files, %v, %v", files, invalid, err)
	}
	if left, _ := filepath.Glob(filepath.Join(c.Root, "*", ".cairn-*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// A clear takes the directory away with its last entry, just when a writer
// wants to use it. Neither fails.
func TestClearWhileWriting(t *testing.T) {
	c := Cache{Root: t.TempDir()}
	stop := make(chan bool)
	var clearing sync.WaitGroup
	for range 2 {
		clearing.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, _, err := c.Clear("s", time.Time{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 200 {
		put(t, c, "s", "k", "1")
	}
	close(stop)
	clearing.Wait()
}

// Killed at any moment, a writer leaves the old entry or the new one. What else
// it left goes when it is too old to belong to anyone.
func TestKilledWriter(t *testing.T) {
	c := Cache{Root: t.TempDir()}
	put(t, c, "s", "k", letters(0))
	left := func() []string {
		names, _ := filepath.Glob(filepath.Join(c.Root, "s", ".cairn-*"))
		return names
	}
	end := time.Now().Add(time.Minute)
	for i := 0; i < 40 || len(left()) == 0 && time.Now().Before(end); i++ { // where files are in memory, few are killed in a write
		cmd := process(c.Root, "loop", 0)
		begun, err := cmd.StderrPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		_, _ = begun.Read(make([]byte, 5))
		time.Sleep(time.Duration(rand.IntN(8_000)) * time.Microsecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if e, err := c.Read("s", "k"); err != nil || !whole(e.Data) {
			t.Fatalf("%d bytes, %v", len(e.Data), err)
		}
	}
	if len(left()) == 0 {
		t.Error("none was killed while it wrote")
	}
	for _, name := range left() {
		old := time.Now().Add(-3 * time.Hour)
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if files, invalid, err := c.Verify(func(int64) {}); files != 1 || invalid != nil || err != nil || left() != nil {
		t.Errorf("%d files, %v, %v, left %v", files, invalid, err, left())
	}
}

func TestFullDisk(t *testing.T) {
	c := Cache{Root: t.TempDir()}
	put(t, c, "s", "k", `"before"`)
	if out, err := process(c.Root, "full", 0).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if e, err := c.Read("s", "k"); err != nil || string(e.Data) != `"before"` {
		t.Errorf("%.20q, %v", e.Data, err)
	}
	if names, _ := os.ReadDir(filepath.Join(c.Root, "s")); len(names) != 1 {
		t.Error(names)
	}
}
