package postgrest

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/table"
)

// A Function is what a request may call.
type Function struct {
	Name      string
	Arguments []Argument
	// Rows describes the rows of a set that it returns; nil where it returns one value.
	Rows *table.Table
	// Reads: it changes nothing, so GET may call it.
	Reads bool
}

// An Argument of a function, by name.
type Argument struct {
	Name     string
	Type     table.Type
	Optional bool
}

// A Call is a function with what it is called with.
type Call struct {
	Function  *Function
	Arguments map[string]jsontext.Value
	// Query says what is shown of the rows that the function returns, nil of one value.
	Query *Query
}

// ParseCall reads a request for a function: arguments from the body of a POST,
// from the query string of a GET or HEAD. Further parameters say what is shown
// of the rows.
func ParseCall(functions []Function, name, method, rawQuery string, body []byte) (*Call, *Error) {
	params, err := split(rawQuery)
	if err != nil {
		return nil, err
	}
	var f *Function
	if i := slices.IndexFunc(functions, func(f Function) bool { return f.Name == name }); i >= 0 {
		f = &functions[i]
	}
	c := &Call{Function: f, Arguments: map[string]jsontext.Value{}}
	switch method {
	case http.MethodPost:
		if c.Arguments, err = readArguments(body); err != nil {
			return nil, err
		}
	case http.MethodGet, http.MethodHead:
		params = slices.DeleteFunc(params, func(p param) bool {
			if !isArgument(f, p) {
				return false
			}
			c.Arguments[p.key] = argument(f, p)
			return true
		})
	default:
		return nil, fault(http.StatusMethodNotAllowed, "PGRST101", "Cannot use the %s method on RPC", short(method))
	}
	if f == nil || !f.takes(c.Arguments) {
		return nil, noFunction(functions, f, name, c.Arguments, method == http.MethodPost)
	}
	if method != http.MethodPost && !f.Reads {
		return nil, fault(http.StatusMethodNotAllowed, "25006", "cannot execute %s() in a read-only transaction", name)
	}
	if f.Rows != nil {
		c.Query, err = parseQuery(f.Rows, params)
	}
	return c, err
}

// readArguments reads the body of a call: one object, or nothing.
func readArguments(body []byte) (map[string]jsontext.Value, *Error) {
	args := map[string]jsontext.Value{}
	if len(bytes.TrimSpace(body)) == 0 {
		return args, nil
	}
	if err := checkDepth(body); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(body, &args); err != nil || args == nil {
		return nil, badBody("Empty or invalid json")
	}
	return args, nil
}

// isArgument says whether a parameter is an argument: one of the function's, or
// one that it should have but has not, for it says nothing else either.
func isArgument(f *Function, p param) bool {
	if f != nil && slices.ContainsFunc(f.Arguments, func(a Argument) bool { return a.Name == p.key }) {
		return true
	}
	switch p.key {
	case "select", "order", "limit", "offset", "and", "or", "not.and", "not.or", "columns", "on_conflict":
		return false
	}
	column, _, _ := strings.Cut(p.key, "->")
	return f == nil || f.Rows == nil || f.Rows.Column(column) == nil
}

// argument is the JSON of an argument that a query string has as text.
func argument(f *Function, p param) jsontext.Value {
	text, _ := jsontext.AppendQuote(nil, p.value)
	if f == nil {
		return text
	}
	i := slices.IndexFunc(f.Arguments, func(a Argument) bool { return a.Name == p.key })
	if i < 0 {
		return text
	}
	switch f.Arguments[i].Type {
	case table.UUID, table.Text, table.Timestamp, table.Date:
		return text
	case table.TextArray:
		s := &scanner{what: "argument", text: p.value}
		if list, err := s.list("{", "}"); err == nil && s.done() {
			text, _ = json.Marshal(list)
		}
		return text
	}
	if v := jsontext.Value(p.value); v.IsValid() {
		return v
	}
	return text
}

// takes says whether a function can be called with arguments of these names.
func (f *Function) takes(args map[string]jsontext.Value) bool {
	known := 0
	for _, a := range f.Arguments {
		if _, ok := args[a.Name]; ok {
			known++
		} else if !a.Optional {
			return false
		}
	}
	return known == len(args)
}

// noFunction is the error for a function that there is not, or not with these arguments.
func noFunction(functions []Function, f *Function, name string, args map[string]jsontext.Value, post bool) *Error {
	var names []string
	for a := range args {
		names = append(names, short(a))
	}
	slices.Sort(names)
	list := strings.Join(names, ", ")
	call, with := "public."+short(name)+"("+list+")", "with parameters "+list
	switch len(names) {
	case 0:
		call, with = "public."+short(name)+" without parameters", "without parameters"
	case 1:
		with = "with parameter " + list
	}
	if post && len(names) > 0 {
		with += " or with a single unnamed json/jsonb parameter"
	}
	e := fault(http.StatusNotFound, "PGRST202", "Could not find the function %s in the schema cache", call).
		because("Searched for the function public.%s %s, but no matches were found in the schema cache.", short(name), with)
	if f != nil {
		var wanted []string
		for _, a := range f.Arguments {
			wanted = append(wanted, a.Name)
		}
		return e.but("Perhaps you meant to call the function public.%s(%s)", f.Name, strings.Join(wanted, ", "))
	}
	var known []string
	for _, f := range functions {
		known = append(known, f.Name)
	}
	if near := nearest(name, known); near != "" {
		return e.but("Perhaps you meant to call the function public.%s", near)
	}
	return e
}
