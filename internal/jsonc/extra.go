package jsonc

import (
	"bytes"
	"sort"

	"github.com/tailscale/hujson"
)

// An Extension is something that plain JSON does not have.
type Extension struct {
	Line int    // from 1
	What string // "comment" or "trailing comma"
}

// Extensions returns what keeps the text from being plain JSON, in order.
func (d *Doc) Extensions() []Extension {
	var all []Extension
	for _, s := range d.extensions() {
		what := "comment"
		if d.text[s.from] == ',' {
			what = "trailing comma"
		}
		all = append(all, Extension{d.line(s.from), what})
	}
	return all
}

// Plain returns the text without comments, trailing commas and byte order
// mark. A line that held only a comment goes with it; the rest stays as it is.
func (d *Doc) Plain() []byte {
	text := d.text
	cuts := d.extensions()
	for i := len(cuts) - 1; i >= 0; i-- {
		from, to := cuts[i].from, cuts[i].to
		if text[from] == '/' {
			from, to = wholeLine(text, from, to)
		}
		text = append(bytes.Clone(text[:from]), text[to:]...)
	}
	return text
}

// wholeLine widens a comment to its lines when nothing else is on them, and
// to the blanks before it when it ends a line.
func wholeLine(text []byte, from, to int) (int, int) {
	start := len(bytes.TrimRight(text[:from], " \t"))
	end := skip(text, to, " \t\r")
	switch endsLine := end == len(text) || text[end] == '\n'; {
	case endsLine && end < len(text) && (start == 0 || text[start-1] == '\n'):
		return start, end + 1
	case endsLine:
		return start, to
	}
	return from, to
}

type span struct{ from, to int }

// extensions returns the spans of comments (without the line end) and of
// trailing commas, in order.
func (d *Doc) extensions() []span {
	var all []span
	add := func(e hujson.Extra, offset int) {
		for _, c := range comments(e) {
			all = append(all, span{offset + c.from, min(offset+c.to, len(d.text))})
		}
	}
	for v := range d.root.All() {
		add(v.BeforeExtra, v.StartOffset-len(v.BeforeExtra))
		add(v.AfterExtra, v.EndOffset)
		if in := tail(v); in != nil {
			add(in, v.EndOffset-1-len(in))
		}
		if in := slots(v); trails(in) {
			at := in[len(in)-1].comma()
			all = append(all, span{at, at + 1})
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].from < all[j].from })
	return all
}

// comments returns the spans of the comments in e. A line comment ends before
// its line end.
func comments(e hujson.Extra) []span {
	var all []span
	for i := 0; i < len(e); {
		n := commentLen(e[i:])
		if n == 0 {
			i++
			continue
		}
		if end := bytes.TrimSuffix(e[i:i+n], []byte("\n")); len(end) < n {
			n = len(bytes.TrimSuffix(end, []byte("\r")))
		}
		all = append(all, span{i, i + n})
		i += n
	}
	return all
}

// afterComments returns where the last comment of e ends, 0 without one, and
// whether a line end must follow it.
func afterComments(e hujson.Extra) (offset int, line bool) {
	if all := comments(e); len(all) > 0 {
		last := all[len(all)-1]
		return last.to, e[last.from+1] == '/'
	}
	return 0, false
}
