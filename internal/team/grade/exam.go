package grade

import (
	"fmt"
	"math"
	"strconv"
	"strings"

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
	run   Runner // nil: programs are not run

	failures []result.Failure
	lacks    bool   // what it reads, or a part, is missing: neither it nor its negation holds
	err      string // why it could not be checked
}

// fail adds a failure; what else is known of it can be set in what is returned.
func (x *exam) fail(format string, args ...any) *result.Failure {
	x.failures = append(x.failures, result.Failure{
		Type: "deterministic", ExpectationType: x.want.Type, Check: x.want.Type, Message: fmt.Sprintf(format, args...),
	})
	return &x.failures[len(x.failures)-1]
}

// absent is fail for a value that is missing, or of another kind.
func (x *exam) absent(format string, args ...any) *result.Failure {
	x.lacks = true
	return x.fail(format, args...)
}

// unknown makes the expectation an error, and says why.
func (x *exam) unknown(format string, args ...any) {
	if x.err == "" {
		x.err = x.want.Type + ": " + fmt.Sprintf(format, args...)
	}
}

// finds reports whether a text contains a pattern. If the search would take too
// long, the expectation is an error, not a pass.
func (x *exam) finds(p cases.Pattern, s string) bool {
	if p.TooLong(s) {
		x.unknown("the text of %d bytes is too long to search for %s", len(s), text.First(p.Given, mostShort))
		return false
	}
	return p.In(s)
}

// differ adds a failure with what was expected and what was there.
func (x *exam) differ(expected, actual any, format string, args ...any) {
	f := x.fail(format, args...)
	f.Expected, f.Actual = encoded(expected), encoded(actual)
}

// encoded returns v as JSON; a long text or list is left out, the output has it.
func encoded(v any) jsontext.Value {
	data := written(v)
	if len(data) > 1000 {
		return nil
	}
	return data
}

// number and text return arguments that the declaration made sure of.
func (x *exam) number(key string) float64 { v, _ := x.want.Number(key); return v }
func (x *exam) text(key string) string    { v, _ := x.want.Text(key); return v }

// of is a check of what is read first. Where that is not there, or of another
// kind, reading it says so.
func of[T any](read func(*exam) (T, bool), check func(*exam, T)) func(*exam) {
	return func(x *exam) {
		if v, ok := read(x); ok {
			check(x, v)
		}
	}
}

// places are the paths to look at: where the case names one, only that.
func (x *exam) places(paths []string) []string {
	if x.want.Path != nil {
		return []string{x.want.Given}
	}
	return paths
}

// read returns the first value at paths that as takes. What is not there, or of
// another kind, is a failure; what is the kind that it must be.
func read[T any](x *exam, paths []string, what string, as func(any) (T, bool)) (v T, ok bool) {
	_, v, ok = readAt(x, paths, what, as)
	return v, ok
}

// readAt also returns the path.
func readAt[T any](x *exam, paths []string, what string, as func(any) (T, bool)) (at string, v T, ok bool) {
	paths = x.places(paths)
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
		x.absent("%s is empty", other)
	case other != "":
		x.absent("%s must be %s, not %s", other, what, kind)
	case x.want.Path != nil:
		x.absent("output has no %s", paths[0])
	default:
		x.absent("output has no %s (looked at %s)", strings.ReplaceAll(paths[0], "_", " "), strings.Join(paths, ", "))
	}
	return "", v, false
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

// as takes a value that is a T.
func as[T any](v any) (T, bool) { t, ok := v.(T); return t, ok }

func asNumber(v any) (float64, bool) { return as[float64](v) }

func asAny(v any) (any, bool) { return v, v != nil }

func asList(v any) ([]any, bool) { return as[[]any](v) }

func asSome(v any) ([]any, bool) { l, ok := asList(v); return l, ok && len(l) > 0 }

// The output's values by the paths of the type.

func (x *exam) readText() (string, bool)    { return read(x, x.reads, "a text", asText) }
func (x *exam) readNumber() (float64, bool) { return read(x, x.reads, "a number", asNumber) }
func (x *exam) readBool() (bool, bool)      { return read(x, x.reads, "true or false", as[bool]) }
func (x *exam) readObject() (map[string]any, bool) {
	return read(x, x.reads, "an object", as[map[string]any])
}

// entries are a list of the output, and where it is.
type entries struct {
	at  string
	all []any
}

func (x *exam) readList() (l entries, ok bool) {
	l.at, l.all, ok = readAt(x, x.reads, "a list", asList)
	return l, ok
}

// readSome reads a list that may not be empty: of nothing everything is true.
func (x *exam) readSome() (entries, bool) {
	l, ok := x.readList()
	if ok && len(l.all) == 0 {
		x.absent("%s is an empty list", l.at)
		return l, false
	}
	return l, ok
}

// each reads a part of every entry of a list that is not empty. lacking is what
// an entry without it has not.
func each[T any](x *exam, lacking string, as func(any) (T, bool), names ...string) (parts []T, ok bool) {
	l, ok := x.readSome()
	for i, v := range l.all {
		part, there := member(v, as, names...)
		if !there {
			x.absent("%s[%d] has no %s", l.at, i, lacking)
			ok = false
		}
		parts = append(parts, part)
	}
	return parts, ok
}

// numberOf is a check of how many entries the list has.
func numberOf(what, lowest, highest string) func(*exam) {
	return of((*exam).readList, func(x *exam, l entries) { x.count(what, len(l.all), lowest, highest) })
}

// howMany counts the entries that are something.
func howMany(list []any, is func(v any) bool) (n int) {
	for _, v := range list {
		if is(v) {
			n++
		}
	}
	return n
}

// first returns the first value at paths in v that as takes.
func first[T any](v any, paths []string, as func(any) (T, bool)) (out T, ok bool) {
	for _, path := range paths {
		if found, there := lookup(v, path); there {
			if out, ok = as(found); ok {
				return out, true
			}
		}
	}
	return out, false
}

// input is what the case tells, as a value to look in.
func (x *exam) input() any { return x.kase.Input }

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
	if _, isObject := v.(map[string]any); !isObject {
		return as(v)
	}
	return inObject(v, as, names...)
}

// inObject is member of objects alone.
func inObject[T any](v any, as func(any) (T, bool), names ...string) (out T, ok bool) {
	object, _ := v.(map[string]any)
	for _, name := range names {
		if out, ok = as(object[name]); ok {
			return out, true
		}
	}
	return out, false
}

// numbers are the members of an object that are numbers.
func numbers(object map[string]any) map[string]float64 {
	out := map[string]float64{}
	for name, v := range object {
		if f, ok := v.(float64); ok {
			out[name] = f
		}
	}
	return out
}
