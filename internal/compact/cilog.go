package compact

import (
	"strings"

	"cairn/internal/compact/record"
)

// A ciLog reads the marks that a CI runner puts between the lines of the tools
// it runs: "##[group]Run go test", "##[error]…". What the runner itself says is a
// record here.
type ciLog struct {
	runner  bool // the piece is the runner's own: setting up, cleaning up
	heading bool // in the group that repeats how a step was called
	begun   bool
}

// marks returns a reader when the first lines of a piece have such marks.
func (s *Stream) marks() *ciLog {
	if s.nested == 0 {
		return nil
	}
	c := &ciLog{}
	if _, name, ok := strings.Cut(s.step, "\t"); ok {
		c.runner = name == "Set up job" || name == "Complete job" || strings.HasPrefix(name, "Post ")
	}
	return c
}

// take reads l; own tells that it is the runner's and what it is worth.
func (c *ciLog) take(l record.Line) (rec record.Record, own bool) {
	rec.Lines = []record.Line{l}
	if !c.begun {
		c.begun, c.heading = true, strings.HasPrefix(l.Text, "##[group]Run ")
		c.runner = c.runner || strings.HasPrefix(l.Text, "##[group]Run actions/") || strings.HasPrefix(l.Text, "Current runner version") || strings.HasPrefix(l.Text, "Post job cleanup")
		if c.heading && !c.runner {
			rec.Class = record.Keep
			return rec, true
		}
	}
	rec.Class, own = c.class(l.Text)
	return rec, own
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
		return record.Good, true
	case marked && strings.HasPrefix(s, "##[group]Run "):
		c.heading = true
		return record.Keep, true
	case mark == "##[endgroup", mark == "##[debug", mark == "[command":
		return record.Good, true
	}
	return record.OfTask(s)
}
