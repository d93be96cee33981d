package reader

import (
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A row is an object of a foreign file, or a line of a table: values by name.
type row map[string]jsontext.Value

// rows are the objects of a list; of anything else there are none.
func rows(v jsontext.Value) (list []row) {
	if v.Kind() == '[' {
		decode(v, &list)
	}
	return list
}

// texts are the texts of a list; of anything else there are none.
func texts(v jsontext.Value) (list []string) {
	if v.Kind() != '[' || json.Unmarshal(v, &list, foreign()) != nil {
		return nil
	}
	return list
}

// get is the value of a column, or a part of it: usage.input.
func (r row) get(column string) jsontext.Value {
	if v, ok := r[column]; ok {
		return v
	}
	head, rest, ok := strings.Cut(column, ".")
	if !ok {
		return nil
	}
	return r.part(head).get(rest)
}

// part is an object in an object; a missing one is empty.
func (r row) part(name string) (inner row) {
	if r[name].Kind() == '{' && json.Unmarshal(r[name], &inner, foreign()) != nil {
		return nil
	}
	return inner
}

// either is a member by its name in camelCase, or else in snake_case.
func (r row) either(name string) jsontext.Value {
	if v := r[name]; v != nil && v.Kind() != 'n' {
		return v
	}
	return r[capital.ReplaceAllStringFunc(name, func(s string) string { return "_" + strings.ToLower(s) })]
}

var capital = regexp.MustCompile("[A-Z]")

func (r row) text(name string) string { return asText(r.either(name)) }

func (r row) figure(name string) float64 {
	f, _ := number(r.text(name))
	return f
}
