package cases

import (
	"slices"
	"strings"
)

// A Spec declares a type of expectation: what may be written in a case, and
// what is told of it.
type Spec struct {
	Name     string
	Category string
	About    string   // what holds, in a sentence or two
	Reads    []string // paths in the output, tried in order
	Keys     []Key
	Needs    []string // at least one of these keys has to be given
	Judged   bool     // a judge answers, not a check
	Scored   string   // of a judged type: the default criterion
	Least    float64  // of Scored: the share of the scale that passes; 0 for the profile's threshold
	Also     []Also   // its names in other tools
}

// Also is the name of a type in another tool, and what to write here.
type Also struct {
	Name string // in any case, with - or _
	How  string // "": the type alone is enough
}

// Whole reports whether a type joins expectations instead of reading something.
func (s *Spec) Whole() bool {
	return slices.ContainsFunc(s.Keys, func(k Key) bool { return k.Kind == Part || k.Kind == Parts })
}

// A Key is one argument of a type.
type Key struct {
	Name     string
	Kind     Kind
	Required bool
	Default  string   // as it would be written; "" for none
	Expected bool     // defaults to the case's "expected"
	Among    []string // the allowed values, as written
	About    string   // where the name does not say enough
}

// Kind is what the value of a key has to be.
type Kind int

const (
	Number   Kind = iota // any number
	Count                // a whole number from 0
	Percent              // from 0 to 100
	Share                // from 0 to 1
	Text                 // one text
	Texts                // texts, or one
	Patterns             // patterns, or one
	OneOf                // one pattern
	Bool
	Scalar  // a text, a number, true, false or null
	Matches // an object: path → pattern, number, true or false
	Where   // a path
	Places  // paths, or one
	Grade   // a severity that is known
	Marks   // criteria of a judge
	Any     // any value
	Shape   // a JSON Schema
	Part    // an expectation
	Parts   // expectations
)

func (k Kind) String() string {
	return [...]string{"number", "whole number", "percent, 0 to 100", "share, 0 to 1", "text", "texts", "patterns", "pattern",
		"true or false", "value", "object: path → pattern or value", "path", "paths", "severity", "criterion → threshold",
		"any value", "JSON Schema", "expectation", "expectations"}[k]
}

// common are the keys that every type takes.
var common = [...]Key{
	{Name: "path", Kind: Where, About: "where in the output to look, instead of the places of the type"},
	{Name: "description", Kind: Text, About: "for people"},
	{Name: "weight", Kind: Number, About: "how much it counts within all_of; default 1"},
}

// Common returns the keys that a type takes besides its own.
func (s *Spec) Common() []Key {
	return slices.DeleteFunc(slices.Clone(common[:]), func(k Key) bool { return k.Name == "path" && s.Whole() })
}

func (s *Spec) key(name string) *Key {
	for _, keys := range [...][]Key{s.Keys, common[:]} {
		if i := slices.IndexFunc(keys, func(k Key) bool { return k.Name == name }); i >= 0 {
			return &keys[i]
		}
	}
	return nil
}

func (s *Spec) keyNames() []string {
	var names []string
	for _, k := range s.Keys {
		names = append(names, k.Name)
	}
	return append(names, "path", "description", "weight")
}

// severities from harmless to worst; those of one line are the same.
var severities = [...][]string{
	{"none", "ok", "pass"},
	{"green", "info", "informational", "note"},
	{"low", "minor", "minimal"},
	{"yellow", "medium", "moderate", "warning"},
	{"orange", "high", "major", "serious", "error"},
	{"red", "critical", "severe", "blocker"},
}

// Severity is the rank of a word for how bad something is: 0 and 1 ask for
// nothing to be done, 5 is the worst; ok is false for a word that is not known.
func Severity(word string) (rank int, ok bool) {
	word = strings.ToLower(strings.TrimSpace(word))
	rank = slices.IndexFunc(severities[:], func(words []string) bool { return slices.Contains(words, word) })
	return max(0, rank), rank >= 0
}

// Severities returns the words, harmless ones first, as a sentence's part.
func Severities() string {
	lines := make([]string, len(severities))
	for i, words := range severities {
		lines[i] = strings.Join(words, " = ")
	}
	return strings.Join(lines, " < ")
}

// argument is the value of a key, read.
type argument struct {
	name  string
	value any // by kind: float64, string, []string, []Pattern, bool, any of JSON, []Match, Path, *Schema
}

// A Match is one member that an object has to have.
type Match struct {
	Path    Path
	Given   string
	Pattern *Pattern // nil: Value is wanted
	Value   any
}

func arg[T any](e *Expectation, name string) (v T, ok bool) {
	if i := slices.IndexFunc(e.args, func(a argument) bool { return a.name == name }); i >= 0 {
		v, ok = e.args[i].value.(T)
	}
	return v, ok
}

// Number returns an argument; ok is false when it was not given.
func (e *Expectation) Number(key string) (v float64, ok bool) { return arg[float64](e, key) }

// Text likewise.
func (e *Expectation) Text(key string) (v string, ok bool) { return arg[string](e, key) }

// Texts returns an argument, nil when it was not given.
func (e *Expectation) Texts(key string) []string { v, _ := arg[[]string](e, key); return v }

// Patterns likewise.
func (e *Expectation) Patterns(key string) []Pattern { v, _ := arg[[]Pattern](e, key); return v }

// Matches likewise.
func (e *Expectation) Matches(key string) []Match { v, _ := arg[[]Match](e, key); return v }

// Bool likewise, false when it was not given.
func (e *Expectation) Bool(key string) bool { v, _ := arg[bool](e, key); return v }

// Where likewise; ok is false when it was not given.
func (e *Expectation) Where(key string) (p Path, ok bool) { return arg[Path](e, key) }

// Places likewise, nil when it was not given.
func (e *Expectation) Places(key string) []Path { v, _ := arg[[]Path](e, key); return v }

// Schema returns a JSON Schema, nil when it was not given.
func (e *Expectation) Schema(key string) *Schema { v, _ := arg[*Schema](e, key); return v }

// Has reports whether an argument was given, or has a default.
func (e *Expectation) Has(key string) bool {
	return slices.ContainsFunc(e.args, func(a argument) bool { return a.name == key })
}

// Value returns an argument of any kind as JSON knows it.
func (e *Expectation) Value(key string) any { v, _ := arg[any](e, key); return v }
