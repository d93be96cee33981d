package verb

import (
	"bytes"
	"encoding/json"
	"fmt"

	"cairn/internal/plan/jsonpath"
)

// list makes a nil list an empty one, which is [] in JSON.
func list[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// Get returns one value of data by its path; what is not there is an error.
func Get(data any, path string) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(data); err != nil {
		return "", err
	}
	value, ok := jsonpath.Find(b.Bytes(), path)
	if !ok {
		return "", fmt.Errorf("there is no %q in the result", path)
	}
	return jsonpath.Text(value), nil
}
