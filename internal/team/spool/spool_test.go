package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// noon is a time that the spools of these tests begin at.
var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// open returns an empty queue and a clock that can be set.
func open(t *testing.T) (*Spool, *time.Time) {
	t.Helper()
	now := noon
	s := Open(filepath.Join(t.TempDir(), "queue"))
	s.now = func() time.Time { return now }
	return s, &now
}

func put(t *testing.T, s *Spool, body string) string {
	t.Helper()
	id, err := s.Put("eval_run", "key of "+body, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func claim(t *testing.T, s *Spool, now time.Time, want int) []*Claimed {
	t.Helper()
	list, err := s.Claim(100, now)
	if err != nil || len(list) != want {
		t.Fatalf("%d claimed, want %d; %v", len(list), want, err)
	}
	return list
}

func status(t *testing.T, s *Spool, waiting, claimed, refused int) {
	t.Helper()
	st, err := s.Status()
	if err != nil || st.Waiting != waiting || st.Claimed != claimed || st.Refused != refused {
		t.Fatalf("%+v, %v; want %d waiting, %d claimed, %d refused", st, err, waiting, claimed, refused)
	}
}

func TestPutAndClaim(t *testing.T) {
	const body = `{ "ü": [1.50, "\ud83d", {"a":1,"a":2}] }`
	s, _ := open(t)
	status(t, s, 0, 0, 0)
	claim(t, s, noon, 0)
	s.URL = "https://a.example"
	id := put(t, s, body)
	status(t, s, 1, 0, 0)
	c := claim(t, s, noon, 1)[0]
	if c.ID != id || c.Kind != "eval_run" || c.IngestKey != "key of "+body || c.URL != "https://a.example" ||
		string(c.Body) != body || !c.QueuedAt.Equal(noon) || c.Attempts != 0 || c.LastError != "" {
		t.Errorf("%+v", c.Record)
	}
	if fi, err := os.Stat(c.path); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("a record: %v, %v", fi.Mode(), err)
	}
	status(t, s, 0, 1, 0)
	claim(t, s, noon, 0)
	if err := c.Done(); err != nil {
		t.Error(err)
	}
	status(t, s, 0, 0, 0)
	for _, path := range []string{"", filepath.Base(filepath.Dir(c.path))} {
		if fi, err := os.Stat(filepath.Join(s.root, path)); err != nil || fi.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", path, fi.Mode(), err)
		}
	}
	for _, bad := range []string{"", "{", "1 2", "\"\xff\""} {
		if _, err := s.Put("k", "k", []byte(bad)); err == nil {
			t.Errorf("%q was put", bad)
		}
	}
	status(t, s, 0, 0, 0)
}

func TestTheOldestFirst(t *testing.T) {
	s, now := open(t)
	for i := range 20 {
		*now = noon.Add(time.Duration(i*7%20) * time.Second)
		put(t, s, fmt.Sprint(i*7%20))
		put(t, s, fmt.Sprint(i*7%20)) // the same record again is the server's business
	}
	if st, err := s.Status(); err != nil || !st.Oldest.Equal(noon) {
		t.Error(st, err)
	}
	for i := range 4 {
		list, err := s.Claim(10, noon.Add(time.Minute))
		if err != nil || len(list) != 10 {
			t.Fatal(list, err)
		}
		for n, c := range list {
			if want := fmt.Sprint(i*5 + n/2); string(c.Body) != want {
				t.Errorf("%s, want %s", c.Body, want)
			}
		}
	}
	claim(t, s, noon.Add(time.Minute), 0)
}

func TestRetry(t *testing.T) {
	const body = `{"keep":  "this"}`
	s, now := open(t)
	id := put(t, s, body)
	for attempt, wait := range []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second} {
		c := claim(t, s, *now, 1)[0]
		if c.Attempts != attempt || attempt > 0 && c.LastError != "no \"answer\"\n" {
			t.Errorf("%+v", c.Record)
		}
		if err := c.Retry(errors.New("no \"answer\"\n"), 0); err != nil {
			t.Fatal(err)
		}
		status(t, s, 1, 0, 0)
		claim(t, s, now.Add(wait/2-1), 0)
		*now = now.Add(wait)
	}
	c := claim(t, s, *now, 1)[0]
	if err := c.Retry(errors.New("busy"), 90*time.Second); err != nil {
		t.Fatal(err)
	}
	claim(t, s, now.Add(90*time.Second), 0)
	*now = now.Add(90*time.Second + 16*time.Second)
	c = claim(t, s, *now, 1)[0]
	if string(c.Body) != body || c.ID != id || c.Attempts != 4 || c.IngestKey != "key of "+body || !c.QueuedAt.Equal(noon) {
		t.Errorf("%+v", c.Record)
	}
}

func TestDelay(t *testing.T) {
	for _, tt := range []struct {
		attempts        int
		after           time.Duration
		shortest, whole time.Duration
	}{
		{1, 0, time.Second, 2 * time.Second},
		{2, 0, 2 * time.Second, 4 * time.Second},
		{5, 0, 16 * time.Second, 32 * time.Second},
		{11, 0, 1024 * time.Second, 2048 * time.Second},
		{12, 0, 30 * time.Minute, time.Hour},
		{1_000_000, 0, 30 * time.Minute, time.Hour},
		{0, 0, time.Second, 2 * time.Second},
		{1, -time.Hour, time.Second, 2 * time.Second},
		{1, time.Minute, 61 * time.Second, 62 * time.Second},
		{1, 1000 * time.Hour, 6*time.Hour + time.Second, 6*time.Hour + 2*time.Second},
	} {
		for range 100 {
			if d := delay(tt.attempts, tt.after); d < tt.shortest || d > tt.whole {
				t.Fatalf("%d attempts, after %s: %s, want %s to %s", tt.attempts, tt.after, d, tt.shortest, tt.whole)
			}
		}
	}
}

func TestRefuse(t *testing.T) {
	const body = "[1,\t\"\\u00fc ü\" ]"
	s, _ := open(t)
	id := put(t, s, body)
	if err := claim(t, s, noon, 1)[0].Refuse("400: no such table"); err != nil {
		t.Fatal(err)
	}
	status(t, s, 0, 0, 1)
	claim(t, s, noon.AddDate(1, 0, 0), 0)
	data, err := os.ReadFile(filepath.Join(s.root, "refused", id+".json"))
	r, derr := decode(data)
	if err != nil || derr != nil || string(r.Body) != body {
		t.Errorf("%q, %v, %v", r.Body, err, derr)
	}
	if reason, err := os.ReadFile(filepath.Join(s.root, "refused", id+".reason")); err != nil || string(reason) != "400: no such table\n" {
		t.Errorf("%q, %v", reason, err)
	}
}

// A clock that jumps by a day neither loses a record nor keeps one locked.
func TestClockJumps(t *testing.T) {
	const day = 24 * time.Hour
	for _, jump := range []time.Duration{day, -day} {
		s, now := open(t)
		put(t, s, "1")
		put(t, s, "2")
		put(t, s, "3")
		list := claim(t, s, noon, 3)
		if err := list[0].Retry(errors.New("busy"), 3*time.Hour); err != nil {
			t.Fatal(err)
		}
		*now = noon.Add(jump)
		if err := list[1].Retry(errors.New("busy"), 0); err != nil {
			t.Fatal(err)
		}
		*now = now.Add(2 * time.Second)
		again := claim(t, s, *now, 3) // the third one's claim has no holder for all we know
		for _, c := range append(again, list[2]) {
			if err := c.Done(); err != nil {
				t.Error(err)
			}
		}
		status(t, s, 0, 0, 0)
	}
	s, now := open(t) // a jump while a record is written and before it is claimed
	*now = noon.Add(day)
	put(t, s, "1")
	claim(t, s, noon, 1)
	claim(t, s, noon.Add(-50*time.Second), 0) // small steps are no jump
	claim(t, s, noon.Add(50*time.Second), 0)
}

func names(t *testing.T, s *Spool) (list []string) {
	t.Helper()
	err := filepath.WalkDir(s.root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, filepath.Base(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
