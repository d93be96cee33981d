package compact

import (
	"slices"
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/record"
	"cairn/internal/compact/shell"
)

// A ciLog reads the log of a CI job as `gh run view --log` prints it: every
// line has its job, its step and a time in front. Without them the lines are
// those of the tools that ran, and their rules apply. The first line of each
// step keeps its job and step; what the runner itself says is a record here.
type ciLog struct {
	step    string
	runner  bool // the step is the runner's own: setting up, cleaning up
	heading bool // in the group that repeats how a step was called
}

// ciLogOf returns a reader when cmd may have printed such a log and the first
// lines are of one.
func ciLogOf(cmd shell.Parsed, sample []record.Line) *ciLog {
	if !slices.ContainsFunc(cmd.Calls, func(call shell.Call) bool {
		return call.HasPrefix([]string{"gh", "run"}) || call.HasPrefix([]string{"gh", "api"})
	}) {
		return nil
	}
	n := 0
	for _, l := range sample[:min(len(sample), 20)] {
		if _, _, ok := lines.CutStep(l.Text); ok {
			n++
		}
	}
	if n == 0 || n < min(len(sample), 20)/2 {
		return nil
	}
	return &ciLog{}
}

// take cuts l and returns it for the tool's rule; own tells that it is the
// runner's and what it is worth.
func (c *ciLog) take(l record.Line) (tool record.Line, rec record.Record, own bool) {
	step, text, ok := lines.CutStep(l.Text)
	if !ok {
		return l, rec, false
	}
	l.Text = text
	rec.Lines = []record.Line{l}
	if step != c.step {
		job, name, _ := strings.Cut(step, "\t")
		c.step, c.heading = step, strings.HasPrefix(text, "##[group]Run ")
		c.runner = name == "Set up job" || name == "Complete job" || strings.HasPrefix(name, "Post ") || strings.HasPrefix(text, "##[group]Run actions/")
		if !c.runner && job != "" {
			rec.Lines[0].Text = step + "\t" + text
			rec.Class = record.Keep
			return l, rec, true
		}
	}
	rec.Class, own = c.class(text)
	return l, rec, own
}

// class knows the runner's own lines.
func (c *ciLog) class(s string) (record.Class, bool) {
	mark, _, marked := strings.Cut(s, "]")
	switch {
	case mark == "##[error":
		return record.Failure, true
	case mark == "##[warning":
		return record.Warn, true
	case c.heading:
		c.heading = mark != "##[endgroup"
		return record.Good, true
	case c.runner:
		return record.Noise, true
	case marked && strings.HasPrefix(s, "##[group]Run "):
		c.heading = true
		return record.Keep, true
	case mark == "##[endgroup", mark == "##[debug", mark == "[command":
		return record.Good, true
	}
	return record.Body, false
}
