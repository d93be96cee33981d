package query

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
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

// MarshalJSON prints the members in order.
func (o object) MarshalJSON() ([]byte, error) { return marshal(o, "") }

// marshal prints as JavaScript does: <, > and & as they are. An indent makes
// it several lines. Objects and lists of them are printed here and not by
// encoding/json, which would check and copy each once per level.
func marshal(v any, indent string) ([]byte, error) {
	p := printer{indent: indent}
	err := p.value(v, 0)
	return p.Bytes(), err
}

type printer struct {
	bytes.Buffer
	indent string
}

func (p *printer) value(v any, level int) error {
	switch v := v.(type) {
	case object:
		return p.list('{', '}', len(v), level, func(i int) error {
			if err := p.value(v[i].key, level); err != nil {
				return err
			}
			p.WriteByte(':')
			if p.indent != "" {
				p.WriteByte(' ')
			}
			return p.value(v[i].value, level+1)
		})
	case []object:
		return p.list('[', ']', len(v), level, func(i int) error { return p.value(v[i], level+1) })
	case []string:
		if v == nil {
			break
		}
		return p.list('[', ']', len(v), level, func(i int) error { return p.value(v[i], level+1) })
	case string:
		if isPlain(v) {
			p.WriteByte('"')
			p.WriteString(v)
			p.WriteByte('"')
			return nil
		}
	case int:
		p.WriteString(strconv.Itoa(v))
		return nil
	case bool:
		p.WriteString(strconv.FormatBool(v))
		return nil
	}
	return p.other(v, level)
}

// list prints n items between two brackets.
func (p *printer) list(open, end byte, n, level int, item func(int) error) error {
	p.WriteByte(open)
	for i := range n {
		if i > 0 {
			p.WriteByte(',')
		}
		p.newline(level + 1)
		if err := item(i); err != nil {
			return err
		}
	}
	if n > 0 {
		p.newline(level)
	}
	return p.WriteByte(end)
}

func (p *printer) newline(level int) {
	if p.indent == "" {
		return
	}
	p.WriteByte('\n')
	for range level {
		p.WriteString(p.indent)
	}
}

// other leaves a value to encoding/json.
func (p *printer) other(v any, level int) error {
	enc := json.NewEncoder(&p.Buffer)
	enc.SetEscapeHTML(false)
	if p.indent != "" {
		enc.SetIndent(strings.Repeat(p.indent, level), p.indent)
	}
	if err := enc.Encode(v); err != nil {
		return err
	}
	p.Truncate(p.Len() - 1) // its line feed
	return nil
}

// isPlain reports whether a string stands in JSON as it is.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
