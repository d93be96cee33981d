package term

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	at := time.Unix(0, 0)
	p := &Progress{w: &out, now: func() time.Time { return at }}
	p.Begin("scanning", 40<<20)
	p.Add(1 << 20)
	if out.Len() > 0 {
		t.Errorf("a bar for what may be over at once: %q", out.String())
	}
	at = at.Add(2 * time.Second)
	p.Add(9 << 20)
	if got, want := out.String(), clearLine+"scanning ██████░░░░░░░░░░░░░░░░░░ 10.0 of 40.0 MB · 5.0 MB/s · 6s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.Add(1)
	if n := strings.Count(out.String(), clearLine); n != 1 {
		t.Errorf("drawn %d times at one moment", n)
	}
	p.End()
	if !strings.HasSuffix(out.String(), clearLine) {
		t.Errorf("the bar stays: %q", out.String())
	}
}

func TestProgressNeedsATerminal(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out)
	p.Begin("scanning", 1)
	p.Add(1)
	p.End()
	if out.Len() > 0 {
		t.Errorf("%q", out.String())
	}
}

func TestProgressOfThings(t *testing.T) {
	var out bytes.Buffer
	at := time.Unix(0, 0)
	p := &Progress{w: &out, now: func() time.Time { return at }}
	p.BeginCount("judging", 40)
	at = at.Add(2 * time.Second)
	p.Note("$0.12")
	p.Add(10)
	if got, want := out.String(), clearLine+"judging ██████░░░░░░░░░░░░░░░░░░ 10 of 40 · 5.0/s · 6s left · $0.12"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
