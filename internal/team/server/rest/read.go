package rest

import (
	"net/http"

	"cairn/internal/team/db"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// read answers GET and HEAD for a table.
func (h *handler) read(w http.ResponseWriter, r *request, t *table.Table) error {
	q, e := postgrest.ParseQuery(t, r.URL.RawQuery)
	if e != nil {
		return e
	}
	if e := q.SetRange(r.Header.Get("Range-Unit"), r.Header.Get("Range")); e != nil {
		return e
	}
	var got *rows.Answer
	err := h.db.View(r.Context(), r.as, func(tx *db.Tx) (err error) {
		got, err = h.rows.Select(r.Context(), tx, r.as, q, r.prefer.Count != "")
		return err
	})
	if err != nil {
		return err
	}
	total := int64(-1)
	if r.prefer.Count != "" {
		total = got.Total
	}
	status, e := postgrest.RangeStatus(q.Offset, len(got.Rows), total)
	if e != nil {
		return &beyond{e, total}
	}
	if e := r.checkSingle(len(got.Rows)); e != nil {
		return e
	}
	return r.send(w, reply{
		status: status, rows: got.Rows, columns: csvColumns(q), span: postgrest.ContentRange(q.Offset, len(got.Rows), total), body: true,
	})
}

// checkSingle makes sure that there is one row where one is wanted.
func (r *request) checkSingle(rows int) error {
	if r.media.Format == postgrest.Object && rows != 1 {
		return postgrest.NotSingular(rows)
	}
	return nil
}

// wantsRows says whether a write answers with what it wrote.
func (r *request) wantsRows() bool { return r.prefer.Return == "representation" }
