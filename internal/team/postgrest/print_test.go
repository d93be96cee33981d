package postgrest

import (
	"fmt"
	"strings"
)

// What is below prints trees, for tests.

func (q *Query) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", q.Table.Name)
	if q.Select != nil {
		b.WriteString("[")
		for i, item := range q.Select {
			if i > 0 {
				b.WriteString(" ")
			}
			b.WriteString(item.String())
		}
		b.WriteString("]")
	}
	for _, f := range q.Where {
		b.WriteString(" where " + f.String())
	}
	for _, o := range q.Order {
		dir := map[bool]string{false: "asc", true: "desc"}[o.Desc]
		nulls := map[bool]string{false: "last", true: "first"}[o.NullsFirst]
		b.WriteString(" by " + o.Column.Name + "/" + dir + "/nulls-" + nulls)
	}
	if q.Limit >= 0 {
		fmt.Fprintf(&b, " limit %d", q.Limit)
	}
	if q.Offset > 0 {
		fmt.Fprintf(&b, " offset %d", q.Offset)
	}
	return b.String()
}

func (i Item) String() string {
	if i.Embed == nil {
		return i.Column.Name
	}
	return "(" + i.Embed.Query.String() + ")"
}

func (f Filter) String() string {
	not := ""
	if f.Not {
		not = "not "
	}
	join := func(list []Filter, word string) string {
		var parts []string
		for _, m := range list {
			parts = append(parts, m.String())
		}
		return not + word + "(" + strings.Join(parts, ", ") + ")"
	}
	switch {
	case f.Any != nil:
		return join(f.Any, "or")
	case f.All != nil:
		return join(f.All, "and")
	}
	values := fmt.Sprintf("%q", f.Values)
	if len(f.Values) > 5 {
		values = fmt.Sprintf("%d values", len(f.Values))
	}
	return fmt.Sprintf("%s%s %s %s", not, f.Column.Name, operators[f.Op], values)
}

func (w *Write) String() string {
	s := w.Query.String() + " columns"
	for _, c := range w.Columns {
		s += " " + c.Name
	}
	for _, row := range w.Rows {
		s += " row"
		for _, v := range row {
			if v == nil {
				s += " default"
			} else {
				v = v.Clone()
				v.Compact()
				s += " " + string(v)
			}
		}
	}
	if w.Resolution != "" {
		s += fmt.Sprintf(" %s on %v", w.Resolution, w.OnConflict)
	}
	return s
}

func (e *Error) full() string {
	s := fmt.Sprintf("%d %s %s", e.Status, e.Code, e.Message)
	if e.Details != nil {
		s += " | " + *e.Details
	}
	if e.Hint != nil {
		s += " | hint: " + *e.Hint
	}
	return s
}
