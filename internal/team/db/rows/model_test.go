package rows

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// The model says what a filter leaves, in another way than the product: on Go's
// own values, with three truths.
type truth int8

const (
	no truth = iota
	unknown
	yes
)

func holds(b bool) truth {
	if b {
		return yes
	}
	return no
}

// A modelRow is a row as encoding/json reads it.
type modelRow map[string]any

// modelValue reads a column's JSON as something that can be compared; nil is null.
func modelValue(c *table.Column, v any) any {
	if v == nil {
		return nil
	}
	switch c.Type {
	case table.JSON:
		return v
	case table.TextArray:
		return v.([]any)
	case table.Bool:
		return v.(bool)
	case table.UUID, table.Text, table.Date:
		return v.(string)
	}
	return modelLiteral(c.Type, fmt.Sprint(v))
}

func modelLiteral(t table.Type, s string) any {
	switch t {
	case table.Timestamp:
		at, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			panic(err)
		}
		return at
	case table.Bool:
		return s == "true"
	case table.SmallInt, table.Int, table.BigInt, table.Numeric:
		r, ok := new(big.Rat).SetString(s)
		if !ok {
			panic(s)
		}
		return r
	case table.Real:
		f, err := strconv.ParseFloat(s, 32)
		if err != nil {
			panic(err)
		}
		return new(big.Rat).SetFloat64(f)
	case table.JSON:
		return readJSON(s)
	case table.TextArray:
		list := []any{}
		for _, e := range strings.Split(strings.Trim(s, "{}"), ",") {
			if e != "" {
				list = append(list, e)
			}
		}
		return list
	}
	return s
}

func readJSON(s string) (v any) {
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		panic(err)
	}
	return v
}

func modelCompare(a, b any) int {
	switch a := a.(type) {
	case string:
		return cmp.Compare(a, b.(string))
	case *big.Rat:
		return a.Cmp(b.(*big.Rat))
	case time.Time:
		return a.Compare(b.(time.Time))
	case bool:
		return b2i(a) - b2i(b.(bool))
	case []any: // a list of texts
		return slices.CompareFunc(a, b.([]any), func(x, y any) int {
			switch {
			case x == nil && y == nil:
				return 0
			case x == nil:
				return 1
			case y == nil:
				return -1
			}
			return cmp.Compare(x.(string), y.(string))
		})
	}
	panic(fmt.Sprintf("%T", a))
}

func (r modelRow) at(p postgrest.Path) (any, table.Type) {
	v := r[p.Column.Name]
	if len(p.Keys) == 0 {
		return modelValue(p.Column, v), p.Column.Type
	}
	found := v != nil
	for _, k := range p.Keys {
		n, err := strconv.Atoi(k)
		switch c := v.(type) {
		case []any:
			if n < 0 {
				n += len(c)
			}
			if found = found && err == nil && n >= 0 && n < len(c); found {
				v = c[n]
			}
		case map[string]any:
			var has bool
			v, has = c[k]
			found = found && has && err != nil
		default: // a scalar is its own first and last element
			found = found && (k == "0" || k == "-1")
		}
		if !found {
			break
		}
	}
	switch {
	case !found && p.Text:
		return nil, table.Text
	case !found:
		return nil, table.JSON
	case !p.Text:
		return jsonValue{v}, table.JSON
	case v == nil:
		return nil, table.Text
	}
	switch v := v.(type) {
	case string:
		return v, table.Text
	case json.Number:
		return string(v), table.Text
	case bool:
		return strconv.FormatBool(v), table.Text
	}
	return modelText(v), table.Text
}

// A jsonValue is JSON that is there, be it null.
type jsonValue struct{ v any }

func (r modelRow) filter(f *postgrest.Filter) truth {
	out := yes
	switch {
	case len(f.All) > 0:
		for i := range f.All {
			out = min(out, r.filter(&f.All[i]))
		}
	case len(f.Any) > 0:
		out = no
		for i := range f.Any {
			out = max(out, r.filter(&f.Any[i]))
		}
	default:
		out = r.compare(f)
	}
	if f.Not {
		out = yes - out
	}
	return out
}

func (r modelRow) compare(f *postgrest.Filter) truth {
	v, typ := r.at(f.Path)
	switch f.Op {
	case postgrest.Is:
		switch f.Values[0] {
		case "null", "unknown":
			return holds(v == nil)
		case "not_null":
			return holds(v != nil)
		}
		return holds(v != nil && v.(bool) == (f.Values[0] == "true"))
	case postgrest.In:
		out := no
		for _, text := range f.Values {
			out = max(out, modelOp(postgrest.Eq, v, typ, text))
		}
		return out
	}
	if !f.Many {
		return modelOp(f.Op, v, typ, f.Values[0])
	}
	out := holds(f.Every)
	for _, text := range f.Values {
		if one := modelOp(f.Op, v, typ, text); f.Every {
			out = min(out, one)
		} else {
			out = max(out, one)
		}
	}
	return out
}

func modelOp(op postgrest.Op, v any, typ table.Type, text string) truth {
	if op == postgrest.IsDistinct {
		return holds(v == nil || modelOp(postgrest.Neq, v, typ, text) == yes)
	}
	if v == nil {
		return unknown
	}
	if j, ok := v.(jsonValue); ok {
		v = j.v
	}
	want := modelLiteral(typ, text)
	switch op {
	case postgrest.Like, postgrest.ILike:
		pattern := regexp.QuoteMeta(text)
		pattern = "(?s)^" + strings.NewReplacer("%", ".*", "_", ".").Replace(pattern) + "$"
		if op == postgrest.ILike {
			pattern = "(?i)" + pattern
		}
		return holds(regexp.MustCompile(pattern).MatchString(v.(string)))
	case postgrest.Match:
		return holds(regexp.MustCompile(text).MatchString(v.(string)))
	case postgrest.IMatch:
		return holds(regexp.MustCompile("(?i)" + text).MatchString(v.(string)))
	case postgrest.Contains, postgrest.Contained, postgrest.Overlaps:
		a, b := v, want
		if op == postgrest.Contained {
			a, b = b, a
		}
		if typ == table.JSON {
			return holds(modelContains(a, b, true))
		}
		all, some := true, false
		for _, e := range b.([]any) {
			has := e != nil && slices.Contains(a.([]any), e)
			all, some = all && has, some || has
		}
		if op == postgrest.Overlaps {
			return holds(some)
		}
		return holds(all)
	}
	d := 0
	if typ == table.JSON {
		d = topJSON(v, want)
	} else {
		d = modelCompare(v, want)
	}
	switch op {
	case postgrest.Eq:
		return holds(d == 0)
	case postgrest.Neq:
		return holds(d != 0)
	case postgrest.Gt:
		return holds(d > 0)
	case postgrest.Gte:
		return holds(d >= 0)
	case postgrest.Lt:
		return holds(d < 0)
	}
	return holds(d <= 0)
}
