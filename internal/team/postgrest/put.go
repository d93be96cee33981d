package postgrest

import (
	"net/http"
	"slices"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/table"
)

// ParsePut reads a PUT for a table: one row, and the filters that name it by
// its primary key and by nothing else. It is an upsert of that row.
func ParsePut(t *table.Table, rawQuery string, body []byte) (*Write, *Error) {
	w, err := parseWrite(t, rawQuery, body, Preferences{Resolution: "merge-duplicates"}, true)
	if err != nil {
		return nil, err
	}
	if w.Limit >= 0 || w.Offset > 0 {
		return nil, fault(http.StatusBadRequest, "PGRST114", "limit/offset querystring parameters are not allowed for PUT")
	}
	var named []string
	for _, f := range w.Where {
		if f.Op != Eq || f.Not || f.Many || len(f.Path.Keys) > 0 {
			named = nil
			break
		}
		named = append(named, f.Path.Column.Name)
	}
	if !slices.Equal(slices.Sorted(slices.Values(named)), slices.Sorted(slices.Values(t.Key))) {
		return nil, fault(http.StatusMethodNotAllowed, "PGRST105", "Filters must include all and only primary key columns with 'eq' operators")
	}
	for _, f := range w.Where {
		at := slices.Index(w.Columns, f.Path.Column)
		if len(w.Rows) != 1 || at < 0 || !same(w.Rows[0][at], f.Values[0]) {
			return nil, fault(http.StatusBadRequest, "PGRST115", "Payload values do not match URL in primary key column(s)")
		}
	}
	w.Where, w.OnConflict = nil, nil
	return w, nil
}

// same says whether a JSON value is what a filter's text says.
func same(value []byte, text string) bool {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s == text
	}
	return string(value) == text
}
