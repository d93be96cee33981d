package rows

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// order of jsonb's kinds, smallest first.
func jsonRank(v any) int {
	switch v.(type) {
	case nil:
		return 0
	case string:
		return 1
	case json.Number:
		return 2
	case bool:
		return 3
	case []any:
		return 4
	}
	return 5
}

func modelJSON(a, b any) int {
	if x, y := jsonRank(a), jsonRank(b); x != y {
		return x - y
	}
	switch a := a.(type) {
	case string:
		return cmp.Compare(a, b.(string))
	case bool:
		return b2i(a) - b2i(b.(bool))
	case json.Number:
		x, _ := new(big.Rat).SetString(string(a))
		y, _ := new(big.Rat).SetString(string(b.(json.Number)))
		return x.Cmp(y)
	case []any:
		b := b.([]any)
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		for i := range a {
			if d := modelJSON(a[i], b[i]); d != 0 {
				return d
			}
		}
	case map[string]any:
		b := b.(map[string]any)
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		keys := func(m map[string]any) (out []string) {
			for k := range m {
				out = append(out, k)
			}
			slices.SortFunc(out, func(x, y string) int { return cmp.Or(len(x)-len(y), cmp.Compare(x, y)) })
			return out
		}
		x, y := keys(a), keys(b)
		for i := range x {
			if d := cmp.Or(cmp.Compare(x[i], y[i]), modelJSON(a[x[i]], b[y[i]])); d != 0 {
				return d
			}
		}
	}
	return 0
}

// topJSON knows that an empty array at the top comes before every scalar.
func topJSON(a, b any) int {
	x, isX := a.([]any)
	y, isY := b.([]any)
	if isX && len(x) == 0 && jsonRank(b) < 4 {
		return -1
	}
	if isY && len(y) == 0 && jsonRank(a) < 4 {
		return 1
	}
	return modelJSON(a, b)
}

func modelContains(a, b any, top bool) bool {
	switch b := b.(type) {
	case map[string]any:
		m, ok := a.(map[string]any)
		for k, v := range b {
			have, found := m[k]
			ok = ok && found && modelContains(have, v, false)
		}
		return ok
	case []any:
		list, ok := a.([]any)
		for _, want := range b {
			one := false
			for _, have := range list {
				one = one || modelContains(have, want, false)
			}
			ok = ok && one
		}
		return ok
	}
	if list, ok := a.([]any); ok && top {
		return slices.ContainsFunc(list, func(e any) bool { return jsonRank(e) == jsonRank(b) && modelJSON(e, b) == 0 })
	}
	return jsonRank(a) == jsonRank(b) && modelJSON(a, b) == 0
}

// modelText prints JSON as jsonb does.
func modelText(v any) string {
	var parts []string
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			parts = append(parts, modelText(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case map[string]any:
		for k := range v {
			parts = append(parts, k)
		}
		slices.SortFunc(parts, func(x, y string) int { return cmp.Or(len(x)-len(y), cmp.Compare(x, y)) })
		for i, k := range parts {
			parts[i] = fmt.Sprintf("%q: %s", k, modelText(v[k]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	out, _ := json.Marshal(v)
	return string(out)
}
