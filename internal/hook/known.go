package hook

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"cairn/internal/compact"
	"cairn/internal/compact/reads"
	"cairn/internal/host"
	"cairn/internal/tokens"
)

// The rules' names of what is left out of a repeated Read, and of a first one.
const (
	ReadAgain   = "read-again"
	ReadOutline = "read-outline"
)

// begin starts the ledger of a session anew: what the model was shown before is
// not in its context, or may not be.
func (set Settings) begin(ev host.Event) {
	if dir := set.Compact(ev.Cwd).Reads; dir != "" && ev.Session != "" {
		set.doubt(reads.Begin(dir, ev.Session))
	}
}

func (set Settings) now() time.Time {
	if set.Now == nil {
		return time.Now()
	}
	return set.Now()
}

// doubt reports what went wrong with the ledger. It costs nobody an answer: what
// is not known to be shown is shown.
func (set Settings) doubt(err error) {
	if err != nil && set.Warn != nil {
		set.Warn("reads: " + err.Error())
	}
}

// changed keeps what the agent wrote into a file: it knows that.
func (set Settings) changed(ev host.Event, seen *reads.Ledger) {
	c := ev.Change
	set.doubt(seen.Changed(c.File, c.Before, c.After, c.All))
	set.doubt(seen.Spent(tokens.EstimateBytes(len(ev.Text))))
}

func lookAt(out *host.Output, seen *reads.Ledger) *reads.Look {
	if out.Lines == nil || len(out.Texts) != 1 {
		return nil
	}
	return seen.Look(out.File, reads.View{First: out.Lines.First, Total: out.Lines.Total, Text: out.Texts[0]})
}

// known answers a Read of lines that the model knows with those that it does
// not; ok is false where it is to get them all.
func (set Settings) known(ev host.Event, seen *reads.Ledger, look *reads.Look) (answer []byte, ok bool) {
	first, short, from, to, ok := Short(look)
	if !ok {
		return nil, false
	}
	return set.instead(ev, seen, look, ReadAgain, first, short, from, to)
}

// outline answers the first Read of a large file with its start and an outline.
func (set Settings) outline(ev host.Event, seen *reads.Ledger, look *reads.Look) (answer []byte, ok bool) {
	short, to, ok := look.Outline()
	if !ok {
		return nil, false
	}
	return set.instead(ev, seen, look, ReadOutline, 1, short, 1, to)
}

// instead answers a Read with short, which shows the lines between from and to.
func (set Settings) instead(ev host.Event, seen *reads.Ledger, look *reads.Look, rule string, first int, short string, from, to int) (answer []byte, ok bool) {
	answer, err := ev.Output.Lines.Encode(first, short)
	if err == nil {
		err = look.Show(from, to) // what is not kept must not be left out a second time
	}
	if err != nil || answer == nil {
		set.doubt(err)
		return nil, false
	}
	m := compact.Replaced(rule, ev.Output.Texts[0], short).Meta
	m.TeeID = look.ID()
	set.used(ev, m)
	set.doubt(seen.Spent(tokens.Estimate(short)))
	return answer, true
}

// Short returns what is to stand in place of a repeated Read, the number of its
// first line, and which lines of the file it shows (from is 0 for none). The
// host numbers what it gets line by line, so one run of lines is shown, and what
// is said of the others stands where one of them would.
func Short(look *reads.Look) (first int, short string, from, to int, ok bool) {
	from, to, ok = look.News()
	if !ok {
		return 0, "", 0, 0, false
	}
	since := "since your Read above"
	if look.Edited() {
		since = "since your own change above"
	}
	const more = "; Read again for the text]"
	if from == 0 {
		return look.First(), fmt.Sprintf("[cairn: unchanged %s (lines %s)%s", since, span(look.First(), look.Last()), more), 0, 0, true
	}
	first, short = from, look.Lines(from, to)
	if to < look.Last() {
		was := ""
		if moved := look.Was(to+1) - to - 1; moved != 0 {
			was = fmt.Sprintf(" (%s before)", span(to+1+moved, look.Last()+moved))
		}
		short += fmt.Sprintf("\n[cairn: lines %s%s are unchanged %s%s", span(to+1, look.Last()), was, since, more)
	}
	if from > look.First() {
		end := "]"
		if to >= look.Last() {
			end = more
		}
		first, short = from-1, fmt.Sprintf("[cairn: lines %s are unchanged %s%s\n%s", span(look.First(), from-1), since, end, short)
	}
	return first, short, from, to, true
}

func span(from, to int) string {
	if from == to {
		return strconv.Itoa(from)
	}
	return fmt.Sprintf("%d–%d", from, to)
}

// shown keeps what the model got of an output.
func (set Settings) shown(ev host.Event, seen *reads.Ledger, look *reads.Look, texts []string) {
	size := 0
	for _, t := range texts {
		size += len(t)
	}
	set.doubt(seen.Spent(tokens.EstimateBytes(size)))
	if look == nil {
		return
	}
	whole := ev.Output.Texts[0]
	if texts[0] == whole {
		set.doubt(look.ShowAll())
		return
	}
	// Only the start was shown: its lines, but not the marker after them.
	n := 0
	for rest := texts[0]; ; n++ {
		line, after, more := strings.Cut(rest, "\n")
		same, next, _ := strings.Cut(whole, "\n")
		if !more || line != same {
			break
		}
		rest, whole = after, next
	}
	if n == 0 {
		set.doubt(look.Show(0, 0))
		return
	}
	set.doubt(look.Show(look.First(), look.First()+n-1))
}
