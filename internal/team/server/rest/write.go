package rest

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/db"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// errRollback ends a transaction that must leave nothing although all went well.
var errRollback = errors.New("rolled back as the request wanted")

// body reads a request's body, which the server has limited.
func (r *request) body() ([]byte, error) {
	if e := postgrest.CheckContentType(r.Header.Get("Content-Type")); e != nil {
		return nil, e
	}
	return io.ReadAll(r.Body)
}

// change runs a write as whoever asks. The write is taken back if the request
// wants it so, or if it did more or less than the request allows.
func (h *handler) change(r *request, write func(*db.Tx) (*rows.Answer, error)) (*rows.Answer, error) {
	var got *rows.Answer
	err := h.db.Update(r.Context(), r.as, func(tx *db.Tx) (err error) {
		if got, err = write(tx); err != nil {
			return err
		}
		if limited := r.Method != http.MethodPost; limited && r.prefer.Strict() && r.prefer.MaxAffected >= 0 && got.Affected > int64(r.prefer.MaxAffected) {
			return postgrest.TooManyAffected(got.Affected)
		}
		if err := r.checkSingle(int(got.Affected)); err != nil {
			return err
		}
		if r.prefer.Rollback() {
			return errRollback
		}
		return nil
	})
	if err != nil && !errors.Is(err, errRollback) {
		return nil, err
	}
	return got, nil
}

func (h *handler) insert(w http.ResponseWriter, r *request, t *table.Table) error {
	body, err := r.body()
	if err != nil {
		return err
	}
	write, e := postgrest.ParseInsert(t, r.URL.RawQuery, body, r.prefer)
	if e != nil {
		return e
	}
	locate := r.prefer.Return == "headers-only"
	if locate {
		write.Select = keyItems(t)
	}
	got, err := h.change(r, func(tx *db.Tx) (*rows.Answer, error) {
		return h.rows.Insert(r.Context(), tx, r.as, write, r.wantsRows() || locate)
	})
	if err != nil {
		return err
	}
	p := reply{status: http.StatusCreated, upsert: write.Resolution != "", span: "*/" + r.total(got), body: r.wantsRows(), rows: got.Rows, columns: csvColumns(&write.Query)}
	if locate && len(got.Rows) == 1 {
		if p.location, err = location(t, got.Rows[0]); err != nil {
			return err
		}
	}
	return r.send(w, p)
}

func (h *handler) update(w http.ResponseWriter, r *request, t *table.Table) error {
	body, err := r.body()
	if err != nil {
		return err
	}
	write, e := postgrest.ParseUpdate(t, r.URL.RawQuery, body, r.prefer)
	if e != nil {
		return e
	}
	if len(write.Columns) == 0 || len(write.Rows) == 0 {
		// Nothing to set: no row is touched.
		return r.sendWritten(w, &rows.Answer{}, &write.Query)
	}
	got, err := h.change(r, func(tx *db.Tx) (*rows.Answer, error) {
		return h.rows.Update(r.Context(), tx, r.as, write, r.wantsRows())
	})
	if err != nil {
		return err
	}
	return r.sendWritten(w, got, &write.Query)
}

func (h *handler) delete(w http.ResponseWriter, r *request, t *table.Table) error {
	q, e := postgrest.ParseQuery(t, r.URL.RawQuery)
	if e != nil {
		return e
	}
	got, err := h.change(r, func(tx *db.Tx) (*rows.Answer, error) {
		return h.rows.Delete(r.Context(), tx, r.as, q, r.wantsRows())
	})
	if err != nil {
		return err
	}
	return r.sendWritten(w, got, q)
}

// put inserts the one row that the filters name by its key, or replaces it.
func (h *handler) put(w http.ResponseWriter, r *request, t *table.Table) error {
	body, err := r.body()
	if err != nil {
		return err
	}
	write, e := postgrest.ParsePut(t, r.URL.RawQuery, body)
	if e != nil {
		return e
	}
	got, err := h.change(r, func(tx *db.Tx) (*rows.Answer, error) {
		return h.rows.Insert(r.Context(), tx, r.as, write, r.wantsRows())
	})
	if err != nil {
		return err
	}
	return r.sendWritten(w, got, &write.Query)
}

// sendWritten answers a write that changed or deleted rows.
func (r *request) sendWritten(w http.ResponseWriter, got *rows.Answer, q *postgrest.Query) error {
	if err := r.checkSingle(int(got.Affected)); err != nil {
		return err
	}
	p := reply{status: http.StatusNoContent, span: "*/" + r.total(got), rows: got.Rows, columns: csvColumns(q)}
	if r.Method == http.MethodPatch {
		p.span = postgrest.ContentRange(0, int(got.Affected), r.count(got))
	}
	if r.wantsRows() {
		p.status, p.body = http.StatusOK, true
	}
	return r.send(w, p)
}

// count is how many rows a write changed, -1 where that was not asked.
func (r *request) count(got *rows.Answer) int64 {
	if r.prefer.Count == "" {
		return -1
	}
	return got.Affected
}

func (r *request) total(got *rows.Answer) string {
	_, total, _ := strings.Cut(postgrest.ContentRange(0, 0, r.count(got)), "/")
	return total
}

// keyItems select the primary key.
func keyItems(t *table.Table) []postgrest.Item {
	var items []postgrest.Item
	for _, name := range t.Key {
		items = append(items, postgrest.Item{Column: postgrest.Path{Column: t.Column(name)}})
	}
	return items
}

// location is where a row is found by its primary key.
func location(t *table.Table, row jsontext.Value) (string, error) {
	var members map[string]jsontext.Value
	if err := json.Unmarshal(row, &members); err != nil {
		return "", err
	}
	var parts []string
	for _, name := range t.Key {
		text := string(members[name])
		if members[name].Kind() == '"' {
			if err := json.Unmarshal(members[name], &text); err != nil {
				return "", err
			}
		}
		parts = append(parts, name+"=eq."+url.QueryEscape(text))
	}
	return "/" + t.Name + "?" + strings.Join(parts, "&"), nil
}
