package query

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"cairn/internal/plan/jsonpath"
)

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	key   string
	value any
}

// MarshalJSON prints the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(m.key)
		if err != nil {
			return nil, err
		}
		value, err := marshal(m.value, "")
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// with returns o with a member more.
func (o object) with(key string, value any) object { return append(o, member{key, value}) }

// marshal prints as JavaScript does: <, > and & as they are.
func marshal(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func print(env Env, g global, res result) error {
	switch {
	case g.pick != "" && !res.text:
		return pick(env, g.pick, res.data)
	case res.text, g.raw && res.plain:
		_, err := io.WriteString(env.Stdout, res.raw)
		return err
	}
	b, err := marshal(res.data, "  ")
	if err == nil {
		_, err = env.Stdout.Write(b)
	}
	return err
}

// pick prints one field of v; an object as JSON. A field that is not there
// prints nothing; the old tool said nothing either, ours says so on stderr.
func pick(env Env, path string, v any) error {
	b, err := marshal(v, "")
	if err != nil {
		return err
	}
	value, ok := jsonpath.Find(b, path)
	if !ok {
		fmt.Fprintf(env.Stderr, "Warning: no field %q in the result\n", path)
		return nil
	}
	_, err = io.WriteString(env.Stdout, jsonpath.Text(value))
	return err
}

// orNull returns null for a text that was not given.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// scalar is a value as text: a list's items between commas, as JavaScript has
// it, and an object as JSON.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = scalar(item)
		}
		return strings.Join(items, ",")
	}
	b, err := marshal(v, "")
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}
