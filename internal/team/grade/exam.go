package grade

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/cases"
	"cairn/internal/team/result"
	"cairn/internal/text"
)

// exam is one expectation held against one output.
type exam struct {
	kase  *cases.Case
	want  *cases.Expectation
	reads []string // the paths of the type
	out   *Output

	failures []result.Failure
}

// fail adds a failure; what else is known of it can be set in what is returned.
func (x *exam) fail(format string, args ...any) *result.Failure {
	x.failures = append(x.failures, result.Failure{
		Type: "deterministic", ExpectationType: x.want.Type, Check: x.want.Type, Message: fmt.Sprintf(format, args...),
	})
	return &x.failures[len(x.failures)-1]
}

// differ adds a failure with what was expected and what was there.
func (x *exam) differ(expected, actual any, format string, args ...any) {
	f := x.fail(format, args...)
	f.Expected, f.Actual = encoded(expected), encoded(actual)
}

// encoded returns v as JSON; a long text or list is left out, the output has it.
func encoded(v any) jsontext.Value {
	data, err := json.Marshal(v, json.Deterministic(true))
	if err != nil || len(data) > 1000 {
		return nil
	}
	return data
}

// number and text return arguments that the declaration made sure of.
func (x *exam) number(key string) float64 { v, _ := x.want.Number(key); return v }
func (x *exam) text(key string) string    { v, _ := x.want.Text(key); return v }

// read returns the first value at paths that as takes. Where the case names a
// path, only that is looked at. What is not there, or of another kind, is a
// failure; what says which kind is wanted.
func read[T any](x *exam, paths []string, what string, as func(any) (T, bool)) (v T, ok bool) {
	_, v, ok = readAt(x, paths, what, as)
	return v, ok
}

// readAt also returns the path.
func readAt[T any](x *exam, paths []string, what string, as func(any) (T, bool)) (at string, v T, ok bool) {
	if x.want.Path != nil {
		paths = []string{x.want.Given}
	}
	other, kind := "", ""
	for _, path := range paths {
		found, there := lookup(x.out.Value, path)
		if !there {
			continue
		}
		if v, ok = as(found); ok {
			return path, v, true
		}
		if other == "" {
			other, kind = path, kindOf(found)
		}
	}
	switch {
	case other != "" && kind == blank:
		x.fail("%s is empty", other)
	case other != "":
		x.fail("%s is %s; %s is wanted", other, kind, what)
	default:
		x.missing(paths)
	}
	return "", v, false
}

func (x *exam) missing(paths []string) {
	looked := strings.Join(paths, ", ")
	if x.want.Path == nil {
		x.fail("output has no %s (looked at %s)", strings.ReplaceAll(paths[0], "_", " "), looked)
		return
	}
	x.fail("output has no %s", looked)
}

func lookup(v any, path string) (any, bool) {
	p, err := cases.ParsePath(path)
	if err != nil {
		return nil, false
	}
	return p.In(v)
}

const blank = "blank"

func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return "a number"
	case string:
		if strings.TrimSpace(v) == "" {
			return blank
		}
		return "a text"
	case []any:
		return "a list"
	}
	return "an object"
}

// What a value can be taken as.

func asText(v any) (string, bool) {
	s, ok := v.(string)
	return s, ok && strings.TrimSpace(s) != ""
}

func asNumber(v any) (float64, bool) { f, ok := v.(float64); return f, ok }

func asBool(v any) (bool, bool) { b, ok := v.(bool); return b, ok }

func asList(v any) ([]any, bool) { l, ok := v.([]any); return l, ok }

func asObject(v any) (map[string]any, bool) { o, ok := v.(map[string]any); return o, ok }

// The output's values by the paths of the type.

func (x *exam) readText() (string, bool)    { return read(x, x.reads, "a text", asText) }
func (x *exam) readNumber() (float64, bool) { return read(x, x.reads, "a number", asNumber) }
func (x *exam) readBool() (bool, bool)      { return read(x, x.reads, "true or false", asBool) }
func (x *exam) readList() (string, []any, bool) {
	return readAt(x, x.reads, "a list", asList)
}

// readSome reads a list that may not be empty: of nothing everything is true.
func (x *exam) readSome() (string, []any, bool) {
	at, list, ok := x.readList()
	if ok && len(list) == 0 {
		x.fail("%s is an empty list", at)
		return at, nil, false
	}
	return at, list, ok
}

// given looks in what the case or the runner tells beside the output.
func (x *exam) given(as func(any) bool, inOutput, inCase []string) bool {
	for _, path := range inOutput {
		if v, ok := lookup(x.out.Value, path); ok && as(v) {
			return true
		}
	}
	for _, path := range inCase {
		if v, ok := lookup(any(x.kase.Input), path); ok && as(v) {
			return true
		}
	}
	return false
}

// between compares a figure with min and max of two keys.
func (x *exam) between(what string, figure float64, lowest, highest string) {
	lo, min := x.want.Number(lowest)
	hi, max := x.want.Number(highest)
	switch {
	case min && figure < lo:
		x.differ(lo, figure, "%s %s, at least %s wanted", what, plain(figure), plain(lo))
	case max && figure > hi:
		x.differ(hi, figure, "%s %s, at most %s wanted", what, plain(figure), plain(hi))
	}
}

func (x *exam) count(what string, n int, lowest, highest string) {
	x.between(what, float64(n), lowest, highest)
}

// plain writes a figure without more digits than it needs.
func plain(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strconv.FormatFloat(math.Round(f*1e4)/1e4, 'g', -1, 64)
}

// words of a value as a person would write it.
func spoken(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(text.First(v, mostShort))
	case float64:
		return plain(v)
	}
	return text.First(string(encoded(v)), mostShort)
}

// mostShort is how much of a stranger's text is in a message.
const mostShort = 80

// member returns the first of an object's members that as takes; a value that
// is no object is taken itself.
func member[T any](v any, as func(any) (T, bool), names ...string) (out T, ok bool) {
	object, isObject := v.(map[string]any)
	if !isObject {
		return as(v)
	}
	for _, name := range names {
		if out, ok = as(object[name]); ok {
			return out, true
		}
	}
	return out, false
}
