package settings

import (
	"fmt"
	"strings"

	"cairn/internal/jsonc"
)

// A Value is what a setting is set to: nil, a bool, int, string, []string,
// []any or jsonc.Object, by the kind of its row.
type Value struct {
	Row    *Row
	Key    string // Row.Key, with names in the place of stars
	Any    any
	Source Source
}

// Value returns the value of a key; ok is false when there is no such key.
func (s *Settings) Value(key string) (v Value, ok bool) {
	r, ok := Find(key)
	if !ok {
		return Value{}, false
	}
	return s.value(r, key), true
}

func (s *Settings) value(r *Row, key string) Value {
	for _, l := range s.layers {
		raw, name, found := l.lookup(r, key)
		if !found {
			continue
		}
		src := Source{Kind: l.kind, File: l.file, Line: l.doc.Line(pathOf(name))}
		if name != key {
			src.Name = name
		}
		if r.Kind == Switch || r.Kind == Object {
			if whole, ok := at(s.merged, name); ok {
				raw = whole // of both files
			}
		}
		if raw == nil {
			break // as if it were nowhere
		}
		v, err := r.check(modern(name, raw))
		if err != nil {
			break // Warnings says so
		}
		return Value{r, key, v, src}
	}
	if key == "commit_docs" {
		if file := s.ignoredBy(); file != "" {
			return Value{r, key, false, Source{Kind: GitIgnore, File: file}}
		}
	}
	return Value{r, key, r.fallback(), Source{Kind: Default}}
}

// lookup finds a key, or an older name of it, in one file. A null or a text
// where an object should be hides the key.
func (l layer) lookup(r *Row, key string) (raw any, name string, found bool) {
	if v, ok := reach(l.tree, key); ok {
		return v, key, true
	}
	for _, old := range r.Names {
		if v, ok := at(l.tree, old); ok {
			return v, old, true
		}
	}
	return nil, "", false
}

// reach is like at, and finds nil below what is no object.
func reach(tree jsonc.Object, key string) (any, bool) {
	name, rest, deeper := strings.Cut(key, ".")
	v, ok := tree.Get(name)
	if !ok || !deeper {
		return v, ok
	}
	if sub, ok := v.(jsonc.Object); ok {
		return reach(sub, rest)
	}
	return nil, true
}

// at returns what stands at a dotted path.
func at(tree jsonc.Object, key string) (any, bool) {
	name, rest, deeper := strings.Cut(key, ".")
	v, ok := tree.Get(name)
	if !ok || !deeper {
		return v, ok
	}
	sub, ok := v.(jsonc.Object)
	if !ok {
		return nil, false
	}
	return at(sub, rest)
}

func pathOf(key string) jsonc.Path {
	var p jsonc.Path
	for name := range strings.SplitSeq(key, ".") {
		p = p.At(name)
	}
	return p
}

// modern translates the values that changed together with a key's name.
func modern(name string, raw any) any {
	if name != "depth" {
		return raw
	}
	switch raw {
	case "quick":
		return "coarse"
	case "comprehensive":
		return "fine"
	}
	return raw
}

// Bool, Int, Text and List return the value of a setting of that kind. Keys
// are constants of the program: one that the table lacks, or of another kind,
// panics.
func (s *Settings) Bool(key string) bool {
	switch v := s.must(key, Bool, Switch, Either).(type) {
	case bool:
		return v
	case string:
		return v != ""
	case jsonc.Object:
		on, ok := v.Get("enabled")
		return !ok || on == true
	}
	return false
}

// Int returns 0 for an int that is set nowhere and has no default.
func (s *Settings) Int(key string) int {
	n, _ := s.must(key, Int).(int)
	return n
}

// Text returns "" for a text that is set nowhere and has no default.
func (s *Settings) Text(key string) string {
	text, _ := s.must(key, Text, Enum, Either).(string)
	return text
}

// List returns nil for a list that is set nowhere and has no default.
func (s *Settings) List(key string) []string {
	list, _ := s.must(key, List).([]string)
	return list
}

func (s *Settings) must(key string, kinds ...Kind) any {
	r, ok := Find(key)
	if ok {
		for _, k := range kinds {
			if r.Kind == k {
				return s.value(r, key).Any
			}
		}
	}
	panic(fmt.Sprintf("settings: %s is no %s", key, kinds[0]))
}

// At returns what the files say at a dotted path, whether a row is for it or
// not: an object comes whole. The older names of keys are not looked for.
// Secrets are masked.
func (s *Settings) At(path string) (any, bool) {
	v, ok := at(s.merged, path)
	if !ok {
		return nil, false
	}
	return Mask(path, v), true
}

// Object returns what the files say in an object, such as model_overrides;
// nil when there is none.
func (s *Settings) Object(path string) jsonc.Object {
	v, _ := at(s.merged, path)
	o, _ := v.(jsonc.Object)
	return o
}

// Values returns the value of every row without a star, and of every key the
// files have for a row with one.
func (s *Settings) Values() []Value {
	var all []Value
	for _, r := range Rows() {
		for _, key := range expand(s.merged, "", r.Key) {
			all = append(all, s.value(r, key))
		}
	}
	return all
}

// expand returns the keys of tree that pattern stands for.
func expand(tree jsonc.Object, prefix, pattern string) []string {
	before, after, ok := strings.Cut(pattern, "*")
	if !ok {
		return []string{prefix + pattern}
	}
	o := tree
	if before != "" {
		v, _ := at(tree, strings.TrimSuffix(before, "."))
		o, _ = v.(jsonc.Object)
	}
	var keys []string
	for _, m := range o {
		switch sub, isObject := m.Value.(jsonc.Object); {
		case after == "":
			keys = append(keys, prefix+before+m.Name)
		case isObject:
			keys = append(keys, expand(sub, prefix+before+m.Name+".", strings.TrimPrefix(after, "."))...)
		}
	}
	return keys
}
