package spool

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What a process that is killed between two steps leaves.
func TestBetweenSteps(t *testing.T) {
	write := func(name string, data []byte) {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, leave := range map[string]func(s *Spool, c *Claimed){
		"claimed": func(*Spool, *Claimed) {},
		"the retry is being written": func(_ *Spool, c *Claimed) {
			temp := filepath.Join(filepath.Dir(c.path), ".cairn-1.tmp")
			write(temp, []byte("{"))
			if err := os.Chtimes(temp, noon, noon); err != nil {
				t.Fatal(err)
			}
		},
		"the retry is written": func(_ *Spool, c *Claimed) {
			r := c.Record
			r.Attempts, r.NotBefore = 1, noon.Add(2*time.Second)
			write(c.path, encode(r))
		},
		"the reason is written": func(s *Spool, c *Claimed) {
			if err := os.MkdirAll(filepath.Join(s.root, refused), 0o700); err != nil {
				t.Fatal(err)
			}
			write(filepath.Join(s.root, refused, c.ID+reasonEnd), []byte("no\n"))
		},
	} {
		s, _ := open(t)
		id := put(t, s, "1")
		leave(s, claim(t, s, noon, 1)[0])
		claim(t, s, noon.Add(ClaimAge), 0)
		status(t, s, 0, 1, 0)
		c := claim(t, s, noon.Add(ClaimAge+time.Second), 1)[0]
		if c.ID != id || string(c.Body) != "1" {
			t.Errorf("%s: %+v", name, c)
		}
		if err := c.Refuse("no"); err != nil {
			t.Error(err)
		}
		status(t, s, 0, 0, 1)
		if left := names(t, s); len(left) != 2 {
			t.Errorf("%s: %v", name, left)
		}
	}
}

// Who takes longer than a claim may last finds that the record waits again, or
// that another process has it.
func TestTooLate(t *testing.T) {
	late := noon.Add(ClaimAge + time.Second)
	for name, end := range map[string]func(*Claimed) error{
		"done":   func(c *Claimed) error { return c.Done() },
		"retry":  func(c *Claimed) error { return c.Retry(errors.New("busy"), 0) },
		"refuse": func(c *Claimed) error { return c.Refuse("no") },
	} {
		s, _ := open(t)
		put(t, s, "1")
		first := claim(t, s, noon, 1)[0]
		second := claim(t, s, late, 1)[0]
		if err := end(first); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		status(t, s, 0, 1, 0)
		if err := os.Rename(second.path, second.waiting()); err != nil {
			t.Fatal(err)
		}
		if err := end(second); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		waiting := 1
		if name == "done" { // it was delivered: nothing is left to do
			waiting = 0
		}
		status(t, s, waiting, 0, 0)
	}
}
