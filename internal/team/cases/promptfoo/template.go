package promptfoo

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"cairn/internal/text"
)

// errTemplate is a template that does more than name a variable.
var errTemplate = errors.New("the template does more than name a variable of the test")

// fill puts variables into a template, {{name}} or {{name.member}}. A filter, a
// condition or an unknown name is an error.
func fill(template string, vars map[string]any) (string, error) {
	if !isTemplate(template) {
		return template, nil
	}
	var err error
	name := regexp.MustCompile(`\{\{-?\s*([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*)\s*-?\}\}`)
	filled := name.ReplaceAllStringFunc(template, func(found string) string {
		path := strings.Split(name.FindStringSubmatch(found)[1], ".")
		var v any = vars
		for _, step := range path {
			object, _ := v.(map[string]any)
			v = object[step]
		}
		s, ok := scalar(v)
		switch {
		case ok:
			if isTemplate(s) {
				err = errTemplate
			}
			return s
		case v == nil:
			err = fmt.Errorf("it names the variable %s, which the test does not have", text.First(strings.Join(path, "."), 60))
			return found
		default:
			data, e := json.Marshal(v, json.Deterministic(true))
			err = errors.Join(err, e)
			return string(data)
		}
	})
	if isTemplate(name.ReplaceAllString(template, "")) {
		err = errTemplate
	}
	return filled, err
}

func isTemplate(s string) bool { return strings.Contains(s, "{{") || strings.Contains(s, "{%") }

// scalar is a text, a number, true or false as a text.
func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

// fillAll is fill for every text of a value.
func fillAll(v any, vars map[string]any) (any, error) {
	switch v := v.(type) {
	case string:
		return fill(v, vars)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			var err error
			if out[i], err = fillAll(v[i], vars); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		out := map[string]any{}
		for name, item := range v {
			filled, err := fillAll(item, vars)
			if err != nil {
				return nil, err
			}
			out[name] = filled
		}
		return out, nil
	}
	return v, nil
}
