package operator

import (
	"slices"
	"strconv"
)

// Path returns the steps below a JSON value as get wants them.
func Path(keys []string) string {
	list := make([]any, len(keys))
	for i, k := range keys {
		list[i] = k
	}
	return string(appendJSON(nil, list))
}

// get is -> or ->>: what stands at a path, nil where nothing does. A whole
// number is an index of an array, from its end where it is negative.
func get(json, path string, asText bool) any {
	v, err := parse(json)
	steps, err2 := parse(path)
	if err != nil || err2 != nil {
		return nil
	}
	for _, step := range steps.([]any) {
		var found bool
		if v, found = child(v, step.(string)); !found {
			return nil
		}
	}
	if asText {
		switch v := v.(type) {
		case nil:
			return nil
		case string:
			return v
		}
	}
	return string(appendJSON(nil, v))
}

func child(v any, key string) (any, bool) {
	index, err := strconv.ParseInt(key, 10, 32)
	switch v := v.(type) {
	case object:
		if err == nil { // an index is no name
			return nil, false
		}
		return v.find(key)
	case []any:
		if index < 0 {
			index += int64(len(v))
		}
		if err != nil || index < 0 || index >= int64(len(v)) {
			return nil, false
		}
		return v[index], true
	}
	return v, err == nil && (index == 0 || index == -1) // jsonb keeps a scalar as an array of one
}

func (o object) find(name string) (any, bool) {
	i, ok := slices.BinarySearchFunc(o, name, func(m member, n string) int { return compareNames(m.name, n) })
	if !ok {
		return nil, false
	}
	return o[i].value, true
}

// contains is jsonb's @>.
func contains(a, b string) any {
	x, err := parse(a)
	y, err2 := parse(b)
	if err != nil || err2 != nil {
		return nil
	}
	if list, ok := x.([]any); ok && rank(y) < rank(list) { // an array contains a lone scalar, at the top only
		return slices.ContainsFunc(list, func(e any) bool { return compare(e, y) == 0 })
	}
	return within(x, y)
}

func within(x, y any) bool {
	switch y := y.(type) {
	case object:
		o, ok := x.(object)
		return ok && !slices.ContainsFunc(y, func(m member) bool {
			v, found := o.find(m.name)
			return !found || !within(v, m.value)
		})
	case []any:
		list, ok := x.([]any)
		return ok && !slices.ContainsFunc(y, func(want any) bool {
			return !slices.ContainsFunc(list, func(have any) bool { return within(have, want) })
		})
	}
	return compare(x, y) == 0
}

// listOf reads a list of texts; nil elements are nulls.
func listOf(text string) []any {
	v, err := parse(text)
	list, ok := v.([]any)
	if err != nil || !ok {
		return nil
	}
	return list
}

// listContains is @> of text[]: a null equals nothing.
func listContains(a, b string) any {
	list := listOf(a)
	return !slices.ContainsFunc(listOf(b), func(e any) bool { return e == nil || !slices.Contains(list, e) })
}

// listOverlaps is && of text[].
func listOverlaps(a, b string) any {
	list := listOf(a)
	return slices.ContainsFunc(listOf(b), func(e any) bool { return e != nil && slices.Contains(list, e) })
}

// compareLists orders text[]: element by element, nulls last, then by length.
func compareLists(a, b string) int {
	return slices.CompareFunc(listOf(a), listOf(b), func(x, y any) int {
		switch {
		case x == nil && y == nil:
			return 0
		case x == nil:
			return 1
		case y == nil:
			return -1
		}
		return compare(x, y)
	})
}
