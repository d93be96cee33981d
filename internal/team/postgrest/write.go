package postgrest

import (
	"bytes"
	"net/http"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/table"
)

// ParseInsert reads a POST for a table: rows as a JSON array of objects, or one object.
func ParseInsert(t *table.Table, rawQuery string, body []byte, p Preferences) (*Write, *Error) {
	params, err := split(rawQuery)
	if err != nil {
		return nil, err
	}
	w, err := parseWrite(t, params, body, p)
	if err != nil {
		return nil, err
	}
	if len(w.Where) > 0 {
		return nil, Unsupported("filtering an insert is not supported; it takes select, columns and on_conflict")
	}
	if p.Resolution != "" {
		w.Resolution = p.Resolution
		text, _ := first(params, "on_conflict")
		w.OnConflict, err = readConflict(t, text)
	}
	return w, err
}

// ParseUpdate reads a PATCH for a table: one object. Without columns it changes nothing.
func ParseUpdate(t *table.Table, rawQuery string, body []byte, p Preferences) (*Write, *Error) {
	params, err := split(rawQuery)
	if err != nil {
		return nil, err
	}
	w, err := parseWrite(t, params, body, p)
	if err == nil && len(w.Rows) > 1 {
		err = badBody("an update has one object, not several")
	}
	return w, err
}

// ParseDelete reads the query string of a DELETE for a table.
func ParseDelete(t *table.Table, rawQuery string) (*Query, *Error) {
	params, err := split(rawQuery)
	if err != nil {
		return nil, err
	}
	return parseChange(t, params)
}

// parseChange reads which rows a write changes, and what is shown of them: all
// that the filters leave.
func parseChange(t *table.Table, params []param) (*Query, *Error) {
	q, err := parseQuery(t, params)
	switch {
	case err != nil:
		return nil, err
	case len(q.Order) > 0 || q.Limit >= 0 || q.Offset > 0:
		return nil, Unsupported("order, limit and offset of a write are not supported; filters say which rows it changes")
	case slices.ContainsFunc(q.Select, func(i Item) bool { return i.Embed != nil }):
		return nil, Unsupported("embedding in the answer to a write is not supported; it shows columns of %s", t.Name)
	}
	return q, nil
}

func parseWrite(t *table.Table, params []param, body []byte, p Preferences) (*Write, *Error) {
	q, err := parseChange(t, params)
	if err != nil {
		return nil, err
	}
	w := &Write{Query: *q}
	var names []string
	if text, ok := first(params, "columns"); ok {
		if names, err = readNames("columns parameter", text); err != nil {
			return nil, err
		}
	}
	given := names != nil
	if err := checkDepth(body); err != nil {
		return nil, err
	}
	rows, err := readBody(body)
	if err != nil {
		return nil, err
	}
	if !given && len(rows) > 0 {
		names = rows[0].names()
	}
	for _, name := range names {
		c := t.Column(name)
		switch {
		case c == nil && hides(t, name):
			return nil, noColumn(t, name)
		case c == nil:
			return nil, fault(http.StatusBadRequest, "PGRST204", "Could not find the '%s' column of '%s' in the schema cache", short(name), t.Name)
		case !slices.Contains(w.Columns, c):
			w.Columns = append(w.Columns, c)
		}
	}
	for _, row := range rows {
		if !given && len(row) != len(w.Columns) {
			return nil, badBody("All object keys must match")
		}
		values := make([]jsontext.Value, len(w.Columns))
		for i, c := range w.Columns {
			v, ok := row.find(c.Name)
			switch {
			case ok:
				values[i] = v
			case !given:
				return nil, badBody("All object keys must match")
			case p.Missing != "default":
				values[i] = jsontext.Value("null")
			}
		}
		w.Rows = append(w.Rows, values)
	}
	return w, nil
}

// readNames reads names separated by commas, quoted or not.
func readNames(what, text string) ([]string, *Error) {
	s := &scanner{what: what, text: text}
	names := []string{}
	for {
		name, err := s.name("field name")
		if err != nil {
			return nil, err
		}
		if names = append(names, name); len(names) > MaxNames {
			return nil, tooMuch("more than %d columns are named", MaxNames)
		}
		s.blanks()
		if s.done() {
			return names, nil
		}
		if !s.skip(",") {
			return nil, s.unexpected(`"," or end of input`)
		}
	}
}

// readConflict reads on_conflict=…: the columns of the primary key or of
// another key of the table, in any order. nil is the primary key.
func readConflict(t *table.Table, text string) ([]string, *Error) {
	if text == "" {
		return nil, nil
	}
	names, err := readNames("on_conflict parameter", text)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if _, err := column(t, name); err != nil {
			return nil, err
		}
	}
	sorted := slices.Sorted(slices.Values(names))
	for _, key := range append([][]string{t.Key}, t.Unique...) {
		if slices.Equal(sorted, slices.Sorted(slices.Values(key))) {
			return key, nil
		}
	}
	return nil, fault(http.StatusBadRequest, "42P10", "there is no unique or exclusion constraint matching the ON CONFLICT specification")
}

// A record is a JSON object with its members in order.
type record []member

type member struct {
	name  string
	value jsontext.Value
}

func (r record) names() []string {
	names := []string{}
	for _, m := range r {
		names = append(names, m.name)
	}
	return names
}

func (r record) find(name string) (jsontext.Value, bool) {
	for _, m := range r {
		if m.name == name {
			return m.value, true
		}
	}
	return nil, false
}

// checkDepth refuses JSON that a database could keep but not look into.
func checkDepth(body []byte) *Error {
	depth, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > MaxJSON {
				return badBody("the JSON is nested too deeply").because("Objects and arrays stand in each other more than %d times.", MaxJSON)
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil
}

// readBody reads one object or an array of objects.
func readBody(body []byte) ([]record, *Error) {
	d := jsontext.NewDecoder(bytes.NewReader(body))
	var rows []record
	bad := badBody("Empty or invalid json")
	switch d.PeekKind() {
	case '{':
		r, err := readRecord(d)
		if err != nil {
			return nil, bad
		}
		rows = []record{r}
	case '[':
		_, _ = d.ReadToken() // it was peeked at, as the ] below
		for d.PeekKind() == '{' {
			r, err := readRecord(d)
			if err != nil {
				return nil, bad
			}
			if rows = append(rows, r); len(rows) > MaxRows {
				return nil, fault(http.StatusRequestEntityTooLarge, "PGRST102", "a body has at most %d rows", MaxRows)
			}
		}
		switch kind := d.PeekKind(); {
		case kind == 0:
			return nil, bad
		case kind != ']':
			if !jsontext.Value(body).IsValid() {
				return nil, bad
			}
			return nil, badBody("All object keys must match")
		}
		_, _ = d.ReadToken()
	default:
		return nil, bad
	}
	if rest := body[d.InputOffset():]; len(bytes.TrimSpace(rest)) > 0 {
		return nil, bad
	}
	return rows, nil
}

func readRecord(d *jsontext.Decoder) (record, error) {
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	r := record{}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		m := member{name: name.String()}
		if m.value, err = d.ReadValue(); err != nil {
			return nil, err
		}
		m.value = m.value.Clone()
		r = append(r, m)
	}
	_, err := d.ReadToken()
	return r, err
}
