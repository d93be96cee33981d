package postgrest

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cairn/internal/team/table"
)

// A request is being read: what its parameters add up to is counted, so that
// together they stay within the limits.
type request struct {
	filters, values int
}

// hides says whether a table has a column that nobody sees.
func hides(t *table.Table, name string) bool {
	return slices.ContainsFunc(t.Columns, func(c table.Column) bool { return c.Name == name && c.Hidden })
}

// column finds a column that a request names.
func column(t *table.Table, name string) (*table.Column, *Error) {
	if c := t.Column(name); c != nil {
		return c, nil
	}
	return nil, noColumn(t, name)
}

// A param is one name=value of a query string, decoded.
type param struct{ key, value string }

// ParseQuery reads the query string of a request for a table.
func ParseQuery(t *table.Table, raw string) (*Query, *Error) {
	params, err := split(raw)
	if err != nil {
		return nil, err
	}
	return parseQuery(t, params)
}

// parseQuery reads parameters. Of those that count once, the first does.
func parseQuery(t *table.Table, params []param) (*Query, *Error) {
	r, q := &request{}, &Query{Table: t, Limit: -1}
	var seen []string
	for _, p := range params {
		var err *Error
		switch p.key {
		case "columns", "on_conflict":
		case "select", "order", "limit", "offset":
			if slices.Contains(seen, p.key) {
				continue
			}
			seen = append(seen, p.key)
			err = q.set(p)
		case "and", "or", "not.and", "not.or":
			var f Filter
			f, err = r.readTree(t, p)
			q.Where = append(q.Where, f)
		default:
			var f Filter
			f, err = r.readFilter(t, p)
			q.Where = append(q.Where, f)
		}
		if err != nil {
			return nil, err
		}
	}
	return q, nil
}

func (q *Query) set(p param) (err *Error) {
	switch p.key {
	case "select":
		return q.readSelect(p.value)
	case "order":
		return q.readOrder(p.value)
	case "limit":
		q.Limit, err = number(p, math.MaxInt32)
	case "offset":
		q.Offset, err = number(p, -1)
	}
	return err
}

// number reads an integer. One beyond MaxOffset is most, or an error where that is negative.
func number(p param, most int) (int, *Error) {
	n, err := strconv.ParseInt(strings.TrimSpace(p.value), 10, 64)
	switch {
	case err != nil && !strings.Contains(err.Error(), "out of range"):
		return 0, parseError(p.key+" parameter", p.value, 0, strconv.Quote(short(p.value)), "integer")
	case n < 0:
		return 0, badRange("%s must be zero or more, not %s.", p.key, short(p.value))
	case n <= MaxOffset:
		return int(n), nil
	case most < 0:
		return 0, badRange("%s must be at most %d.", p.key, MaxOffset)
	}
	return most, nil
}

// readOrder reads order=column[.asc|.desc][.nullsfirst|.nullslast],…
func (q *Query) readOrder(text string) *Error {
	s := &scanner{what: "order", text: text}
	for strings.TrimSpace(text) != "" {
		name, err := s.name("field name")
		if err != nil {
			return err
		}
		switch {
		case s.next("("):
			return Unsupported("ordering by a column of an embedded table is not supported; order by columns of %s", q.Table.Name)
		case s.next("->"):
			return noPath(name)
		}
		o := Order{}
		if o.Column, err = column(q.Table, name); err != nil {
			return err
		}
		if o.Column.Type == table.JSON || o.Column.Type == table.TextArray {
			return notScalar(o.Column)
		}
		if s.skip(".desc") {
			o.Desc = true
		} else {
			s.skip(".asc")
		}
		if o.NullsFirst = o.Desc; s.skip(".nullsfirst") {
			o.NullsFirst = true
		} else if s.skip(".nullslast") {
			o.NullsFirst = false
		}
		if q.Order = append(q.Order, o); len(q.Order) > MaxOrder {
			return tooMuch("there are more than %d columns to order by", MaxOrder)
		}
		if s.blanks(); s.done() {
			return nil
		}
		if !s.skip(",") {
			return s.unexpected(`"," or end of input`)
		}
	}
	return nil
}

// split takes a query string apart.
func split(raw string) ([]param, *Error) {
	if len(raw) > MaxQuery {
		return nil, tooMuch("the query string has more than %d bytes", MaxQuery)
	}
	var params []param
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		key, value, _ := strings.Cut(part, "=")
		k, err1 := url.QueryUnescape(key)
		v, err2 := url.QueryUnescape(value)
		if err1 != nil || err2 != nil {
			return nil, parseError("query string", part, 0, "an escape with % that is none", "% and two hexadecimal digits")
		}
		if strings.ContainsRune(k+v, 0) || !utf8.ValidString(k+v) {
			return nil, fault(http.StatusBadRequest, "22021", `invalid byte sequence for encoding "UTF8"`)
		}
		params = append(params, param{k, v})
	}
	return params, nil
}

// first returns the value of the first parameter of a name.
func first(params []param, key string) (string, bool) {
	i := slices.IndexFunc(params, func(p param) bool { return p.key == key })
	if i < 0 {
		return "", false
	}
	return params[i].value, true
}

// SetRange narrows a query down to the rows of a Range header: 0-24, or 10-. One
// in another unit than items is passed over, as HTTP has it.
func (q *Query) SetRange(unit, header string) *Error {
	if header == "" || unit != "" && unit != "items" {
		return nil
	}
	if kind, rest, ok := strings.Cut(header, "="); ok {
		if kind != "items" {
			return nil
		}
		header = rest
	}
	low, high, _ := strings.Cut(header, "-")
	from, err := number(param{"the lower boundary", low}, -1)
	to := math.MaxInt - 1
	if err == nil && high != "" {
		to, err = number(param{"the upper boundary", high}, math.MaxInt32)
	}
	switch {
	case err != nil || !strings.Contains(header, "-"):
		return badRange("A Range header is two numbers, as in 0-24, or one, as in 10-.")
	case to < from:
		return badRange("The lower boundary must be lower than or equal to the upper boundary in the Range header.")
	}
	// Of limit= and offset= too, what is in both remains.
	end := to + 1
	if q.Limit >= 0 {
		end = min(end, q.Offset+q.Limit)
	}
	q.Offset = max(q.Offset, from)
	if q.Limit >= 0 || high != "" {
		q.Limit = max(end-q.Offset, 0)
	}
	return nil
}

// Showing is how many rows an answer has where there are total, and most are given at once.
func (q *Query) Showing(total int64, most int) int {
	if q.Limit >= 0 {
		most = min(most, q.Limit)
	}
	return int(max(0, min(int64(most), total-int64(q.Offset))))
}

// ContentRange is the header that says which rows an answer has, and of how
// many: total is -1 where that was not asked, or is more than is counted.
func ContentRange(offset, rows int, total int64) string {
	span, all := "*", "*"
	if rows > 0 {
		span = fmt.Sprintf("%d-%d", offset, offset+rows-1)
	}
	if total >= 0 {
		all = fmt.Sprint(total)
	}
	return span + "/" + all
}

// RangeStatus is the status of an answer with some of the rows: 200, 206, or an
// error where the offset is behind the last one.
func RangeStatus(offset, rows int, total int64) (int, *Error) {
	switch {
	case total < 0:
		return http.StatusOK, nil
	case int64(offset) > total:
		return 0, badRange("An offset of %d was requested, but there are only %d rows.", offset, total)
	case int64(rows) < total:
		return http.StatusPartialContent, nil
	}
	return http.StatusOK, nil
}
