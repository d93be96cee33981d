package query

import (
	"bytes"
	"encoding/json"
)

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	key   string
	value any
}

// with returns o with a member more.
func (o object) with(key string, value any) object { return append(o, member{key, value}) }

// given is with for a text that is left out when it is empty.
func (o object) given(key, text string) object {
	if text == "" {
		return o
	}
	return o.with(key, text)
}

// and returns o with the members of others.
func (o object) and(others ...object) object {
	for _, more := range others {
		o = append(o, more...)
	}
	return o
}

// MarshalJSON prints the members in order.
func (o object) MarshalJSON() ([]byte, error) { return marshal(o, "") }

// marshal prints as JavaScript does: <, > and & as they are. An indent makes
// it several lines.
func marshal(v any, indent string) ([]byte, error) {
	var p printer
	p.enc = json.NewEncoder(&p.Buffer)
	p.enc.SetEscapeHTML(false)
	err := p.value(v)
	if indent == "" || err != nil {
		return p.Bytes(), err
	}
	var lines bytes.Buffer
	err = json.Indent(&lines, p.Bytes(), "", indent)
	return lines.Bytes(), err
}

// A printer prints objects and lists of them itself: encoding/json would check
// and copy each once per level.
type printer struct {
	bytes.Buffer
	enc *json.Encoder
}

func (p *printer) value(v any) error {
	switch v := v.(type) {
	case object:
		return between(p, "{}", v, func(m member) error {
			if err := p.value(m.key); err != nil {
				return err
			}
			p.WriteByte(':')
			return p.value(m.value)
		})
	case []object:
		return between(p, "[]", v, func(o object) error { return p.value(o) })
	}
	if err := p.enc.Encode(v); err != nil {
		return err
	}
	p.Truncate(p.Len() - 1) // its line feed
	return nil
}

// between prints items between two brackets.
func between[T any](p *printer, brackets string, items []T, item func(T) error) error {
	p.WriteByte(brackets[0])
	for i, it := range items {
		if i > 0 {
			p.WriteByte(',')
		}
		if err := item(it); err != nil {
			return err
		}
	}
	return p.WriteByte(brackets[1])
}
