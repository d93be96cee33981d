package record

import (
	"strings"

	"cairn/internal/text"
)

// limits of a document on one line
const (
	cutSmall  = 400 // bytes: as it is
	cutItems  = 3   // entries of a list at least
	cutRoom   = 600 // and as many more as begin within these bytes
	cutKeys   = 30  // of an object
	cutString = 160 // bytes of a string
	cutDepth  = 6
)

// cutJSON shortens a document on one line: of its lists the first entries
// stay, of long strings the beginning. It never fails: what is not JSON is cut
// as text.
func cutJSON(s string) string {
	if len(s) <= cutSmall {
		return s
	}
	c := jsonCutter{in: s}
	c.value(0, true)
	if c.pos < len(s) {
		c.out.WriteString(width(s[c.pos:]))
	}
	return c.out.String()
}

type jsonCutter struct {
	in  string
	pos int
	out strings.Builder
}

// value copies the value at pos, or only passes over it.
func (c *jsonCutter) value(depth int, show bool) {
	c.space(show)
	if c.pos >= len(c.in) {
		return
	}
	switch c.in[c.pos] {
	case '"':
		c.str(show)
	case '{', '[':
		c.container(depth, show)
	default:
		start := c.pos
		for c.pos < len(c.in) && !strings.ContainsRune(",]}", rune(c.in[c.pos])) {
			c.pos++
		}
		c.write(c.in[start:c.pos], show)
	}
}

func (c *jsonCutter) str(show bool) {
	n := stringEnd(c.in[c.pos:])
	s := c.in[c.pos : c.pos+n]
	c.pos += n
	if n > cutString+40 {
		end := cutString
		for s[end]&0xc0 == 0x80 || s[end-1] == '\\' {
			end--
		}
		s = s[:end] + " [… " + text.Thousands(n-end-1) + ` bytes …]"`
	}
	c.write(s, show)
}

// container copies a list or an object and what it has room for.
func (c *jsonCutter) container(depth int, show bool) {
	list := c.in[c.pos] == '['
	limit := cutKeys
	if list {
		limit = cutItems
	}
	if depth >= cutDepth {
		limit = 0
	}
	c.write(c.in[c.pos:c.pos+1], show)
	c.pos++
	n, shown, start := 0, 0, c.out.Len()
	for ; c.pos < len(c.in); n++ {
		in := show && (n < limit || list && depth < 2 && shown == n && c.out.Len()-start < cutRoom)
		c.space(in)
		if c.pos >= len(c.in) {
			break
		}
		if end := c.in[c.pos]; end == '}' || end == ']' {
			c.more(n-shown, show)
			c.write(c.in[c.pos:c.pos+1], show)
			c.pos++
			return
		}
		if in {
			shown++
		}
		before := c.pos
		if !list && c.in[c.pos] == '"' {
			n := stringEnd(c.in[c.pos:])
			c.write(c.in[c.pos:c.pos+n], in)
			c.pos += n
			c.space(in)
			if c.pos < len(c.in) && c.in[c.pos] == ':' {
				c.write(":", in)
				c.pos++
			}
		}
		c.value(depth+1, in)
		c.space(in)
		if c.pos < len(c.in) && c.in[c.pos] == ',' {
			c.write(",", in)
			c.pos++
		}
		if c.pos == before {
			c.pos++ // not JSON: get on
		}
	}
	c.more(n-shown, show)
}

// more says how many entries are left out.
func (c *jsonCutter) more(n int, show bool) {
	if n > 0 && show {
		c.out.WriteString("[… " + text.Thousands(n) + " more …]")
	}
}

func (c *jsonCutter) space(show bool) {
	start := c.pos
	for c.pos < len(c.in) && (c.in[c.pos] == ' ' || c.in[c.pos] == '\t') {
		c.pos++
	}
	c.write(c.in[start:c.pos], show)
}

func (c *jsonCutter) write(s string, show bool) {
	if show {
		c.out.WriteString(s)
	}
}
