package rows

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
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
	}
	panic(fmt.Sprintf("%T", a))
}

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
	v := r[f.Column.Name]
	if f.Op == postgrest.Is {
		if f.Values[0] == "null" {
			return holds(v == nil)
		}
		return holds(v != nil && v.(bool) == (f.Values[0] == "true"))
	}
	out := no
	for _, text := range f.Values { // one, or those of in
		out = max(out, modelOp(f, modelValue(f.Column, v), text))
	}
	return out
}

func modelOp(f *postgrest.Filter, v any, text string) truth {
	if v == nil {
		return unknown
	}
	switch d := modelCompare(v, modelLiteral(f.Column.Type, text)); f.Op {
	case postgrest.Eq, postgrest.In:
		return holds(d == 0)
	case postgrest.Neq:
		return holds(d != 0)
	case postgrest.Gt:
		return holds(d > 0)
	case postgrest.Gte:
		return holds(d >= 0)
	case postgrest.Lt:
		return holds(d < 0)
	default:
		return holds(d <= 0)
	}
}
