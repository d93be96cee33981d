package query

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

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

// pick prints one field of v: segments by dots, name[i], name[-1]. A field
// that is not there prints nothing; the old tool said nothing either, ours
// says so on stderr. An object is printed as JSON.
func pick(env Env, path string, v any) error {
	b, err := marshal(v, "")
	if err != nil {
		return err
	}
	var at any
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	if err := dec.Decode(&at); err != nil {
		return err
	}
	for segment := range strings.SplitSeq(path, ".") {
		name, indexes, _ := strings.Cut(segment, "[")
		if name != "" {
			m, _ := at.(map[string]any)
			value, ok := m[name]
			if !ok {
				fmt.Fprintf(env.Stderr, "Warning: no field %q in the result\n", path)
				return nil
			}
			at = value
		}
		for index := range strings.SplitSeq(strings.TrimSuffix(indexes, "]"), "][") {
			if indexes == "" {
				break
			}
			list, _ := at.([]any)
			i, err := strconv.Atoi(index)
			if i < 0 {
				i += len(list)
			}
			if err != nil || i < 0 || i >= len(list) {
				return nil
			}
			at = list[i]
		}
	}
	switch v := at.(type) {
	case nil:
	case string:
		fmt.Fprint(env.Stdout, v)
	case json.Number, bool:
		fmt.Fprint(env.Stdout, v)
	default:
		b, err := marshal(v, "")
		if err != nil {
			return err
		}
		_, err = env.Stdout.Write(b)
		return err
	}
	return nil
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
