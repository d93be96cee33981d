package promptfoo

import (
	"math"
	"reflect"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/goccy/go-yaml"

	"cairn/internal/team/cases"
)

// Write writes cases as YAML, below lines of a comment. What it writes is read
// again: where the YAML of a case would say something else, JSON, which is YAML
// too, stands in its place.
func Write(list []Case, comment string) (string, error) {
	var out strings.Builder
	for line := range strings.Lines(comment) {
		out.WriteString("# " + strings.TrimRight(line, "\r\n") + "\n")
	}
	for _, c := range list {
		doc := []yaml.MapSlice{c.ordered()}
		asJSON, err := json.Marshal(unordered(doc[0]), json.Deterministic(true))
		if err != nil {
			return "", err
		}
		written := "- " + string(asJSON) + "\n"
		for _, literal := range []bool{true, false} {
			data, err := yaml.MarshalWithOptions(doc, yaml.Indent(2), yaml.UseLiteralStyleIfMultiline(literal))
			if err == nil && !strings.ContainsFunc(string(data), func(r rune) bool { return r != '\n' && unicode.IsControl(r) }) && says(data, asJSON) {
				written = string(data)
				break
			}
		}
		out.WriteString(written)
	}
	return out.String(), nil
}

// says reports whether YAML, a list of one, means what JSON does.
func says(data, plain []byte) bool {
	docs, err := cases.ParseYAML("", data)
	if err != nil || len(docs) != 1 {
		return false
	}
	var want any
	return json.Unmarshal(plain, &want) == nil && reflect.DeepEqual(docs[0].Value(), []any{want})
}

func (c *Case) ordered() yaml.MapSlice {
	m := yaml.MapSlice{{Key: "name", Value: c.Name}}
	add := func(name string, v any) { m = append(m, yaml.MapItem{Key: name, Value: v}) }
	if c.Description != "" {
		add("description", c.Description)
	}
	if len(c.Tags) > 0 {
		add("tags", c.Tags)
	}
	if len(c.Input) > 0 {
		add("input", plain(c.Input))
	}
	add("expectations", ordered(c.Expectations))
	return m
}

// ordered keeps the order of keys.
func ordered(v any) any {
	switch v := v.(type) {
	case Expectation:
		m := yaml.MapSlice{}
		for _, k := range v {
			m = append(m, yaml.MapItem{Key: k.Name, Value: ordered(k.Value)})
		}
		return m
	case []Expectation:
		list := make([]any, len(v))
		for i := range v {
			list[i] = ordered(v[i])
		}
		return list
	}
	return plain(v)
}

// plain writes whole numbers as such.
func plain(v any) any {
	switch v := v.(type) {
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v)
		}
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = plain(v[i])
		}
		return list
	case map[string]any:
		m := make(map[string]any, len(v))
		for name := range v {
			m[name] = plain(v[name])
		}
		return m
	}
	return v
}

// unordered is the same as JSON has it.
func unordered(v any) any {
	switch v := v.(type) {
	case yaml.MapSlice:
		m := map[string]any{}
		for _, item := range v {
			m[item.Key.(string)] = unordered(item.Value)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = unordered(v[i])
		}
		return list
	}
	return v
}
