package mcp

import (
	"cairn/internal/text"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Param is an argument of a tool.
type Param struct {
	Name     string
	Kind     Kind
	Does     string   // for the model; "" where the name says it
	OneOf    []string // of a text: nothing else is taken
	Required bool
}

// Kind is a type of JSON Schema.
type Kind string

const (
	Text  Kind = "string"
	Whole Kind = "integer" // from 0
	Flag  Kind = "boolean"
)

// declared is the tool as clients are told of it.
func (t Tool) declared() *sdk.Tool {
	no, open := false, t.Network
	return &sdk.Tool{
		Name: t.Name, Description: t.Does, InputSchema: schemaOf(t.Params),
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &open},
	}
}

type (
	schema struct {
		Type       string     `json:"type"`
		Properties properties `json:"properties"`
		Required   []string   `json:"required,omitempty"`
	}
	property struct {
		Type        Kind     `json:"type"`
		Description string   `json:"description,omitempty"`
		Enum        []string `json:"enum,omitempty"`
	}
	properties map[string]property
)

// schemaOf is the JSON Schema of arguments, with nothing in it that a model
// does not need.
func schemaOf(params []Param) schema {
	s := schema{Type: "object", Properties: properties{}}
	for _, p := range params {
		s.Properties[p.Name] = property{p.Kind, p.Does, p.OneOf}
		if p.Required {
			s.Required = append(s.Required, p.Name)
		}
	}
	return s
}

// Args are the arguments of a call, checked against the tool's Params.
type Args map[string]any

// String returns a text, "" when it was not given.
func (a Args) String(name string) string { s, _ := a[name].(string); return s }

// readArgs reads arguments. Models write 3 for "3" and "3" for 3, so both are taken.
func readArgs(t Tool, data []byte) (Args, error) {
	given := map[string]any{}
	if len(data) > 0 {
		if err := json.Unmarshal(data, &given); err != nil {
			return nil, fmt.Errorf("the arguments of %s are not a JSON object", t.Name)
		}
	}
	args := Args{}
	for name, v := range given {
		i := slices.IndexFunc(t.Params, func(p Param) bool { return p.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("%s takes no argument %q; %s", t.Name, text.Cut(name, 40), t.takes())
		}
		if v == nil { // as if it was not given
			continue
		}
		value, ok := t.Params[i].read(v)
		if !ok {
			return nil, fmt.Errorf("%s of %s is %s", name, t.Name, t.Params[i].wanted())
		}
		args[name] = value
	}
	for _, p := range t.Params {
		if p.Required && args.String(p.Name) == "" {
			return nil, fmt.Errorf("%s needs %s: %s", t.Name, p.Name, p.wanted())
		}
	}
	return args, nil
}

func (p Param) read(v any) (any, bool) {
	switch p.Kind {
	case Flag:
		if s, ok := v.(string); ok {
			b, err := strconv.ParseBool(s)
			return b, err == nil
		}
		b, ok := v.(bool)
		return b, ok
	case Whole:
		f, ok := v.(float64)
		if s, text := v.(string); text {
			n, err := strconv.Atoi(s)
			f, ok = float64(n), err == nil
		}
		return int(f), ok && f >= 0 && f == math.Trunc(f) && f <= math.MaxInt32
	}
	s, ok := v.(string)
	if f, number := v.(float64); number {
		s, ok = strconv.FormatFloat(f, 'f', -1, 64), true
	}
	return s, ok && (len(p.OneOf) == 0 || s == "" || slices.Contains(p.OneOf, s))
}

func (p Param) wanted() string {
	switch {
	case len(p.OneOf) > 0:
		return "one of " + strings.Join(p.OneOf, ", ")
	case p.Kind == Whole:
		return "a whole number from 0"
	case p.Kind == Flag:
		return "true or false"
	}
	return "a text"
}

func (t Tool) takes() string {
	var names []string
	for _, p := range t.Params {
		names = append(names, p.Name)
	}
	if len(names) == 0 {
		return "it takes none"
	}
	return "it takes " + strings.Join(names, ", ")
}
