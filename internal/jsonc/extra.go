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
	start := from
	for start > 0 && (text[start-1] == ' ' || text[start-1] == '\t') {
		start--
	}
	end := to
	for end < len(text) && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r') {
		end++
	}
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
		if e[i] != '/' || i+1 == len(e) {
			i++
			continue
		}
		end := len(e)
		if e[i+1] == '*' {
			if n := bytes.Index(e[i+2:], []byte("*/")); n >= 0 {
				end = i + 2 + n + 2
			}
		} else if n := bytes.IndexByte(e[i:], '\n'); n >= 0 {
			end = i + n
			if e[end-1] == '\r' {
				end--
			}
		}
		all = append(all, span{i, end})
		i = end
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
