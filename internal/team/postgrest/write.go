package postgrest

import (
	"bytes"
	"iter"
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
	given := false
	if text, ok := first(params, "columns"); ok {
		names, err := readNames("columns parameter", text)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if err := w.addColumn(name); err != nil {
				return nil, err
			}
		}
		given = true
	}
	if err := checkDepth(body); err != nil {
		return nil, err
	}
	if err := w.readBody(body, given, p.Missing == "default"); err != nil {
		return nil, err
	}
	return w, nil
}

// addColumn adds one that is not there already.
func (w *Write) addColumn(name string) *Error {
	c := w.Table.Column(name)
	switch {
	case c == nil && hides(w.Table, name):
		return noColumn(w.Table, name)
	case c == nil:
		return fault(http.StatusBadRequest, "PGRST204", "Could not find the '%s' column of '%s' in the schema cache", short(name), w.Table.Name)
	case !slices.Contains(w.Columns, c):
		w.Columns = append(w.Columns, c)
	}
	return nil
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

// checkDepth refuses JSON that a database could keep but not look into.
func checkDepth(body []byte) *Error {
	for _, depth := range Marks(body) {
		if depth > MaxJSON {
			return badBody("the JSON is nested too deeply").because("Objects and arrays stand in each other more than %d times.", MaxJSON)
		}
	}
	return nil
}

// Marks are the brackets, braces and commas of JSON outside its strings, and how
// deep each stands: a bracket as deep as what it holds. It is much faster than a
// decoder, and other text gives other marks but no error.
func Marks(body []byte) iter.Seq2[byte, int] {
	return func(yield func(byte, int) bool) {
		depth, quoted := 0, false
		for i := 0; i < len(body); i++ {
			switch c := body[i]; {
			case quoted && c == '\\':
				i++
			case c == '"':
				quoted = !quoted
			case quoted:
			case c == '{' || c == '[':
				if depth++; !yield(c, depth) {
					return
				}
			case c == '}' || c == ']':
				if depth--; !yield(c, depth+1) {
					return
				}
			case c == ',':
				if !yield(c, depth) {
					return
				}
			}
		}
	}
}

// readBody reads one object or an array of objects into rows. Without columns
// given, those of the first object are all that there are. It keeps nothing of what
// is no column, since strangers send that too, and copies no value.
func (w *Write) readBody(body []byte, given, defaults bool) *Error {
	d := jsontext.NewDecoder(bytes.NewReader(body))
	bad := badBody("Empty or invalid json")
	switch d.PeekKind() {
	case '{':
		if err := w.readRow(d, body, given, defaults); err != nil {
			return err
		}
	case '[':
		_, _ = d.ReadToken() // it was peeked at, as the ] below
		for d.PeekKind() == '{' {
			if len(w.Rows) == MaxRows {
				return fault(http.StatusRequestEntityTooLarge, "PGRST102", "a body has at most %d rows", MaxRows)
			}
			if err := w.readRow(d, body, given, defaults); err != nil {
				return err
			}
		}
		switch kind := d.PeekKind(); {
		case kind == 0:
			return bad
		case kind != ']':
			if d.SkipValue() != nil {
				return bad
			}
			return badBody("All object keys must match")
		}
		_, _ = d.ReadToken()
	default:
		return bad
	}
	if rest := body[d.InputOffset():]; len(bytes.TrimSpace(rest)) > 0 {
		return bad
	}
	return nil
}

func (w *Write) readRow(d *jsontext.Decoder, body []byte, given, defaults bool) *Error {
	bad, begins := badBody("Empty or invalid json"), !given && len(w.Rows) == 0
	if _, err := d.ReadToken(); err != nil {
		return bad
	}
	values := make([]jsontext.Value, len(w.Columns))
	n := 0
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return bad
		}
		if n++; n > MaxNames {
			return tooMuch("an object has more than %d members", MaxNames)
		}
		column := name.String()
		if begins {
			if err := w.addColumn(column); err != nil {
				return err
			}
			values = append(values, nil)
		}
		v, err := d.ReadValue()
		if err != nil {
			return bad
		}
		switch i := slices.IndexFunc(w.Columns, func(c *table.Column) bool { return c.Name == column }); {
		case i >= 0:
			end := d.InputOffset()
			values[i] = jsontext.Value(body[end-int64(len(v)) : end])
		case !given:
			return badBody("All object keys must match")
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return bad
	}
	for i := range values {
		switch {
		case values[i] != nil:
		case !given:
			return badBody("All object keys must match")
		case !defaults:
			values[i] = jsontext.Value("null")
		}
	}
	w.Rows = append(w.Rows, values)
	return nil
}
