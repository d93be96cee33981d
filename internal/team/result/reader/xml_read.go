package reader

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// skip passes over the rest of an element that was begun.
func (x *xmlReader) skip() error {
	for depth := x.depth; x.depth >= depth; {
		if _, err := x.next(); err != nil {
			return err
		}
	}
	return nil
}

// text reads the text of an element that was begun, the first bytes of it,
// without that of elements inside.
func (x *xmlReader) text(most int) (string, error) {
	var b strings.Builder
	for depth := x.depth; x.depth >= depth; {
		t, err := x.next()
		if err != nil {
			return "", err
		}
		if c, ok := t.(xmlText); ok && x.depth == depth && b.Len() < most {
			b.WriteString(string(c[:min(len(c), most)]))
		}
	}
	return b.String(), nil
}

func attr(e xmlStart, name string) string {
	for _, a := range e.attrs {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

// xmlUTF8 reads the encodings that are not UTF-8 but a byte a character, and
// replaces control characters, which XML forbids and test tools write all the
// same when a message holds colors. UTF-16 was made UTF-8 before, whatever the
// file says of itself.
func xmlUTF8(data []byte) ([]byte, error) {
	switch label := xmlEncoding(data); label {
	case "", "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be":
		if !utf8.Valid(data) {
			return nil, errors.New("XML that is not the UTF-8 that it says or means to be")
		}
	case "iso-8859-1", "latin1", "latin-1", "windows-1252", "cp1252", "iso-8859-15":
		wide := make([]byte, 0, len(data)+len(data)/16)
		for _, b := range data {
			wide = utf8.AppendRune(wide, rune(b))
		}
		data = wide
	default:
		return nil, fmt.Errorf("the encoding %s is not known; UTF-8 is wanted", oneLine(label, 40))
	}
	bad := func(b byte) bool { return b < ' ' && !isSpace(b) }
	if bytes.IndexFunc(data, func(r rune) bool { return r < utf8.RuneSelf && bad(byte(r)) }) < 0 {
		return data, nil
	}
	data = bytes.Clone(data)
	for i, b := range data {
		if bad(b) {
			data[i] = '?'
		}
	}
	return data, nil
}

// xmlEncoding is what the first line says, in lower case.
func xmlEncoding(data []byte) string {
	head, _, ok := bytes.Cut(data[:min(len(data), 256)], []byte("?>"))
	if !ok || !bytes.HasPrefix(bytes.TrimSpace(head), []byte("<?xml")) {
		return ""
	}
	_, after, ok := bytes.Cut(head, []byte("encoding"))
	if !ok {
		return ""
	}
	value := strings.TrimLeft(string(after), "= \t\r\n\"'")
	if end := strings.IndexAny(value, "\"'"); end >= 0 {
		value = value[:end]
	}
	return strings.ToLower(value)
}
