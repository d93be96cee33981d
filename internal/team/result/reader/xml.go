package reader

import (
	"bytes"
	"errors"
	"io"
)

// XML is read by hand, in the little that result files have of it: encoding/xml
// builds a table of HTML's entities before main, which every hook would pay for.
// Entities are the five of XML and numbers; what a DOCTYPE defines is passed
// over, so that nothing can grow.

const deepestXML = 100

// xmlStart, xmlEnd and xmlText are what next returns. Namespaces are dropped:
// <a:b> is b.
type (
	xmlStart struct {
		name  string
		attrs []xmlAttr
	}
	xmlEnd  struct{}
	xmlText string
	xmlAttr struct{ name, value string }
)

// xmlReader reads a document token by token, counts depth and tells errors by
// their line.
type xmlReader struct {
	data    []byte
	at      int
	open    []string // names of the open elements, with prefix
	depth   int
	rooted  bool // the root element has begun
	selfEnd bool // the last start was <a/>: its end is next
	broken  error
}

func newXML(data []byte) *xmlReader {
	data, err := xmlUTF8(data)
	return &xmlReader{data: data, broken: err}
}

// next returns the next start, end or text. io.EOF is the end of a document
// whose elements are all closed.
func (x *xmlReader) next() (any, error) {
	if x.broken != nil {
		return nil, x.broken
	}
	if x.selfEnd {
		x.selfEnd = false
		x.depth--
		return xmlEnd{}, nil
	}
	for {
		rest := x.data[x.at:]
		switch {
		case len(rest) == 0 && len(x.open) == 0:
			return nil, io.EOF
		case len(rest) == 0:
			return nil, x.ends()
		case rest[0] != '<':
			text, err := x.chars(rest)
			if err != nil || text != "" {
				return xmlText(text), err
			}
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			text, err := x.until("<![CDATA[", "]]>")
			if err != nil || len(x.open) == 0 {
				return nil, errors.Join(err, x.outside(err))
			}
			return xmlText(lineEnds(text)), nil
		case bytes.HasPrefix(rest, []byte("<!--")):
			if _, err := x.until("<!--", "-->"); err != nil {
				return nil, err
			}
		case bytes.HasPrefix(rest, []byte("<?")):
			if _, err := x.until("<?", "?>"); err != nil {
				return nil, err
			}
		case bytes.HasPrefix(rest, []byte("<!")):
			if err := x.doctype(); err != nil {
				return nil, err
			}
		case bytes.HasPrefix(rest, []byte("</")):
			name, err := x.until("</", ">")
			if err != nil {
				return nil, err
			}
			name = bytes.TrimRight(name, " \t\r\n")
			if len(x.open) == 0 || x.open[len(x.open)-1] != string(name) {
				return nil, x.say("not XML: </%s> closes nothing that is open", oneLine(string(name), 40))
			}
			x.open = x.open[:len(x.open)-1]
			x.depth--
			return xmlEnd{}, nil
		default:
			return x.start()
		}
	}
}

// chars reads text up to the next tag. Around the root there is none.
func (x *xmlReader) chars(rest []byte) (string, error) {
	end := bytes.IndexByte(rest, '<')
	if end < 0 {
		end = len(rest)
	}
	if len(x.open) == 0 {
		if len(bytes.TrimSpace(rest[:end])) > 0 {
			return "", x.outside(nil)
		}
		x.at += end
		return "", nil
	}
	text, err := x.unescape(rest[:end])
	x.at += end
	return text, err
}

func (x *xmlReader) outside(err error) error {
	if err != nil {
		return nil
	}
	return x.say("not XML: text outside of the root element")
}

// until returns what stands between two marks and goes behind the second.
func (x *xmlReader) until(from, to string) ([]byte, error) {
	inside := x.data[x.at+len(from):]
	end := bytes.Index(inside, []byte(to))
	if end < 0 {
		return nil, x.ends()
	}
	x.at += len(from) + end + len(to)
	return inside[:end], nil
}

// doctype passes over a declaration with whatever it defines in brackets.
func (x *xmlReader) doctype() error {
	depth, quote := 0, byte(0)
	for i := x.at; i < len(x.data); i++ {
		switch b := x.data[i]; {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '"' || b == '\'':
			quote = b
		case b == '<' || b == '[':
			depth++
		case b == ']':
			depth--
		case b == '>':
			if depth--; depth == 0 {
				x.at = i + 1
				return nil
			}
		}
	}
	return x.ends()
}
