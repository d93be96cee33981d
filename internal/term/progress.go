package term

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// A Progress is a bar on a terminal: how much is done, how fast it goes and
// when it will be over. Anywhere else it is silent. The zero value is silent
// too.
type Progress struct {
	w     io.Writer // nil: silent
	now   func() time.Time
	label string
	note  string // what stands at the end of the line
	count bool   // things, not bytes
	total int64
	done  int64
	began time.Time
	drawn time.Time
}

const (
	barWidth   = 24
	drawEvery  = 100 * time.Millisecond
	firstAfter = 300 * time.Millisecond // work that is over by then needs no bar
	clearLine  = "\r\x1b[K"
)

// NewProgress returns a bar on w if that is a terminal.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{now: time.Now}
	if IsTerminal(w) {
		p.w = w
	}
	return p
}

// Begin starts a stage of total bytes.
func (p *Progress) Begin(label string, total int64) {
	if p.w == nil {
		return
	}
	p.label, p.total, p.done, p.began, p.drawn = label, total, 0, p.now(), time.Time{}
	p.note, p.count = "", false
}

// BeginCount starts a stage of total things.
func (p *Progress) BeginCount(label string, total int64) {
	p.Begin(label, total)
	p.count = true
}

// Note puts a text to the end of the line, from the next Add on.
func (p *Progress) Note(text string) { p.note = text }

// Add says that n more bytes, or things, are done.
func (p *Progress) Add(n int64) {
	if p.w == nil {
		return
	}
	p.done += n
	if at := p.now(); at.Sub(p.began) >= firstAfter && at.Sub(p.drawn) >= drawEvery {
		p.drawn = at
		fmt.Fprint(p.w, clearLine, p.line(at))
	}
}

// End takes the bar away.
func (p *Progress) End() {
	if p.w != nil && !p.drawn.IsZero() {
		fmt.Fprint(p.w, clearLine)
	}
}

// line is the bar as it stands at a time: "scanning ████░░░░ 12.0 of 40.0 MB
// · 8.1 MB/s · 3s left".
func (p *Progress) line(at time.Time) string {
	const mb = 1 << 20
	part := 1.0
	if p.total > 0 {
		part = min(1, float64(p.done)/float64(p.total))
	}
	full := int(part * barWidth)
	rate := float64(p.done) / max(at.Sub(p.began).Seconds(), 0.001)
	line := p.label + " " + strings.Repeat("█", full) + strings.Repeat("░", barWidth-full)
	if p.count {
		line += fmt.Sprintf(" %d of %d · %.1f/s", p.done, p.total, rate)
	} else {
		line += fmt.Sprintf(" %.1f of %.1f MB · %.1f MB/s", float64(p.done)/mb, float64(p.total)/mb, rate/mb)
	}
	if rate > 0 && p.done < p.total {
		left := time.Duration(float64(p.total-p.done) / rate * float64(time.Second))
		line += fmt.Sprintf(" · %s left", left.Round(time.Second))
	}
	if p.note != "" {
		line += " · " + p.note
	}
	return line
}
