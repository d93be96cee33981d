// Package proto has the messages of OTLP, with the members that cairn reads, and
// decodes them from protobuf and from JSON. All other members are skipped, as those
// of a newer version are.
//
// The generated messages of OpenTelemetry are not used outside tests: they register
// their descriptors when a process starts, also one that only answers a hook. For the
// same reason nothing here is built at initialization.
package proto

import (
	"errors"

	"github.com/VictoriaMetrics/easyproto"
)

// depth is how deep messages may be in messages.
const depth = 64

// A Message is one of this package.
type Message interface {
	// members are those that are read.
	members() []member
	// set reads a value into a member.
	set(number uint32, v value) error
}

// A member is a member of a message. JSON has it by its name in either style. Of
// those that are one of several, a message has at most one.
type member struct {
	number      uint32
	camel, name string
	oneOf       bool
}

// A value is what a message has for a member. Each method reads it as a type; into
// is unchanged where there is an error.
type value interface {
	text(into *string) error
	bytes(into *[]byte) error
	boolean(into *bool) error
	int64(into *int64) error    // a varint in protobuf
	sfixed64(into *int64) error // 8 bytes in protobuf
	fixed64(into *uint64) error
	double(into *float64) error
	enum(into *int32, names []string) error // by number or by name
	message(into Message) error
	// each calls read with every value of a list. Of protobuf's, that is this one:
	// there the member is repeated.
	each(read func(value) error) error
}

// errType is of a value that has another type than its member.
var errType = errors.New("another type is expected")

type to[T any] interface {
	*T
	Message
}

// one reads a message. In protobuf one that is there already is added to.
func one[T any, P to[T]](v value, into **T) error {
	m := *into
	if m == nil {
		m = new(T)
	}
	err := v.message(P(m))
	if err == nil {
		*into = m
	}
	return err
}

// all reads a list of messages.
func all[T any, P to[T]](v value, into *[]*T) error {
	return v.each(func(v value) error {
		var m *T
		if err := one[T, P](v, &m); err != nil {
			return err
		}
		*into = append(*into, m)
		return nil
	})
}

// keep reads a member that is one of several types.
func keep[T any](into *any, read func(*T) error) error {
	was, _ := (*into).(T)
	err := read(&was)
	if err == nil {
		*into = was
	}
	return err
}

// either is keep of a message.
func either[T any, P to[T]](v value, into *any) error {
	return keep(into, func(m **T) error { return one[T, P](v, m) })
}

// A KeyValue is an attribute.
type KeyValue struct {
	Key   string
	Value *AnyValue
}

// An AnyValue is a string, bool, int64, float64, []byte, *ArrayValue or *KeyValueList,
// or nil.
type AnyValue struct{ Any any }

// An ArrayValue is a list of values.
type ArrayValue struct{ Values []*AnyValue }

// A KeyValueList is a list of values with names.
type KeyValueList struct{ Values []*KeyValue }

// Get is what a value is, nil where there is none.
func (v *AnyValue) Get() any {
	if v == nil {
		return nil
	}
	return v.Any
}

var (
	ofKeyValue = []member{{number: 1, camel: "key", name: "key"}, {number: 2, camel: "value", name: "value"}}
	ofAnyValue = []member{{1, "stringValue", "string_value", true}, {2, "boolValue", "bool_value", true}, {3, "intValue", "int_value", true},
		{4, "doubleValue", "double_value", true}, {5, "arrayValue", "array_value", true}, {6, "kvlistValue", "kvlist_value", true}, {7, "bytesValue", "bytes_value", true}}
	ofValues = []member{{number: 1, camel: "values", name: "values"}}
)

func (*KeyValue) members() []member     { return ofKeyValue }
func (*AnyValue) members() []member     { return ofAnyValue }
func (*ArrayValue) members() []member   { return ofValues }
func (*KeyValueList) members() []member { return ofValues }

func (m *KeyValue) set(number uint32, v value) error {
	if number == 1 {
		return v.text(&m.Key)
	}
	return one(v, &m.Value)
}

func (m *ArrayValue) set(_ uint32, v value) error   { return all(v, &m.Values) }
func (m *KeyValueList) set(_ uint32, v value) error { return all(v, &m.Values) }

func (m *AnyValue) set(number uint32, v value) error {
	switch number {
	case 1:
		return keep(&m.Any, v.text)
	case 2:
		return keep(&m.Any, v.boolean)
	case 3:
		return keep(&m.Any, v.int64)
	case 4:
		return keep(&m.Any, v.double)
	case 5:
		return either[ArrayValue](v, &m.Any)
	case 6:
		return either[KeyValueList](v, &m.Any)
	}
	return keep(&m.Any, v.bytes)
}

// Append adds an attribute to dst as protobuf, the same bytes for the same attribute.
func (m *KeyValue) Append(dst []byte) []byte {
	w := pool.Get()
	defer pool.Put(w)
	m.marshal(w.MessageMarshaler())
	return w.Marshal(dst)
}

var pool easyproto.MarshalerPool

func (m *KeyValue) marshal(w *easyproto.MessageMarshaler) {
	if m.Key != "" {
		w.AppendString(1, m.Key)
	}
	if m.Value != nil {
		m.Value.marshal(w.AppendMessage(2))
	}
}

func (m *AnyValue) marshal(w *easyproto.MessageMarshaler) {
	switch v := m.Any.(type) {
	case string:
		w.AppendString(1, v)
	case bool:
		w.AppendBool(2, v)
	case int64:
		w.AppendInt64(3, v)
	case float64:
		w.AppendDouble(4, v)
	case *ArrayValue:
		list := w.AppendMessage(5)
		for _, one := range v.Values {
			one.marshal(list.AppendMessage(1))
		}
	case *KeyValueList:
		list := w.AppendMessage(6)
		for _, one := range v.Values {
			one.marshal(list.AppendMessage(1))
		}
	case []byte:
		w.AppendBytes(7, v)
	}
}
