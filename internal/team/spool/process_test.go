package spool

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"cairn/test/cairntest"
)

// TestProcess is no test: it is the other process of those below, which says in
// its environment what to do where. It prints what it did, a line each.
func TestProcess(t *testing.T) {
	root, job := os.Getenv("SPOOL_TEST_ROOT"), os.Getenv("SPOOL_TEST_JOB")
	if root == "" {
		t.Skip("run by other tests")
	}
	s := Open(root)
	switch job {
	case "put":
		for n := range 10 {
			fmt.Println("put", put(t, s, fmt.Sprint(n)))
		}
	case "drain": // until stdin ends and nothing is left
		ended := make(chan bool)
		go func() { _, _ = os.Stdin.Read(make([]byte, 1)); close(ended) }()
		for {
			last := false
			select {
			case <-ended:
				last = true
			default:
			}
			list, err := s.Claim(10, time.Now())
			if err != nil {
				t.Error(err)
			}
			for _, c := range list {
				fmt.Println("done", c.ID)
				if err := c.Done(); err != nil {
					t.Error(err)
				}
			}
			if last && len(list) == 0 {
				return
			}
		}
	case "loop": // until killed
		for {
			fmt.Println("put", put(t, s, `"`+strings.Repeat("x", 20_000)+`"`))
			list, err := s.Claim(2, time.Now().Add(time.Hour)) // not what was put back a moment ago
			for _, c := range list {
				switch rand.IntN(4) {
				case 0:
					fmt.Println("done", c.ID)
					err = errors.Join(err, c.Done())
				case 1:
					err = errors.Join(err, c.Refuse("no"))
				default:
					err = errors.Join(err, c.Retry(errors.New("busy"), 0))
				}
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	case "full":
		list, err := s.Claim(1, time.Now())
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		limitFiles(t, 1000)
		if _, err := s.Put("k", "k", list[0].Body); err == nil {
			t.Error("put on a full disk")
		}
		if err := list[0].Retry(errors.New("busy"), 0); err == nil {
			t.Error("written anew on a full disk")
		}
	}
}

func process(root, job string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^TestProcess$", "-test.count=1")
	cmd.Env = append(os.Environ(), "SPOOL_TEST_ROOT="+root, "SPOOL_TEST_JOB="+job)
	return cmd
}

// tally counts the lines of processes.
type tally map[string]int

func (n tally) add(out []byte) {
	for in := bufio.NewScanner(bytes.NewReader(out)); in.Scan(); {
		if word, id, ok := strings.Cut(in.Text(), " "); ok && len(id) == idLength {
			n[word+" "+id]++
		}
	}
}

// A hundred processes put while ten claim: each record is claimed once.
func TestAtOnce(t *testing.T) {
	root := filepath.Join(t.TempDir(), "queue")
	seen := tally{}
	var mu sync.Mutex
	var putting, draining sync.WaitGroup
	run := func(cmd *exec.Cmd) {
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		mu.Lock()
		defer mu.Unlock()
		seen.add(out)
	}
	end, ended, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		cmd := process(root, "drain")
		cmd.Stdin = end
		draining.Go(func() { run(cmd) })
	}
	for range 100 {
		putting.Go(func() { run(process(root, "put")) })
	}
	putting.Wait()
	ended.Close()
	draining.Wait()
	if len(seen) != 2000 {
		t.Errorf("%d records were put and done, want 1000 of each", len(seen))
	}
	for line, times := range seen {
		if times != 1 {
			t.Errorf("%s: %d times", line, times)
		}
	}
	if left := names(t, Open(root)); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// Killed at any moment, a process loses no record that it was told is put.
func TestKilled(t *testing.T) {
	cairntest.Long(t)
	s := Open(filepath.Join(t.TempDir(), "queue"))
	seen := tally{}
	for range 60 {
		cmd := process(s.root, "loop")
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		first := make([]byte, 1)
		_, _ = out.Read(first) // now it works
		time.Sleep(time.Duration(rand.IntN(20_000)) * time.Microsecond)
		_ = cmd.Process.Kill()
		rest, _ := io.ReadAll(out)
		_ = cmd.Wait()
		seen.add(append(first, rest...))
	}
	claimed := 0
	for _, name := range names(t, s) {
		if strings.Contains(name, claimMark) {
			claimed++
		}
	}
	there := map[string]int{}
	list, err := s.Claim(1_000_000, time.Now().Add(3*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		there[c.ID]++
	}
	paths, _ := filepath.Glob(filepath.Join(s.root, refused, "*.json"))
	for _, path := range paths {
		there[strings.TrimSuffix(filepath.Base(path), suffix)]++
		if reason, err := os.ReadFile(strings.TrimSuffix(path, suffix) + reasonEnd); string(reason) != "no\n" {
			t.Errorf("%s: %q, %v", path, reason, err)
		}
	}
	puts := 0
	for line := range seen {
		id, wasPut := strings.CutPrefix(line, "put ")
		if !wasPut {
			continue
		}
		puts++
		if there[id] == 0 && seen["done "+id] == 0 {
			t.Errorf("%s is lost", id)
		}
	}
	for id, times := range there {
		if times != 1 {
			t.Errorf("%s is there %d times", id, times)
		}
	}
	if puts < 60 || claimed == 0 || len(paths) == 0 {
		t.Errorf("%d put, %d left claimed, %d refused: too few to tell", puts, claimed, len(paths))
	}
	t.Logf("%d put, %d left claimed, %d there, %d of them refused", puts, claimed, len(there), len(paths))
}

func TestFullDisk(t *testing.T) {
	s := Open(filepath.Join(t.TempDir(), "queue"))
	body := `"` + strings.Repeat("x", 5000) + `"`
	put(t, s, body)
	if out, err := process(s.root, "full").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	status(t, s, 0, 1, 0)
	if c := claim(t, s, time.Now().Add(2*time.Minute), 1)[0]; string(c.Body) != body {
		t.Errorf("%d bytes", len(c.Body))
	}
	if left := names(t, s); len(left) != 1 {
		t.Error(left)
	}
}
