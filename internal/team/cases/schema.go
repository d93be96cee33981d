package cases

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/jsonschema-go/jsonschema"

	"cairn/internal/text"
)

// A Schema is a JSON Schema of draft-07 or 2020-12 in a case. It is
// self-contained: no file and no URL is read.
type Schema struct {
	resolved *jsonschema.Resolved
	costly   atomic.Bool // a value took too long
}

// dialects are the drafts that are understood, by what stands in $schema.
var dialects = map[string]bool{"json-schema.org/draft-07/schema": true, "json-schema.org/draft/2020-12/schema": true}

// ParseSchema reads a schema: an object, or true or false.
func ParseSchema(v any) (*Schema, error) {
	data, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := stdjson.Unmarshal(data, &s); err != nil {
		return nil, schemaError(err)
	}
	dialect := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(s.Schema, "https://"), "http://"), "#")
	switch {
	case s.Schema == "":
	case !dialects[dialect]:
		return nil, fmt.Errorf("$schema must name draft-07 or 2020-12, not %q", text.First(s.Schema, 80))
	case strings.HasSuffix(dialect, "-07/schema"):
		s.Schema = "http://json-schema.org/draft-07/schema#" // however it was written
	default:
		s.Schema = "https://json-schema.org/draft/2020-12/schema"
	}
	if err := usable(&s); err != nil {
		return nil, err
	}
	resolved, err := s.Resolve(nil) // without a loader: nothing is read
	if err != nil {
		return nil, schemaError(err)
	}
	return &Schema{resolved: resolved}, nil
}

func schemaError(err error) error {
	what := strings.NewReplacer("jsonschema: ", "", "jsonschema.Schema: ", "", "<anonymous schema>: ", "").Replace(err.Error())
	return errors.New(text.First(strings.Join(strings.Fields(what), " "), 200))
}

// inPlace are the members of a schema whose schemas check the same value.
var inPlace = map[string]bool{"allOf": true, "anyOf": true, "oneOf": true, "not": true, "if": true, "then": true, "else": true, "dependentSchemas": true, "dependencies": true}

// kinds are the types of values.
var kinds = [...]string{"null", "boolean", "object", "array", "number", "integer", "string"}

// usable refuses what the library does not notice: a schema that would check
// one value against the same part forever, references out of it, and unknown
// types.
func usable(root *jsonschema.Schema) error {
	named := map[string]*jsonschema.Schema{} // by what a reference calls it
	again := map[*jsonschema.Schema][]*jsonschema.Schema{}
	var all []*jsonschema.Schema
	var walk func(at string, s *jsonschema.Schema)
	walk = func(at string, s *jsonschema.Schema) {
		all = append(all, s)
		named["#"+at] = s
		if s.Anchor != "" {
			named["#"+s.Anchor] = s
		}
		for name, child := range children(s) {
			walk(at+"/"+name, child)
			if keyword, _, _ := strings.Cut(name, "/"); inPlace[keyword] {
				again[s] = append(again[s], child)
			}
		}
	}
	walk("", root)
	for _, s := range all {
		for _, kind := range append(s.Types, s.Type) {
			if kind != "" && !slices.Contains(kinds[:], kind) {
				return fmt.Errorf("type must be one of %s, not %q", strings.Join(kinds[:], ", "), text.First(kind, 80))
			}
		}
		switch {
		case s.DynamicRef != "" || s.DynamicAnchor != "":
			return errors.New("$dynamicRef and $dynamicAnchor are not supported; use $ref")
		case s.ID != "" && s != root:
			return errors.New("$id below the top is not supported")
		case s.Ref == "":
			continue
		}
		name, err := url.PathUnescape(s.Ref)
		target := named[name]
		if err != nil || target == nil {
			return fmt.Errorf("the $ref %q points to nothing in the schema; only references within it (#/…) are followed", text.First(s.Ref, 80))
		}
		again[s] = append(again[s], target)
	}
	state := map[*jsonschema.Schema]int{}
	var turns func(s *jsonschema.Schema) bool
	turns = func(s *jsonschema.Schema) bool {
		if state[s] != 0 {
			return state[s] == 1
		}
		state[s] = 1
		for _, next := range again[s] {
			if turns(next) {
				return true
			}
		}
		state[s] = 2
		return false
	}
	for _, s := range all {
		if turns(s) {
			return errors.New("a $ref loops back to itself without descending into the value")
		}
	}
	return nil
}

// children are the schemas directly below one, by their place in its JSON.
func children(s *jsonschema.Schema) iter.Seq2[string, *jsonschema.Schema] {
	return func(yield func(string, *jsonschema.Schema) bool) {
		v := reflect.ValueOf(s).Elem()
		for i := range v.NumField() {
			f := v.Type().Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch f.Name {
			case "DependencySchemas":
				name = "dependencies"
			case "Items", "ItemsArray":
				name = "items"
			}
			switch below := v.Field(i).Interface().(type) {
			case *jsonschema.Schema:
				if below != nil && !yield(name, below) {
					return
				}
			case []*jsonschema.Schema:
				for i, one := range below {
					if one != nil && !yield(fmt.Sprintf("%s/%d", name, i), one) {
						return
					}
				}
			case map[string]*jsonschema.Schema:
				for key, one := range below {
					if one != nil && !yield(name+"/"+pointerEscape.Replace(key), one) {
						return
					}
				}
			}
		}
	}
}

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

// schemaTime is how long the validation of one value may take. References can
// multiply: a schema of one page may take years.
const schemaTime = 5 * time.Second

// ErrCostly is a value whose validation did not end in time.
var ErrCostly = fmt.Errorf("validation against the schema takes longer than %s", schemaTime)

// Check validates a value, as JSON is decoded into an any.
func (s *Schema) Check(v any) error {
	if s.costly.Load() {
		return ErrCostly
	}
	done := make(chan error, 1)
	go func() { done <- s.resolved.Validate(v) }()
	select {
	case err := <-done:
		return err
	case <-time.After(schemaTime): // the goroutine goes on: the library cannot be stopped
		s.costly.Store(true)
		return ErrCostly
	}
}
