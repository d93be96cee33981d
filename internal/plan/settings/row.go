package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cairn/internal/jsonc"
)

// A Kind is what values a setting takes.
type Kind string

// The kinds. null stands for "as if it were not there" with all of them.
const (
	Bool   Kind = "bool"   // true, false; also as a string, in any case
	Int    Kind = "int"    // a whole number, Min or more
	Enum   Kind = "enum"   // one of Allowed
	Text   Kind = "text"   // a string
	List   Kind = "list"   // of strings; also one string
	Object Kind = "object" // anything between braces
	Array  Kind = "array"  // of objects
	Switch Kind = "switch" // a bool, or an object whose member enabled is one
	Either Kind = "either" // a bool, or a string: one of Allowed, if there are any
	Model  Kind = "model"  // a model's name, or an object {model, reasoning_effort}
)

// A Row declares one key of config.json. A new key is a row of rows and
// nothing else.
type Row struct {
	Key     string // dotted; a * stands for one name of the user's choice
	Kind    Kind
	Default string // as JSON; "" when there is none
	Allowed []string
	Min     int
	Names   []string // older names that are read when Key is not there
	Secret  bool     // its text is never printed
	Fresh   bool     // stands in the config.json of a new project
	Doc     string
}

func row(key string, kind Kind, value, doc string) *Row {
	return &Row{Key: key, Kind: kind, Default: value, Doc: doc}
}

func on(key, doc string) *Row  { return row(key, Bool, "true", doc) }
func off(key, doc string) *Row { return row(key, Bool, "false", doc) }

func number(key, value string, least int, doc string) *Row {
	r := row(key, Int, value, doc)
	r.Min = least
	return r
}

func enum(key, value, doc string, allowed ...string) *Row {
	if value != "" {
		value = strconv.Quote(value)
	}
	return row(key, Enum, value, doc).of(allowed...)
}

// of are the texts it may be; was are its older names.
func (r *Row) of(allowed ...string) *Row { r.Allowed = allowed; return r }
func (r *Row) was(names ...string) *Row  { r.Names = names; return r }
func (r *Row) secret() *Row              { r.Secret = true; return r }
func (r *Row) fresh() *Row               { r.Fresh = true; return r }

// Find returns the row of a key that the user may set.
func Find(key string) (*Row, bool) {
	return find(func(r *Row) bool { return matches(r.Key, key) })
}

func find(is func(*Row) bool) (*Row, bool) {
	i := slices.IndexFunc(Rows(), is)
	if i < 0 {
		return nil, false
	}
	return Rows()[i], true
}

// matches reports whether key is the key of a row, where a * of pattern
// stands for any one name.
func matches(pattern, key string) bool {
	if !strings.Contains(pattern, "*") {
		return pattern == key
	}
	for pattern != "" && key != "" {
		p, pattern2, _ := strings.Cut(pattern, ".")
		k, key2, _ := strings.Cut(key, ".")
		if p != k && (p != "*" || k == "" || !utf8.ValidString(k)) {
			return false
		}
		pattern, key = pattern2, key2
	}
	return pattern == key
}

// above reports whether keys of the table are in the object at key.
func above(key string) bool {
	for _, r := range Rows() {
		pattern := r.Key
		for at := strings.LastIndexByte(pattern, '.'); at > 0; at = strings.LastIndexByte(pattern, '.') {
			pattern = pattern[:at]
			if matches(pattern, key) {
				return true
			}
		}
	}
	return false
}

// fallback is the value when nothing sets the key.
func (r *Row) fallback() any {
	switch r.Default {
	case "":
		return nil
	case "true":
		return true
	case "false":
		return false
	}
	d, err := jsonc.Parse([]byte(`{"v":` + r.Default + `}`))
	if err != nil {
		panic(r.Key + ": " + err.Error()) // a test reads every default
	}
	raw, _ := d.Value(jsonc.Path{"v"})
	v, _ := r.check(raw)
	return v
}

// check returns a value of config.json as its kind has it: bool, int, string,
// []string, []any or jsonc.Object.
func (r *Row) check(v any) (any, error) {
	switch v := v.(type) {
	case bool:
		if r.Kind == Bool || r.Kind == Either || r.Kind == Switch {
			return v, nil
		}
	case float64:
		if n := int(v); r.Kind == Int && float64(n) == v {
			if n < r.Min {
				return nil, fmt.Errorf("%d is less than %d", n, r.Min)
			}
			return n, nil
		}
	case string:
		return r.checkString(v)
	case []any:
		return r.checkList(v)
	case jsonc.Object:
		if r.Kind == Object || r.Kind == Model {
			return v, nil
		}
		if r.Kind == Switch {
			if on, ok := v.Get("enabled"); ok {
				if _, ok := on.(bool); !ok {
					return nil, errors.New("its member enabled is not true or false")
				}
			}
			return v, nil
		}
	}
	return nil, fmt.Errorf("%s is not %s", r.show(v), r.Expects())
}

func (r *Row) checkString(v string) (any, error) {
	switch r.Kind {
	case Bool, Switch:
		if lower := strings.ToLower(v); lower == "true" || lower == "false" {
			return lower == "true", nil
		}
	case Text, Model:
		return v, nil
	case List:
		return []string{v}, nil
	case Enum, Either:
		if r.Allowed == nil || slices.Contains(r.Allowed, v) {
			return v, nil
		}
	}
	return nil, fmt.Errorf("%s is not %s", r.show(v), r.Expects())
}

func (r *Row) checkList(v []any) (any, error) {
	if r.Kind == Array {
		return v, nil
	}
	list := make([]string, len(v))
	for i, item := range v {
		text, ok := item.(string)
		if r.Kind != List || !ok {
			return nil, fmt.Errorf("%s is not %s", r.show(v), r.Expects())
		}
		list[i] = text
	}
	return list, nil
}

// Parse reads a value as it is typed: "true", "3", "[…]", "{…}" or a text.
func (r *Row) Parse(text string) (any, error) {
	if !utf8.ValidString(text) {
		return nil, errors.New("it is not valid UTF-8")
	}
	switch r.Kind {
	case Text, Enum:
		return r.check(text)
	case Either, Model: // a key may be all digits
		if _, number := ParseText(text).(float64); number {
			return r.check(text)
		}
	case List:
		if !strings.HasPrefix(strings.TrimSpace(text), "[") {
			list := []string{}
			for item := range strings.SplitSeq(text, ",") {
				if item = strings.TrimSpace(item); item != "" {
					list = append(list, item)
				}
			}
			return list, nil
		}
	}
	return r.check(ParseText(text))
}

// ParseText reads a text as the value it looks like: true and false, a
// number, JSON in brackets or braces, or else itself.
func ParseText(text string) any {
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed == "true", trimmed == "false":
		return trimmed == "true"
	case strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "["):
		if d, err := jsonc.Parse([]byte(`{"v":` + trimmed + `}`)); err == nil {
			v, _ := d.Value(jsonc.Path{"v"})
			return v
		}
	case trimmed != "" && strings.Trim(trimmed, "+-.0123456789eE") == "":
		if n, err := strconv.ParseFloat(trimmed, 64); err == nil {
			return n
		}
	}
	return text
}

// Expects says what a value looks like, for messages and help.
func (r *Row) Expects() string {
	switch r.Kind {
	case Bool:
		return "true or false"
	case Int:
		return "a whole number from " + strconv.Itoa(r.Min)
	case Enum:
		return "one of " + strings.Join(r.Allowed, ", ")
	case List:
		return "a list of strings"
	case Object:
		return "an object"
	case Array:
		return "a list of objects"
	case Switch:
		return "true, false or an object with enabled"
	case Model:
		return "a model's name or an object {model, reasoning_effort}"
	case Either:
		if r.Allowed != nil {
			return "true, false or " + strings.Join(r.Allowed, ", ")
		}
		return "true, false or a text"
	}
	return "a text"
}

// show is a value in a message, or what stands for a secret one.
func (r *Row) show(v any) string {
	if r.Secret {
		return "this"
	}
	return literal(v)
}

// literal is a value as JSON.
func literal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}
