package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Kind is how a setting is written.
type Kind string

const (
	Bool Kind = "bool"
	Int  Kind = "int"  // within Min and Max
	Enum Kind = "enum" // one of Allowed
	List Kind = "list" // of strings; each one of Allowed, if there are any; a,b or ["a","b"] outside of a file
	Text Kind = "text" // not empty, unless the default is
)

// parse reads a value from the environment or the command line.
func (s *Setting) parse(text string) (any, error) {
	switch s.Kind {
	case Bool:
		if v, err := strconv.ParseBool(text); err == nil {
			return s.check(v)
		}
		return nil, fmt.Errorf("%q is neither true nor false", text)
	case Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, fmt.Errorf("%q is not a whole number", text)
		}
		return s.check(n)
	case List:
		list := []string{}
		if strings.HasPrefix(strings.TrimSpace(text), "[") {
			if json.Unmarshal([]byte(text), &list) != nil || slices.Contains(list, "") {
				return nil, fmt.Errorf(`%q is not a list, such as a,b or ["a","b"]`, text)
			}
			return s.check(list)
		}
		for item := range strings.SplitSeq(text, ",") {
			if item = strings.TrimSpace(item); item != "" {
				list = append(list, item)
			}
		}
		return s.check(list)
	}
	return s.check(text)
}

// check takes a value of a file, as TOML knows it, or from parse.
func (s *Setting) check(v any) (any, error) {
	switch v := v.(type) {
	case bool:
		if s.Kind == Bool {
			return v, nil
		}
	case int64:
		if s.Kind == Int && int64(int(v)) == v {
			return s.check(int(v))
		}
	case int:
		if s.Kind == Int && (v < s.Min || v > s.Max) {
			return nil, fmt.Errorf("%d is not within %d and %d", v, s.Min, s.Max)
		} else if s.Kind == Int {
			return v, nil
		}
	case string:
		if s.Kind == Enum && slices.Contains(s.Allowed, v) {
			return v, nil
		} else if s.Kind == Enum {
			return nil, fmt.Errorf("%q is none of %s", v, strings.Join(s.Allowed, ", "))
		} else if s.Kind == Text && s.Default != "" && strings.TrimSpace(v) == "" {
			return nil, errors.New("this cannot be empty")
		} else if s.Kind == Text {
			return v, nil
		}
	case []any:
		list := make([]string, len(v))
		for i, item := range v {
			text, ok := item.(string)
			if !ok {
				return nil, fmt.Errorf("%v in the list is not a string", item)
			}
			list[i] = text
		}
		return s.check(list)
	case []string:
		for _, item := range v {
			if s.Kind == List && s.Allowed != nil && !slices.Contains(s.Allowed, item) {
				return nil, fmt.Errorf("%q is none of %s", item, strings.Join(s.Allowed, ", "))
			}
		}
		if s.Kind == List {
			return v, nil
		}
	}
	return nil, fmt.Errorf("%v is not %s", v, s.Expects())
}

// Expects says what a value looks like, for messages and help.
func (s *Setting) Expects() string {
	switch s.Kind {
	case Bool:
		return "true or false"
	case Int:
		return fmt.Sprintf("a whole number from %d to %d", s.Min, s.Max)
	case Enum:
		return "one of " + strings.Join(s.Allowed, ", ")
	case Text:
		return "a text"
	}
	if s.Allowed != nil {
		return "a list of " + strings.Join(s.Allowed, ", ")
	}
	return "a list of strings"
}
