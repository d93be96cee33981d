package query

import (
	"fmt"
	"io"
	"strings"

	"cairn/internal/answer/jsonpath"
	"cairn/internal/must"
)

func print(env Env, g global, res result) {
	switch {
	case g.pick != "" && !res.text:
		pick(env, g.pick, res.data)
	case res.text, g.raw && res.plain:
		must.Get(io.WriteString(env.Stdout, res.raw))
	default:
		must.Get(env.Stdout.Write(must.Get(marshal(res.data, "  "))))
	}
}

// pick prints one field of v; an object as JSON. A field that is not there
// prints nothing; the old tool said nothing either, ours says so on stderr.
func pick(env Env, path string, v any) {
	value, ok := jsonpath.Find(must.Get(marshal(v, "")), path)
	if !ok {
		fmt.Fprintf(env.Stderr, "Warning: no field %q in the result\n", path)
	}
	must.Get(io.WriteString(env.Stdout, jsonpath.Text(value)))
}

// millis is the older tool's form of a moment, to be given in UTC.
const millis = "2006-01-02T15:04:05.000Z"

func either(ok bool, yes, no string) string {
	if ok {
		return yes
	}
	return no
}

// validity is the plain form of most checks.
func validity(ok bool) string { return either(ok, "valid", "invalid") }

// each returns what shape makes of every item; only, the items that are so.
func each[T, U any](items []T, shape func(T) U) []U {
	out := make([]U, len(items))
	for i, it := range items {
		out[i] = shape(it)
	}
	return out
}

func only[T any](items []T, so func(T) bool) []T {
	out := []T{}
	for _, it := range items {
		if so(it) {
			out = append(out, it)
		}
	}
	return out
}

// list makes a nil list an empty one, which is [] in JSON.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
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
