package plancmd

import (
	"strings"
	"testing"
	"time"
)

// The last line names who is at work and for how long, in what the terminal has room for.
func TestRunStatus(t *testing.T) {
	now := time.Now()
	v := &runView{w: &strings.Builder{}, live: true, width: 40}
	if got := v.status(now); got != "" {
		t.Errorf("nobody works: %q", got)
	}
	v.works = []working{{"executor 01-01", now.Add(-83 * time.Second)}, {"executor 01-02", now}}
	if got := v.status(now); !strings.HasPrefix(got, "...    executor 01-01 1m23s") || len([]rune(got)) > 39 {
		t.Errorf("%q", got)
	}
	v.work("executor 01-01", true)
	if got := v.status(now.Add(time.Second)); got != "...    executor 01-02 1s" {
		t.Errorf("%q", got)
	}
	v.say("end    %s", "executor 01-02: done")
	if got := v.w.(*strings.Builder).String(); got != "\r\x1b[Kend    executor 01-02: done\n" {
		t.Errorf("%q", got)
	}
}
