package rest

import (
	"io"
	"net/http"

	"cairn/internal/team/db"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// body reads a request's body, which the server has limited.
func (r *request) body() ([]byte, error) {
	if e := postgrest.CheckContentType(r.Header.Get("Content-Type")); e != nil {
		return nil, e
	}
	return io.ReadAll(r.Body)
}

// change runs a write as whoever asks. It leaves nothing where one row was wanted
// and others were written, or where what was written does not fit into an answer.
func (h *handler) change(r *request, write func(*db.Tx, *rows.Answer) error) (got *rows.Answer, done func(), err error) {
	return h.answer(r, rows.Most, func(a *rows.Answer) error {
		return h.db.Update(r.Context(), r.as, func(tx *db.Tx) error {
			a.Free() // it may run again after a conflict
			if err := write(tx, a); err != nil {
				return err
			}
			return r.checkSingle(a.Affected)
		})
	})
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
	got, done, err := h.change(r, func(tx *db.Tx, a *rows.Answer) error {
		return rows.Insert(r.Context(), tx, r.as, write, r.wantsRows(), a)
	})
	if err != nil {
		return err
	}
	defer done()
	r.sendWritten(w, http.StatusCreated, got, write.Resolution != "")
	return nil
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
	got, done, err := h.change(r, func(tx *db.Tx, a *rows.Answer) error {
		return rows.Update(r.Context(), tx, r.as, write, r.wantsRows(), a)
	})
	if err != nil {
		return err
	}
	defer done()
	r.sendWritten(w, http.StatusNoContent, got, false)
	return nil
}

func (h *handler) delete(w http.ResponseWriter, r *request, t *table.Table) error {
	q, e := postgrest.ParseDelete(t, r.URL.RawQuery)
	if e != nil {
		return e
	}
	got, done, err := h.change(r, func(tx *db.Tx, a *rows.Answer) error {
		return rows.Delete(r.Context(), tx, r.as, q, r.wantsRows(), a)
	})
	if err != nil {
		return err
	}
	defer done()
	r.sendWritten(w, http.StatusNoContent, got, false)
	return nil
}

// sendWritten answers a write: with rows, or with a status that says that there are none.
func (r *request) sendWritten(w http.ResponseWriter, status int, got *rows.Answer, upsert bool) {
	total, shown := int64(-1), 0
	if r.prefer.Count != "" {
		total = got.Affected
	}
	if r.Method == http.MethodPatch {
		shown = int(got.Affected)
	}
	p := reply{status: status, span: postgrest.ContentRange(0, shown, total), upsert: upsert}
	if r.wantsRows() {
		if p.rows = got; status == http.StatusNoContent {
			p.status = http.StatusOK
		}
	}
	r.send(w, p)
}
