package reader

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

const (
	deepestXML   = 100
	mostElements = 4 * result.MaxResults
)

// xmlReader reads tokens, counts depth and tells errors by their line.
// encoding/xml knows no entities but the five, so none can grow.
type xmlReader struct {
	*xml.Decoder
	depth    int
	elements int
}

func newXML(data []byte) *xmlReader {
	x := &xmlReader{Decoder: xml.NewDecoder(bytes.NewReader(printable(data)))}
	x.CharsetReader = charset
	return x
}

// next returns the next element, text or end; nil is the end of a document
// whose elements are all closed.
func (x *xmlReader) next() xml.Token {
	for {
		t, err := x.Token()
		if err != nil && err != io.EOF {
			must.Fail(notXML(err))
		}
		switch t.(type) {
		case xml.StartElement:
			if x.elements++; x.elements > mostElements {
				must.Fail(x.say("more than %d elements; split the run", mostElements))
			}
			if x.depth++; x.depth > deepestXML {
				must.Fail(x.say("elements nested deeper than %d", deepestXML))
			}
			return t
		case xml.EndElement:
			x.depth--
			return t
		case xml.CharData, nil:
			return t
		}
	}
}

// notXML says what is wrong so that people can read it.
func notXML(err error) error {
	var syntax *xml.SyntaxError
	switch {
	case errors.As(err, &syntax) && strings.Contains(syntax.Msg, "unexpected EOF"):
		return fmt.Errorf("line %d: the file ends in the middle of the XML", syntax.Line)
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d: not XML: %s", syntax.Line, oneLine(syntax.Msg, 100))
	}
	return fmt.Errorf("not XML: %s", oneLine(strings.TrimPrefix(err.Error(), "xml: "), 100))
}

func (x *xmlReader) say(format string, args ...any) error {
	line, _ := x.InputPos()
	return fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...))
}

// skip passes over the rest of an element that was begun.
func (x *xmlReader) skip() { x.each(func(xml.Token) {}) }

// text reads the text of an element that was begun, the first bytes of it,
// without that of elements inside.
func (x *xmlReader) text(most int) string {
	var b strings.Builder
	depth := x.depth
	x.each(func(t xml.Token) {
		if c, ok := t.(xml.CharData); ok && x.depth == depth && b.Len() < most {
			b.Write(c[:min(len(c), most)])
		}
	})
	return b.String()
}

// each has what is in an element that was begun read by f.
func (x *xmlReader) each(f func(t xml.Token)) {
	for depth := x.depth; x.depth >= depth; {
		f(x.inside())
	}
}

var errEarly = errors.New("the file ends in the middle of the XML")

// inside is next where an element is open.
func (x *xmlReader) inside() xml.Token {
	t := x.next()
	if t == nil {
		must.Fail(errEarly)
	}
	return t
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// printable replaces control characters, which XML forbids and test tools
// write all the same when a message holds colors.
func printable(data []byte) []byte {
	bad := func(b byte) bool { return b < ' ' && b != '\n' && b != '\t' && b != '\r' }
	if bytes.IndexFunc(data, func(r rune) bool { return r < utf8.RuneSelf && bad(byte(r)) }) < 0 {
		return data
	}
	out := bytes.Clone(data)
	for i, b := range out {
		if bad(b) {
			out[i] = '?'
		}
	}
	return out
}

// charset reads the encodings that are not UTF-8 but a byte a character.
// UTF-16 was made UTF-8 before, whatever the file says of itself.
func charset(label string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be":
		return in, nil
	case "iso-8859-1", "latin1", "latin-1", "windows-1252", "cp1252", "iso-8859-15":
		data, err := io.ReadAll(in) // it was in memory before
		var text bytes.Buffer
		for _, b := range data {
			text.WriteRune(rune(b))
		}
		return &text, err
	}
	return nil, fmt.Errorf("the encoding %s is not known; UTF-8 is wanted", oneLine(label, 40))
}
