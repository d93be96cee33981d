package rest

import (
	"net/http"
	"slices"

	"cairn/internal/team/db"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// sorted is what SQLite needs for the key of each row that it sorts and passes over.
const sorted = 256

// read answers GET and HEAD for a table.
func (h *handler) read(w http.ResponseWriter, r *request, t *table.Table) error {
	q, e := postgrest.ParseQuery(t, r.URL.RawQuery)
	if e != nil {
		return e
	}
	if e := q.SetRange(r.Header.Get("Range-Unit"), r.Header.Get("Range")); e != nil {
		return e
	}
	var a *rows.Answer
	done, err := func() {}, error(nil)
	if r.Method == http.MethodHead { // what is not sent is not read, but counted
		a = rows.NewAnswer(0)
		err = h.db.View(r.Context(), r.as, func(tx *db.Tx) error { return rows.Count(r.Context(), tx, r.as, q, a) })
		a.Rows = q.Showing(a.Total, rows.MostRows)
	} else {
		way, needs := h.answer, rows.Most
		if slices.ContainsFunc(q.Select, func(i postgrest.Item) bool { return i.Embed != nil }) {
			needs *= 2 // the embedded rows are kept until they are in the answer
		}
		if len(q.Order) > 0 && q.Offset > rows.MostRows {
			way, needs = h.largeAnswer, needs+q.Offset*sorted
		}
		a, done, err = way(r, needs, func(a *rows.Answer) error {
			return h.db.View(r.Context(), r.as, func(tx *db.Tx) error {
				return rows.Select(r.Context(), tx, r.as, q, r.prefer.Count != "", a)
			})
		})
	}
	if err != nil {
		return err
	}
	defer done()
	if r.prefer.Count == "" {
		a.Total = -1
	} else if a.Total < 0 { // more than are counted
		r.prefer.Count = ""
	}
	status, e := postgrest.RangeStatus(q.Offset, a.Rows, a.Total)
	if e != nil {
		return &beyond{e, a.Total}
	}
	if e := r.checkSingle(int64(a.Rows)); e != nil {
		return e
	}
	r.send(w, reply{status: status, rows: a, span: postgrest.ContentRange(q.Offset, a.Rows, a.Total)})
	return nil
}

// checkSingle makes sure that there is one row where one is wanted.
func (r *request) checkSingle(rows int64) error {
	if r.format == postgrest.Object && rows != 1 {
		return postgrest.NotSingular(rows)
	}
	return nil
}

// wantsRows says whether a write answers with what it wrote.
func (r *request) wantsRows() bool { return r.prefer.Return == "representation" }
