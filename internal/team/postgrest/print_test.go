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
		b.WriteString(" by " + o.Path.String() + "/" + dir + "/nulls-" + nulls)
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
	s := ""
	if i.Alias != "" {
		s = i.Alias + "="
	}
	if i.Embed == nil {
		s += i.Column.String()
		if i.Cast != "" {
			s += "::" + i.Cast
		}
		return s
	}
	if i.Embed.Spread {
		s += "..."
	}
	s += "(" + i.Embed.Query.String() + ")"
	if i.Embed.Inner {
		s += "inner"
	}
	return s
}

func (p Path) String() string {
	s := p.Column.Name
	for i, k := range p.Keys {
		if arrow := "->"; i == len(p.Keys)-1 && p.Text {
			s += "->>" + k
		} else {
			s += arrow + k
		}
	}
	return s
}

var opNames = [...]string{Eq: "eq", Neq: "neq", Gt: "gt", Gte: "gte", Lt: "lt", Lte: "lte", Like: "like", ILike: "ilike", Match: "match", IMatch: "imatch",
	In: "in", Is: "is", IsDistinct: "isdistinct", Contains: "cs", Contained: "cd", Overlaps: "ov", Search: "fts", Plain: "plfts", Phrase: "phfts", Web: "wfts"}

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
	op := opNames[f.Op]
	if f.Many {
		op += map[bool]string{false: "(any)", true: "(all)"}[f.Every]
	}
	if f.Config != "" {
		op += "(" + f.Config + ")"
	}
	values := fmt.Sprintf("%q", f.Values)
	if len(f.Values) > 5 {
		values = fmt.Sprintf("%d values", len(f.Values))
	}
	return fmt.Sprintf("%s%s %s %s", not, f.Path, op, values)
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
