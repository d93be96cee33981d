package hook

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"cairn/internal/compact"
	"cairn/internal/compact/reads"
	"cairn/internal/host"
	"cairn/internal/tokens"
)

// A result is left alone unless replacing it saves this much.
const (
	minSavedBytes   = 400
	minSavedPercent = 10
)

// maxPreview is how many characters stand in for an output of which the host
// would show only a part.
const (
	maxPreview = 8000
	maxList    = 7500 // of a list among them: the header and what stands around it take the rest
)

// replace answers a finished call with its compacted output, or with nothing
// when that would not save enough.
func (set Settings) replace(ev host.Event, opt compact.Options, seen *reads.Ledger) ([]byte, error) {
	look := lookAt(ev.Output, seen)
	if answer, ok := set.known(ev, seen, look); ok {
		return answer, nil
	}
	var sum compact.Meta
	var texts []string
	var err error
	if look.Insists() {
		sum = compact.Replaced("read", ev.Output.Texts[0], ev.Output.Texts[0]).Meta
		if set.Back != nil {
			set.Back(ev.Session, look.ID(), sum.TokensAfter)
		}
	} else if texts, err = Replacement(ev, opt, func(res compact.Result) {
		set.warn(res)
		sum = sum.Plus(res.Meta)
	}); err != nil {
		return nil, err
	}
	var answer []byte
	if texts == nil && opt.Outline && sum.Rule == "read" {
		if answer, ok := set.outline(ev, seen, look); ok {
			return answer, nil
		}
	}
	if texts != nil {
		answer, err = ev.Output.Encode(texts)
	}
	if answer == nil {
		sum, texts = sum.Kept(), ev.Output.Texts
	} else if look != nil {
		sum.TeeID = look.ID()
	}
	set.used(ev, sum)
	set.shown(ev, seen, look, texts)
	return answer, err
}

// Replacement returns what is to stand in place of the texts of a finished
// call, or nil when the result stays as it is. It gives what came of every text
// to each.
func Replacement(ev host.Event, opt compact.Options, each func(compact.Result)) ([]string, error) {
	out := ev.Output
	if ev.Background || opt.Off {
		return nil, nil
	}
	if out.Complete != "" {
		res, err := compactFile(ev, opt)
		if err != nil {
			return nil, err
		}
		each(res)
		if res.Meta.Unchanged {
			return nil, nil // not text, or it cannot be cut: the host's preview is better
		}
		return []string{res.Reduced}, nil
	}
	texts := make([]string, len(out.Texts))
	before, after := 0, 0
	for i, t := range out.Texts {
		if out.Passed > 0 {
			opt.ListRoom = maxList
		}
		res := reduce(ev, opt, t)
		before += len(t)
		if out.Passed > 0 {
			Fit(&res, maxPreview)
			before = out.Passed
		}
		each(res)
		texts[i] = res.Reduced
		after += len(res.Reduced)
	}
	if saved := before - after; saved < minSavedBytes || saved*100 < before*minSavedPercent {
		return nil, nil
	}
	return texts, nil
}

// reduce returns what stands in for one text of the result.
func reduce(ev host.Event, opt compact.Options, text string) compact.Result {
	switch out := ev.Output; {
	case len(text) < minSavedBytes, out.File != "" && out.Range, isPage(ev.Tool) && len(text)/(strings.Count(text, "\n")+1) > minifiedAvg:
		return compact.Replaced("none", text, text)
	case out.File != "":
		return compact.Replaced("read", text, cutTail(out.File, text, out.Rest))
	}
	return compact.Compact(envelope(ev, text), opt)
}

// isPage reports whether a tool returns prose. Of a page without lines nothing
// can be left out between them.
func isPage(tool string) bool { return tool == "WebFetch" || tool == "WebSearch" }

// used tells what came of an output that is large enough to matter.
func (set Settings) used(ev host.Event, m compact.Meta) {
	if set.Used != nil && m.Rule != "none" && m.BytesBefore >= minSavedBytes {
		set.Used(ev.Session, envelope(ev, ""), m)
	}
}

func (set Settings) warn(res compact.Result) {
	for _, w := range res.Meta.Warnings {
		if set.Warn != nil {
			set.Warn(w)
		}
	}
}

func envelope(ev host.Event, text string) compact.Envelope {
	return compact.Envelope{
		Tool: ev.Tool, Command: ev.Command, Cwd: ev.Cwd, CombinedText: text, ExitCode: ev.ExitCode, Clipped: ev.Output.Clipped,
	}
}

// compactFile compacts an output of which the event holds only the beginning.
func compactFile(ev host.Event, opt compact.Options) (compact.Result, error) {
	f, err := os.Open(ev.Output.Complete)
	if err != nil {
		return compact.Result{}, err
	}
	defer f.Close()
	opt.ListRoom = maxList
	opt.Passthrough = io.Discard // what is not touched is not ours to show
	s := compact.NewStream(envelope(ev, ""), opt)
	if _, err := io.CopyBuffer(s, f, make([]byte, 256<<10)); err != nil {
		return compact.Result{}, err
	}
	res := s.Finish(ev.ExitCode)
	Fit(&res, maxPreview)
	return res, nil
}

// Fit shortens what stands in for an output that the host would clip.
func Fit(res *compact.Result, limit int) {
	if !res.Meta.Unchanged {
		res.Reduced = shorten(res.Reduced, limit)
		res.Meta.BytesAfter, res.Meta.TokensAfter = len(res.Reduced), tokens.Estimate(res.Reduced)
	}
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
