package jsonc

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/tailscale/hujson"
)

// An Object is a JSON object whose members keep their order.
type Object []Member

// A Member is a name with its value: an Object, a []any, a string, a float64,
// a bool or nil.
type Member struct {
	Name  string
	Value any
}

// Value returns the value at p, as a Member has it; ok is false when there is
// none. Of two members with one name the last counts, in the place of the
// first.
func (d *Doc) Value(p Path) (value any, ok bool) {
	v := d.find(p)
	if v == nil {
		return nil, false
	}
	return valueOf(v), true
}

func valueOf(v *hujson.Value) any {
	switch c := v.Value.(type) {
	case *hujson.Object:
		o := make(Object, 0, len(c.Members))
		at := make(map[string]int, len(c.Members))
		for _, s := range slots(v) {
			i, twice := at[s.name]
			if !twice {
				i, at[s.name] = len(o), len(o)
				o = append(o, Member{Name: s.name})
			}
			o[i].Value = valueOf(s.value)
		}
		return o
	case *hujson.Array:
		list := make([]any, len(c.Elements))
		for i := range c.Elements {
			list[i] = valueOf(&c.Elements[i])
		}
		return list
	case hujson.Literal:
		switch c.Kind() {
		case '"':
			return c.String()
		case '0':
			return c.Float()
		case 't', 'f':
			return c.Bool()
		}
	}
	return nil
}

// Get returns the value of a member and whether there is one.
func (o Object) Get(name string) (any, bool) {
	if i := o.index(name); i >= 0 {
		return o[i].Value, true
	}
	return nil, false
}

// With returns a copy of o with a member set: in its place, or at the end.
func (o Object) With(name string, value any) Object {
	out := slices.Clone(o)
	if i := o.index(name); i >= 0 {
		out[i].Value = value
		return out
	}
	return append(out, Member{name, value})
}

func (o Object) index(name string) int {
	return slices.IndexFunc(o, func(m Member) bool { return m.Name == name })
}

// MarshalJSON writes the members in their order.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := e.Encode(m.Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(m.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
