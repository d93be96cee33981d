package rest

import (
	"errors"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/postgrest"
)

// call answers a request for a function.
func (h *handler) call(w http.ResponseWriter, r *request, name string) error {
	var body []byte
	if r.Method == http.MethodPost {
		var err error
		if body, err = r.body(); err != nil {
			return err
		}
		leave, err := ingest.Enter(r.Context(), len(body)) // before anything makes more of it
		if err != nil {
			return err
		}
		defer leave()
	}
	c, e := postgrest.ParseCall(h.functions, name, r.Method, r.URL.RawQuery, body)
	if e != nil {
		return e
	}
	if c.Query != nil {
		if e := c.Query.SetRange(r.Header.Get("Range-Unit"), r.Header.Get("Range")); e != nil {
			return e
		}
	}
	var value jsontext.Value
	var rows []jsontext.Value
	total := 0
	run := func(tx *db.Tx) (err error) {
		if value, err = h.rows.Call(r.Context(), tx, r.as, name, c.Arguments); err != nil || c.Query == nil {
			return err
		}
		if rows, total, err = show(value, c.Query); err != nil {
			return err
		}
		if r.prefer.Strict() && r.prefer.MaxAffected >= 0 && total > r.prefer.MaxAffected {
			return postgrest.TooManyAffected(int64(total))
		}
		return r.checkSingle(len(rows))
	}
	var err error
	if (name == pushRun || name == pushPart) && !r.prefer.Rollback() {
		value, err = h.rows.Push(r.Context(), h.db, r.as, name, c.Arguments)
	} else if c.Function.Reads {
		err = h.db.View(r.Context(), r.as, run)
	} else {
		err = h.db.Update(r.Context(), r.as, func(tx *db.Tx) error {
			if err := run(tx); err != nil {
				return err
			}
			if r.prefer.Rollback() {
				return errRollback
			}
			return nil
		})
	}
	if err != nil && !errors.Is(err, errRollback) {
		return err
	}
	if c.Query == nil {
		return r.sendValue(w, value)
	}
	counted := int64(-1)
	if r.prefer.Count != "" {
		counted = int64(total)
	}
	status, e := postgrest.RangeStatus(c.Query.Offset, len(rows), counted)
	if e != nil {
		return &beyond{e, counted}
	}
	return r.send(w, reply{status: status, rows: rows, columns: csvColumns(c.Query), span: postgrest.ContentRange(c.Query.Offset, len(rows), counted), body: true})
}

// sendValue answers with the one value that a function returned: nothing for none.
func (r *request) sendValue(w http.ResponseWriter, value jsontext.Value) error {
	head := w.Header()
	if applied := r.prefer.Applied(r.Method, false); applied != "" {
		head.Set("Preference-Applied", applied)
	}
	if value == nil {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	counted := int64(-1)
	if r.prefer.Count != "" {
		counted = 1
	}
	head.Set("Content-Range", postgrest.ContentRange(0, 1, counted))
	if r.media.Format == postgrest.CSV {
		var text string
		if json.Unmarshal(value, &text) != nil {
			text = string(value)
		}
		r.write(w, http.StatusOK, r.media.ContentType(), []byte(text))
		return nil
	}
	r.write(w, http.StatusOK, r.media.ContentType(), value)
	return nil
}
