package reader

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

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

// next returns the next element, text or end. io.EOF is the end of a document
// whose elements are all closed.
func (x *xmlReader) next() (xml.Token, error) {
	for {
		t, err := x.token()
		if err != nil {
			return nil, err
		}
		switch t.(type) {
		case xml.StartElement:
			if x.elements++; x.elements > mostElements {
				return nil, x.say("more than %d elements; split the run", mostElements)
			}
			if x.depth++; x.depth > deepestXML {
				return nil, x.say("elements nested deeper than %d", deepestXML)
			}
			return t, nil
		case xml.EndElement:
			x.depth--
			return t, nil
		case xml.CharData:
			return t, nil
		}
	}
}

// token is Token with errors that people can read.
func (x *xmlReader) token() (xml.Token, error) {
	t, err := x.Token()
	if err == nil || err == io.EOF {
		return t, err
	}
	var syntax *xml.SyntaxError
	switch {
	case errors.As(err, &syntax) && strings.Contains(syntax.Msg, "unexpected EOF"):
		return nil, fmt.Errorf("line %d: the file ends in the middle of the XML", syntax.Line)
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("line %d: not XML: %s", syntax.Line, oneLine(syntax.Msg, 100))
	}
	return nil, fmt.Errorf("not XML: %s", oneLine(strings.TrimPrefix(err.Error(), "xml: "), 100))
}

func (x *xmlReader) say(format string, args ...any) error {
	line, _ := x.InputPos()
	return fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...))
}

// skip passes over the rest of an element that was begun.
func (x *xmlReader) skip() error {
	return x.each(func(xml.Token) error { return nil })
}

// text reads the text of an element that was begun, the first bytes of it,
// without that of elements inside.
func (x *xmlReader) text(most int) (string, error) {
	var b strings.Builder
	depth := x.depth
	err := x.each(func(t xml.Token) error {
		if c, ok := t.(xml.CharData); ok && x.depth == depth && b.Len() < most {
			b.Write(c[:min(len(c), most)])
		}
		return nil
	})
	return b.String(), err
}

// each has what is in an element that was begun read by f.
func (x *xmlReader) each(f func(t xml.Token) error) error {
	for depth := x.depth; x.depth >= depth; {
		t, err := x.next()
		if err != nil {
			return x.early(err)
		}
		if err := f(t); err != nil {
			return err
		}
	}
	return nil
}

func (x *xmlReader) early(err error) error {
	if err == io.EOF {
		return errors.New("the file ends in the middle of the XML")
	}
	return err
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
