package postgrest

import (
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
	filters, items, embeds int
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

func parseQuery(t *table.Table, params []param) (*Query, *Error) {
	r := &request{}
	q := &Query{Table: t, Limit: -1}
	if text, ok := first(params, "select"); ok {
		if err := r.readSelect(q, text); err != nil {
			return nil, err
		}
	}
	seen := []string{"select"}
	for _, p := range params {
		if p.key == "columns" || p.key == "on_conflict" || slices.Contains(seen, p.key) {
			continue
		}
		once, err := r.readParam(q, p)
		if err != nil {
			return nil, err
		}
		if once {
			seen = append(seen, p.key)
		}
	}
	return q, nil
}

// readParam reads one parameter into the query or the embedded one that its key
// names. Of those that count once, the first does.
func (r *request) readParam(q *Query, p param) (once bool, err *Error) {
	s := &scanner{what: "tree path", text: p.key}
	var way []string
	for {
		name, err := s.name("field name (* or [a..z0..9_$])")
		if err != nil {
			return false, err
		}
		way = append(way, name)
		if !s.skip(".") {
			break
		}
	}
	if !s.done() && !s.next("->") {
		return false, noColumn(q.Table.Name, p.key, nil)
	}
	last := len(way) - 1
	not := last > 0 && way[last-1] == "not"
	word := way[last]
	if !s.done() {
		word = "" // -> follows: a column
	}
	switch word {
	case "order", "limit", "offset":
		at, err := q.embedded(way[:last])
		if err != nil {
			return false, err
		}
		return true, r.readOrderOrLimit(at, word, p.value)
	case "and", "or":
		if not {
			last--
		}
		at, err := q.embedded(way[:last])
		if err != nil {
			return false, err
		}
		f, err := r.readTree(at.Table, word, p.value)
		if err != nil {
			return false, err
		}
		f.Not = f.Not != not
		at.Where = append(at.Where, f)
		return false, nil
	}
	at, err := q.embedded(way[:last])
	if err != nil {
		return false, err
	}
	if e := at.embed(way[last]); e != nil && s.done() && at.Table.Column(way[last]) == nil {
		return false, r.readEmbedFilter(e, p.value)
	}
	f, err := r.readFilter(at.Table, s, way[last], p.value)
	if err != nil {
		return false, err
	}
	at.Where = append(at.Where, f)
	return false, nil
}

func (r *request) readOrderOrLimit(q *Query, word, value string) *Error {
	if word == "order" {
		return r.readOrder(q, value)
	}
	n, ok := number(value)
	if !ok {
		return parseError(word+" parameter", value, 0, strconv.Quote(short(value)), "integer")
	}
	switch {
	case word == "offset":
		q.Offset = max(n, 0)
	case n < 0:
		return badRange("Limit should be greater than or equal to zero.")
	default:
		q.Limit = n
	}
	return nil
}

// number reads an integer; one that does not fit is the largest that does.
func number(text string) (int, bool) {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil && !strings.Contains(err.Error(), "out of range") {
		return 0, false
	}
	return int(min(max(n, math.MinInt32), math.MaxInt32)), true
}

// embedded returns the query of the embedded table that is reached by names
// from here; by none it is this one.
func (q *Query) embedded(way []string) (*Query, *Error) {
	for _, name := range way {
		e := q.embed(name)
		if e == nil {
			return nil, fault(http.StatusBadRequest, "PGRST108", "'%s' is not an embedded resource in this request", short(name)).
				but("Verify that '%s' is included in the 'select' query parameter.", short(name))
		}
		q = &e.Query
	}
	return q, nil
}

// embed returns the embedded table of a name: its alias if it has one.
func (q *Query) embed(name string) *Embed {
	for _, item := range q.Select {
		if item.Embed != nil && (item.Alias == name || item.Alias == "" && item.Embed.Relation.Name == name) {
			return item.Embed
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
	for _, p := range params {
		if p.key == key {
			return p.value, true
		}
	}
	return "", false
}
