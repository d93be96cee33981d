package item

import (
	"strings"

	"cairn/internal/plan/doc"
)

// header is the fields of an item. Two forms are common: a frontmatter, and
// the same lines without the `---` around them.
type header struct {
	t          *doc.Text
	front      *doc.Node // nil in the second form
	start, end int       // the lines of the second form; of the first only end
}

func readHeader(t *doc.Text) header {
	if front := t.Front(); front != nil {
		return header{t: t, front: front, end: t.Body()}
	}
	h := header{t: t}
	for i := 0; i < t.Len(); i++ {
		line := strings.TrimSpace(t.Line(i))
		if isHeaderLine(t.Line(i), false) {
			h.start = i
		} else if line == "" || line[0] == '#' {
			continue
		}
		break
	}
	h.end = h.start
	for h.end < t.Len() && isHeaderLine(t.Line(h.end), h.end > h.start) {
		h.end++
	}
	return h
}

// isHeaderLine: `name: value`, or after one a list's item.
func isHeaderLine(line string, after bool) bool {
	name, _, ok := strings.Cut(line, ":")
	if ok && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-") == "" {
		return true
	}
	return after && strings.HasPrefix(strings.TrimLeft(line, " \t"), "- ")
}

// get returns the first of the fields that is there.
func (h header) get(names ...string) string {
	for _, name := range names {
		if h.front != nil {
			if v := h.front.Get(name).Text(); v != "" {
				return v
			}
			continue
		}
		if f, ok := h.t.Field(h.start, h.end, name); ok && f.Value != "" {
			return doc.Unquote(f.Value)
		}
	}
	return ""
}

// list returns a field that is a list: in brackets, by commas, or a line per
// item. A file may be named with a line: src/a.go:12.
func (h header) list(name string) []string {
	if h.front != nil {
		return split(h.front.Get(name).Strings())
	}
	f, ok := h.t.Field(h.start, h.end, name)
	if !ok {
		return nil
	}
	if f.Value != "" {
		return split([]string{strings.Trim(f.Value, "[]")})
	}
	var out []string
	for i := f.Line + 1; i < h.end; i++ {
		text, ok := strings.CutPrefix(strings.TrimLeft(h.t.Line(i), " \t"), "- ")
		if !ok {
			break
		}
		out = append(out, text)
	}
	return split(out)
}

// set writes a field: it is changed where it stands or comes first.
func (h header) set(name, value string) error {
	if h.front != nil {
		return h.t.SetFront(value, name)
	}
	if f, ok := h.t.Field(h.start, h.end, name); ok {
		h.t.SetField(f, value)
		return nil
	}
	h.t.Insert(h.start, name+": "+value)
	if h.start == h.end && h.start+1 < h.t.Len() && strings.TrimSpace(h.t.Line(h.start+1)) != "" {
		h.t.Insert(h.start+1, "") // the text had no fields
	}
	return nil
}

func split(texts []string) []string {
	var out []string
	for _, text := range texts {
		for part := range strings.SplitSeq(text, ",") {
			if part = doc.Unquote(strings.TrimSpace(part)); part != "" {
				out = append(out, part)
			}
		}
	}
	return out
}
