package compact

import (
	"bytes"
	"fmt"
	"strings"

	"cairn/internal/compact/rule"
	"cairn/internal/text"
)

// A Sequence is a Stream that may have to show what it has before the tool is
// done: a reader is waiting while the tool works on. Without a call of Part it
// is a Stream. With one, every part is compacted by itself and has no header;
// a last line gives the totals.
type Sequence struct {
	env     Envelope
	opt     Options
	cur     *Stream
	raw     rawBuffer // of all parts
	pending []byte    // the last record, which may go on

	parts int
	sum   Meta       // of all parts
	rule  *rule.Rule // of the last part
	cut   bool       // some part is shorter than it was
	open  bool       // the last line shown has no end yet
}

// maxPending is how much of an open record is held back from a part.
const maxPending = 64 << 10

// NewSequence is like NewStream.
func NewSequence(env Envelope, opt Options) *Sequence {
	return &Sequence{env: env, opt: opt, cur: NewStream(env, opt)}
}

// Write takes the next bytes of the output. It never fails.
func (q *Sequence) Write(p []byte) (int, error) {
	q.raw.Write(p)
	q.pending = append(q.pending, p...)
	end := recordEnd(q.pending)
	if end == 0 && len(q.pending) > maxPending {
		end = len(q.pending)
	}
	q.cur.Write(q.pending[:end])
	q.pending = append(q.pending[:0], q.pending[end:]...)
	return len(p), nil
}

// recordEnd returns where the last record of b begins: at its last line that
// is neither blank nor indented. What belongs to a record follows it.
func recordEnd(b []byte) int {
	last := bytes.LastIndexByte(b, '\n') + 1
	for last > 0 {
		start := bytes.LastIndexByte(b[:last-1], '\n') + 1
		if c := b[start]; c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return start
		}
		last = start
	}
	return 0
}

// Part returns what has come since the last part, compacted. idle says that
// the tool is silent, so that the last line is complete as well.
func (q *Sequence) Part(idle bool) string {
	if idle {
		q.cur.Write(q.pending)
		q.pending = q.pending[:0]
	}
	if q.cur.raw.total == 0 {
		return ""
	}
	return q.end(nil)
}

// end finishes the current part and begins the next.
func (q *Sequence) end(exit *int) string {
	q.cur.part = true
	res := q.cur.Finish(exit)
	q.parts++
	q.sum = q.sum.Plus(res.Meta)
	q.cut = q.cut || !res.Meta.Unchanged
	if res.Reduced != "" { // else it was passed through
		q.open = !strings.HasSuffix(res.Reduced, "\n")
	}
	if q.cur.rule != nil {
		q.rule = q.cur.rule
	}
	layout := q.cur.layout
	q.cur = NewStream(q.env, q.opt)
	q.cur.layout = layout // a few lines do not tell what stands in front of them
	return res.Reduced
}

// Finish ends the output. Reduced is what was not given as a part yet.
func (q *Sequence) Finish(exit *int) Result {
	q.cur.Write(q.pending)
	q.pending = nil
	if q.parts == 0 {
		return q.cur.Finish(exit)
	}
	last := q.cur
	s := ""
	if last.raw.total > 0 {
		s = q.end(exit)
	}
	m := q.sum
	m.Rule, m.Unchanged = "none", !q.cut
	if last.rule = q.rule; last.rule != nil {
		m.Rule = last.rule.ID
	}
	if q.cut {
		if q.open {
			s += "\n"
		}
		failed := exit != nil && *exit != 0
		if last.tees(failed, m.LinesBefore-m.LinesAfter) {
			last.raw = q.raw
			last.writeTee(&m)
		}
		s += fmt.Sprintf("%s%s → %s lines in %s · %s%s]\n", HeaderPrefix, text.Thousands(m.LinesBefore), text.Thousands(m.LinesAfter), partCount(q.parts), m.Rule, m.RawHint())
	}
	return Result{Reduced: s, Meta: m}
}

func partCount(n int) string {
	if n == 1 {
		return "1 part"
	}
	return text.Thousands(n) + " parts"
}
