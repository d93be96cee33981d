// Package jsonpath finds one value in JSON by a path such as
// phases[0].name: names by dots, [i] counted from 0, [-1] for the last.
//
// The packages verb and query use it for --get and --pick. It knows nothing
// of plans, and what is not found is not its concern.
package jsonpath

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// Find returns the value at path in data, with its members in the order they
// have there.
func Find(data []byte, path string) (value json.RawMessage, ok bool) {
	value = data
	for segment := range strings.SplitSeq(strings.ReplaceAll(path, "[", ".["), ".") {
		if segment == "" {
			continue
		}
		if value, ok = step(value, segment); !ok {
			return nil, false
		}
	}
	return value, true
}

func step(value json.RawMessage, segment string) (json.RawMessage, bool) {
	index, isIndex := strings.CutPrefix(segment, "[")
	if !isIndex {
		var object map[string]json.RawMessage
		if json.Unmarshal(value, &object) != nil {
			return nil, false
		}
		member, ok := object[segment]
		return member, ok
	}
	var list []json.RawMessage
	i, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
	if err != nil || json.Unmarshal(value, &list) != nil {
		return nil, false
	}
	if i < 0 {
		i += len(list)
	}
	if i < 0 || i >= len(list) {
		return nil, false
	}
	return list[i], true
}

// Text returns a value as a shell wants it: a string without quotes, null as
// nothing, the rest as JSON.
func Text(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil { // null too
		return s
	}
	return string(bytes.TrimSpace(value))
}
