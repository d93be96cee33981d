package proto

import (
	"errors"
	"unicode/utf8"

	"github.com/VictoriaMetrics/easyproto"
)

var (
	errDeep   = errors.New("messages in messages are too deep")
	errNumber = errors.New("no member has this number")
	errUTF8   = errors.New("a text is not UTF-8")
)

const mostNumber = 1<<29 - 1

// FromProtobuf decodes a message.
func FromProtobuf(data []byte, m Message) error { return decode(data, m, depth) }

// decode decodes a message that may have so many levels. A member of another type than
// its own is skipped like one that is not known: the specification of protobuf says so.
// Groups, which OTLP has none of, are an error.
func decode(data []byte, m Message, depth int) error {
	if depth == 0 {
		return errDeep
	}
	v := field{depth: depth - 1}
	for len(data) > 0 {
		var err error
		if data, err = v.NextField(data); err != nil {
			return err
		}
		if v.FieldNum == 0 || v.FieldNum > mostNumber {
			return errNumber
		}
		for _, known := range m.members() {
			if known.number != v.FieldNum {
				continue
			}
			if err := m.set(v.FieldNum, &v); err != nil && !errors.Is(err, errType) {
				return err
			}
			break
		}
	}
	return nil
}

// A field is a value in protobuf.
type field struct {
	easyproto.FieldContext
	depth int
}

func (f *field) each(read func(value) error) error { return read(f) }

func (f *field) message(m Message) error {
	data, ok := f.MessageData()
	if !ok {
		return errType
	}
	return decode(data, m, f.depth)
}

func (f *field) text(into *string) error {
	data, ok := f.Bytes()
	if ok && !utf8.Valid(data) {
		return errUTF8
	}
	return got(into, string(data), ok)
}

func (f *field) bytes(into *[]byte) error {
	data, ok := f.Bytes()
	return got(into, data, ok)
}

func (f *field) boolean(into *bool) error {
	n, ok := f.Uint64()
	return got(into, n != 0, ok)
}

func (f *field) int64(into *int64) error {
	n, ok := f.Int64()
	return got(into, n, ok)
}

func (f *field) enum(into *int32, _ []string) error {
	n, ok := f.Uint64()
	return got(into, int32(n), ok) // of a number that is too large the lower bits, which protobuf has so
}

func (f *field) sfixed64(into *int64) error {
	n, ok := f.Sfixed64()
	return got(into, n, ok)
}

func (f *field) fixed64(into *uint64) error {
	n, ok := f.Fixed64()
	return got(into, n, ok)
}

func (f *field) double(into *float64) error {
	n, ok := f.Double()
	return got(into, n, ok)
}

func got[T any](into *T, v T, ok bool) error {
	if !ok {
		return errType
	}
	*into = v
	return nil
}
