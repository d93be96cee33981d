package verb

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Get returns one value of data by its path: names by dots, name[i], and
// name[-1] for the last. A scalar is its text, the rest JSON; what is not
// there is an error.
func Get(data any, path string) (string, error) {
	b, err := json.Marshal(data)
	if err != nil {
		return "", err
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var at any
	if err := dec.Decode(&at); err != nil {
		return "", err
	}
	for segment := range strings.SplitSeq(strings.ReplaceAll(path, "[", ".["), ".") {
		if segment == "" {
			continue
		}
		next, ok := step(at, segment)
		if !ok {
			return "", fmt.Errorf("there is no %q in the result", path)
		}
		at = next
	}
	switch v := at.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case json.Number, bool:
		return fmt.Sprint(v), nil
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	err = enc.Encode(at)
	return strings.TrimSuffix(text.String(), "\n"), err
}

func step(at any, segment string) (any, bool) {
	if index, ok := strings.CutPrefix(segment, "["); ok {
		list, _ := at.([]any)
		i, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
		if i < 0 {
			i += len(list)
		}
		if err != nil || i < 0 || i >= len(list) {
			return nil, false
		}
		return list[i], true
	}
	m, _ := at.(map[string]any)
	value, ok := m[segment]
	return value, ok
}
