package hook

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"cairn/internal/compact"
	"cairn/internal/host"
)

// A result is left alone unless replacing it saves this much.
const (
	minSavedBytes   = 400
	minSavedPercent = 10
)

// maxPreview is how many characters stand in for an output that the host
// keeps in a file and would show the first 2,000 characters of.
const maxPreview = 8000

// replace answers a finished call with its compacted output, or with nothing
// when that would not save enough.
func (set Settings) replace(ev host.Event, opt compact.Options) ([]byte, error) {
	out := ev.Output
	if ev.Background || opt.Off {
		return nil, nil
	}
	if out.Complete != "" {
		text, err := set.compactFile(ev, opt)
		if err != nil || text == "" {
			return nil, err
		}
		return out.Encode([]string{text})
	}
	texts := make([]string, len(out.Texts))
	before, after := 0, 0
	for i, t := range out.Texts {
		texts[i] = t
		switch {
		case len(t) < minSavedBytes:
		case out.File != "":
			if !out.Range {
				texts[i] = cutTail(out.File, t)
			}
		default:
			res := compact.Compact(envelope(ev, t), opt)
			set.warn(res)
			texts[i] = res.Reduced
		}
		before += len(t)
		after += len(texts[i])
	}
	if saved := before - after; saved < minSavedBytes || saved*100 < before*minSavedPercent {
		return nil, nil
	}
	return out.Encode(texts)
}

func (set Settings) warn(res compact.Result) {
	for _, w := range res.Meta.Warnings {
		if set.Warn != nil {
			set.Warn(w)
		}
	}
}

func envelope(ev host.Event, text string) compact.Envelope {
	return compact.Envelope{Tool: ev.Tool, Command: ev.Command, Cwd: ev.Cwd, CombinedText: text, ExitCode: ev.ExitCode}
}

// compactFile compacts an output of which the event holds only the beginning.
func (set Settings) compactFile(ev host.Event, opt compact.Options) (string, error) {
	f, err := os.Open(ev.Output.Complete)
	if err != nil {
		return "", err
	}
	defer f.Close()
	opt.Passthrough = io.Discard // what is not touched is not ours to show
	s := compact.NewStream(envelope(ev, ""), opt)
	if _, err := io.CopyBuffer(s, f, make([]byte, 256<<10)); err != nil {
		return "", err
	}
	res := s.Finish(ev.ExitCode)
	set.warn(res)
	if res.Meta.Unchanged {
		return "", nil // not text, or it cannot be cut: the host's preview is better
	}
	return shorten(res.Reduced, maxPreview), nil
}

// shorten keeps whole lines of either end of a text, with a marker between.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	const markers = 128 // bytes that the markers may take
	head := s[:strings.LastIndexByte(s[:limit/2], '\n')+1]
	from := len(s) - limit/2 + markers
	if eol := strings.IndexByte(s[from:len(s)-1], '\n'); eol >= 0 {
		tail := s[from+eol+1:]
		return head + compact.Omission(strings.Count(s[len(head):len(s)-len(tail)], "\n")) + tail
	}
	// The last line alone is longer than that.
	for !utf8.RuneStart(s[from]) {
		from++
	}
	last := strings.LastIndexByte(s[:from], '\n') + 1
	if missing := strings.Count(s[len(head):last], "\n"); missing > 0 {
		head += compact.Omission(missing)
	}
	return fmt.Sprintf("%s[… %d bytes …] %s", head, from-last, s[from:])
}
