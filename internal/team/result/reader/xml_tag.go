package reader

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// start reads an opening tag.
func (x *xmlReader) start() (any, error) {
	if len(x.open) == 0 && x.rooted {
		return nil, x.say("not XML: a second root element")
	}
	if x.depth++; x.depth > deepestXML {
		return nil, x.say("elements nested deeper than %d", deepestXML)
	}
	i := x.at + 1
	name, i := x.name(i)
	if name == "" {
		if i >= len(x.data) {
			return nil, x.ends()
		}
		return nil, x.say("not XML: a name is wanted after <")
	}
	e := xmlStart{name: local(name)}
	for {
		before := i
		for i < len(x.data) && isSpace(x.data[i]) {
			i++
		}
		switch {
		case i >= len(x.data):
			return nil, x.ends()
		case x.data[i] == '>':
			x.at, x.rooted = i+1, true
			x.open = append(x.open, name)
			return e, nil
		case bytes.HasPrefix(x.data[i:], []byte("/>")):
			x.at, x.rooted, x.selfEnd = i+2, true, true
			return e, nil
		}
		key, after := x.name(i)
		for after < len(x.data) && isSpace(x.data[after]) {
			after++
		}
		if after >= len(x.data) {
			return nil, x.ends()
		}
		if key == "" || i == before || x.data[after] != '=' {
			return nil, x.say("not XML: <%s has an attribute that is none", oneLine(name, 40))
		}
		for after++; after < len(x.data) && isSpace(x.data[after]); {
			after++
		}
		if after >= len(x.data) {
			return nil, x.ends()
		}
		quote := x.data[after]
		if quote != '"' && quote != '\'' {
			return nil, x.say("not XML: the value of %s has no quotes", oneLine(key, 40))
		}
		end := bytes.IndexByte(x.data[after+1:], quote)
		if end < 0 {
			return nil, x.ends()
		}
		value, err := x.unescape(x.data[after+1 : after+1+end])
		if err != nil {
			return nil, err
		}
		e.attrs = append(e.attrs, xmlAttr{local(key), value})
		i = after + 1 + end + 1
	}
}

// name reads a name from i on and returns where it ends.
func (x *xmlReader) name(i int) (string, int) {
	from := i
	for i < len(x.data) {
		b := x.data[i]
		ok := b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_' || b == ':' || b >= utf8.RuneSelf ||
			i > from && (b >= '0' && b <= '9' || b == '-' || b == '.')
		if !ok {
			break
		}
		i++
	}
	return string(x.data[from:i]), i
}

func local(name string) string {
	_, after, ok := strings.Cut(name, ":")
	if ok && after != "" {
		return after
	}
	return name
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

// unescape resolves references and line ends.
func (x *xmlReader) unescape(text []byte) (string, error) {
	i := bytes.IndexByte(text, '&')
	if i < 0 {
		return lineEnds(text), nil
	}
	var b strings.Builder
	for ; i >= 0; i = bytes.IndexByte(text, '&') {
		b.WriteString(lineEnds(text[:i]))
		text = text[i+1:]
		end := bytes.IndexByte(text[:min(len(text), 40)], ';')
		if end < 0 {
			return "", x.say("not XML: an & that begins no entity")
		}
		name := string(text[:end])
		text = text[end+1:]
		switch {
		case name == "lt":
			b.WriteByte('<')
		case name == "gt":
			b.WriteByte('>')
		case name == "amp":
			b.WriteByte('&')
		case name == "quot":
			b.WriteByte('"')
		case name == "apos":
			b.WriteByte('\'')
		case strings.HasPrefix(name, "#"):
			n, err := strconv.ParseUint(strings.TrimPrefix(name, "#"), 10, 32)
			if hex, ok := strings.CutPrefix(name, "#x"); ok {
				n, err = strconv.ParseUint(hex, 16, 32)
			}
			if err != nil {
				return "", x.say("not XML: &%s; is no character", oneLine(name, 40))
			}
			if n < ' ' && n != '\t' && n != '\n' && n != '\r' || n > utf8.MaxRune {
				n = '?' // as in the text itself
			}
			b.WriteRune(rune(n))
		default:
			return "", x.say("not XML: the entity &%s; is not one of XML's five", oneLine(name, 40))
		}
	}
	b.WriteString(lineEnds(text))
	return b.String(), nil
}

func lineEnds(text []byte) string {
	if bytes.IndexByte(text, '\r') < 0 {
		return string(text)
	}
	return strings.ReplaceAll(strings.ReplaceAll(string(text), "\r\n", "\n"), "\r", "\n")
}

func (x *xmlReader) ends() error {
	x.at = len(x.data)
	return x.say("the file ends in the middle of the XML")
}

func (x *xmlReader) say(format string, args ...any) error {
	return fmt.Errorf("line %d: %s", 1+bytes.Count(x.data[:min(x.at, len(x.data))], []byte("\n")), fmt.Sprintf(format, args...))
}
