package record

import "strings"

// xmlScan follows the tags of XML from line to line: within a tag that goes over several
// lines, a quoted value, CDATA, a comment. What is left open or cut off does it no harm.
type xmlScan struct {
	stack []string // the open elements
	begun bool     // there was one
	until string   // what ends CDATA, a comment or a declaration that is open
	tag   []byte   // the open tag, from its name on
	in    bool     // a tag is open
	quote byte     // in it, a value is
}

const (
	xmlDepth = 500      // elements within one another
	xmlTag   = 16 << 10 // bytes of a tag that are read
)

// line reads a line. Of each element it says where it begins, what its tag was when that is
// complete, and where it ends.
func (x *xmlScan) line(s string, begins func(name string, at int), tagged func(name, attributes string), ends func(name string)) {
	for i := 0; i < len(s); {
		switch {
		case x.until != "":
			n := strings.Index(s[i:], x.until)
			if n < 0 {
				return
			}
			i += n + len(x.until)
			x.until = ""
		case x.in:
			i = x.inTag(s, i, tagged, ends)
		default:
			n := strings.IndexByte(s[i:], '<')
			if n < 0 {
				return
			}
			i += n
			rest := s[i:]
			switch {
			case strings.HasPrefix(rest, "<![CDATA["):
				x.until = "]]>"
			case strings.HasPrefix(rest, "<!--"):
				x.until = "-->"
			case strings.HasPrefix(rest, "<?"):
				x.until = "?>"
			case strings.HasPrefix(rest, "<!"):
				x.until = ">"
			case len(rest) > 1 && (rest[1] == '/' || xmlBegins(rest[1])):
				x.in, x.tag = true, x.tag[:0]
				if rest[1] != '/' {
					if x.begun = true; begins != nil {
						begins(xmlName(rest[1:]), i)
					}
				}
			}
			i++
		}
	}
	if x.in {
		x.add(' ') // the end of the line
	}
}

// inTag reads on in a tag, and returns where it stopped.
func (x *xmlScan) inTag(s string, i int, tagged func(name, attributes string), ends func(name string)) int {
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case x.quote != 0:
			if c == x.quote {
				x.quote = 0
			}
		case c == '"' || c == '\'':
			x.quote = c
		case c == '>':
			x.in = false
			x.end(string(x.tag), tagged, ends)
			return i + 1
		}
		x.add(c)
	}
	return i
}

func (x *xmlScan) add(c byte) {
	if len(x.tag) < xmlTag {
		x.tag = append(x.tag, c)
	}
}

// end takes a complete tag.
func (x *xmlScan) end(tag string, tagged func(name, attributes string), ends func(name string)) {
	name := xmlName(strings.TrimPrefix(tag, "/"))
	if tag[:min(1, len(tag))] != "/" {
		if len(x.stack) < xmlDepth {
			x.stack = append(x.stack, name)
		}
		if tagged != nil {
			tagged(name, strings.TrimSuffix(tag[len(name):], "/"))
		}
		if !strings.HasSuffix(tag, "/") {
			return
		}
	}
	for i := len(x.stack) - 1; i >= 0; i-- {
		if x.stack[i] == name { // those in it that were not ended are cut off
			if x.stack = x.stack[:i]; ends != nil {
				ends(name)
			}
			return
		}
	}
}

// done reports whether the document has ended.
func (x *xmlScan) done() bool { return x.begun && !x.in && x.until == "" && len(x.stack) == 0 }

// within reports whether one of the names is that of an open element.
func (x *xmlScan) within(names ...string) bool {
	for _, name := range x.stack {
		if oneOf(name, names...) {
			return true
		}
	}
	return false
}

// cuts are where a line may be parted: before each element that begins in it.
func (x *xmlScan) cuts(s string) (at []int) {
	try := xmlScan{until: x.until, in: x.in, quote: x.quote}
	try.line(s, func(_ string, i int) {
		if i > 0 && strings.TrimSpace(s[:i]) != "" {
			at = append(at, i)
		}
	}, nil, nil)
	return at
}

// xmlName is the name that s begins with, without its name space.
func xmlName(s string) string {
	if n := strings.IndexAny(s, " \t\r\n/>"); n >= 0 {
		s = s[:n]
	}
	return s
}

// xmlAttribute is the value of an attribute.
func xmlAttribute(attributes, key string) string {
	for s := attributes; s != ""; {
		name, rest, ok := strings.Cut(s, "=")
		rest = strings.TrimLeft(rest, " ")
		if !ok || rest == "" || rest[0] != '"' && rest[0] != '\'' {
			return ""
		}
		value, after, _ := strings.Cut(rest[1:], rest[:1])
		if strings.TrimSpace(name) == key {
			return xmlEntities.Replace(value)
		}
		s = after
	}
	return ""
}

var xmlEntities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&#10;", " ", "&#xA;", " ", "&#xa;", " ", "&amp;", "&")

// xmlRoot is the name of the first element in a line, behind what stands before a document.
func xmlRoot(s string) string {
	for {
		s = strings.TrimLeft(s, " \t\ufeff")
		end := ""
		switch {
		case strings.HasPrefix(s, "<?"):
			end = "?>"
		case strings.HasPrefix(s, "<!--"):
			end = "-->"
		case strings.HasPrefix(s, "<!DOCTYPE"):
			end = ">"
		case len(s) > 1 && s[0] == '<' && xmlBegins(s[1]):
			return xmlName(s[1:])
		default:
			return ""
		}
		_, after, ok := strings.Cut(s, end)
		if !ok {
			return ""
		}
		s = after
	}
}

// xmlBegins reports whether c may begin the name of an element.
func xmlBegins(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }
