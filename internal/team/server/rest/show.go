package rest

import (
	"bytes"
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/postgrest"
)

// What a function returns is shown by the same select, filters, order and range
// as a table. A function's rows are few, so that is done here, on the rows.

type object map[string]jsontext.Value

// show returns the rows of a function that a query asks for, and how many there
// were before its limit and offset.
func show(value jsontext.Value, q *postgrest.Query) ([]jsontext.Value, int, error) {
	var all []object
	if err := json.Unmarshal(value, &all); err != nil {
		return nil, 0, err
	}
	var kept []object
	for _, row := range all {
		ok := true
		for _, f := range q.Where {
			held, err := holds(row, f)
			if err != nil {
				return nil, 0, err
			}
			ok = ok && held
		}
		if ok {
			kept = append(kept, row)
		}
	}
	slices.SortStableFunc(kept, func(a, b object) int {
		for _, o := range q.Order {
			if c := compareBy(o, a, b); c != 0 {
				return c
			}
		}
		return 0
	})
	total := len(kept)
	kept = kept[min(q.Offset, total):]
	if q.Limit >= 0 {
		kept = kept[:min(q.Limit, len(kept))]
	}
	rows := make([]jsontext.Value, 0, len(kept))
	for _, row := range kept {
		v, err := pick(row, q)
		if err != nil {
			return nil, 0, err
		}
		rows = append(rows, v)
	}
	return rows, total, nil
}

// pick writes the columns of a row that are selected.
func pick(row object, q *postgrest.Query) (jsontext.Value, error) {
	items := q.Select
	if items == nil {
		for i := range q.Table.Columns {
			items = append(items, postgrest.Item{Column: postgrest.Path{Column: &q.Table.Columns[i]}})
		}
	}
	b := []byte{'{'}
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		if item.Embed != nil || item.Cast != "" && item.Cast != "text" || len(item.Column.Keys) > 0 {
			return nil, notHere("only columns of a function's rows can be selected")
		}
		name := cmp.Or(item.Alias, item.Column.Column.Name)
		b, _ = jsontext.AppendQuote(b, name)
		b = append(b, ':')
		v := row[item.Column.Column.Name]
		if item.Cast == "text" && v.Kind() != '"' && v.Kind() != 'n' {
			b, _ = jsontext.AppendQuote(b, string(v))
			continue
		}
		b = append(b, v...)
	}
	return append(b, '}'), nil
}

// holds says whether a filter holds for a row. A comparison with null does not, nor does its negation.
func holds(row object, f postgrest.Filter) (bool, error) {
	if f.Any != nil || f.All != nil {
		held := f.All != nil
		for _, member := range append(f.Any, f.All...) {
			one, err := holds(row, member)
			if err != nil {
				return false, err
			}
			if f.All != nil {
				held = held && one
			} else {
				held = held || one
			}
		}
		return held != f.Not, nil
	}
	if len(f.Path.Keys) > 0 {
		return false, notHere("only columns of a function's rows can be filtered by")
	}
	v := row[f.Path.Column.Name]
	null := v.Kind() == 'n' || v.Kind() == 0
	if f.Op == postgrest.Is {
		text := string(bytes.TrimSpace(v))
		held := f.Values[0] == text || null && f.Values[0] == "unknown" || !null && f.Values[0] == "not_null"
		return held != f.Not, nil
	}
	if null {
		return f.Op == postgrest.IsDistinct != f.Not, nil
	}
	test, err := comparison(f.Op)
	if err != nil {
		return false, err
	}
	held := f.Every
	for _, value := range f.Values {
		if one := test(compare(v, value)); f.Every {
			held = held && one
		} else {
			held = held || one
		}
	}
	return held != f.Not, nil
}

// comparison is what an operator wants of the order of two values.
func comparison(op postgrest.Op) (func(int) bool, error) {
	switch op {
	case postgrest.Eq, postgrest.In:
		return func(c int) bool { return c == 0 }, nil
	case postgrest.Neq, postgrest.IsDistinct:
		return func(c int) bool { return c != 0 }, nil
	case postgrest.Gt:
		return func(c int) bool { return c > 0 }, nil
	case postgrest.Gte:
		return func(c int) bool { return c >= 0 }, nil
	case postgrest.Lt:
		return func(c int) bool { return c < 0 }, nil
	case postgrest.Lte:
		return func(c int) bool { return c <= 0 }, nil
	}
	return nil, notHere("a function's rows can be filtered by eq, neq, gt, gte, lt, lte, in, is and isdistinct")
}

// compare orders a JSON value and a text of the same type.
func compare(v jsontext.Value, text string) int {
	var s string
	if v.Kind() == '"' && json.Unmarshal(v, &s) == nil {
		return strings.Compare(s, text)
	}
	a, err1 := strconv.ParseFloat(string(v), 64)
	b, err2 := strconv.ParseFloat(text, 64)
	if err1 != nil || err2 != nil {
		return strings.Compare(string(v), text)
	}
	return cmp.Compare(a, b)
}

func compareBy(o postgrest.Order, a, b object) int {
	x, y := a[o.Path.Column.Name], b[o.Path.Column.Name]
	noX, noY := x.Kind() == 'n', y.Kind() == 'n'
	switch {
	case noX && noY:
		return 0
	case noX || noY:
		if noX == o.NullsFirst {
			return -1
		}
		return 1
	}
	text := string(y)
	if y.Kind() == '"' {
		_ = json.Unmarshal(y, &text) // it is a string of ours
	}
	if c := compare(x, text); o.Desc {
		return -c
	} else {
		return c
	}
}

func notHere(why string) error {
	return &postgrest.Error{Status: http.StatusBadRequest, Code: "PGRST127", Message: "Feature not implemented", Details: &why}
}
