package rest

import (
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/db/rows"
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
		leave, err := ingest.Enter(r.Context(), body) // before anything makes more of it
		if err != nil {
			return err
		}
		defer leave()
	}
	args, e := postgrest.ParseCall(r.Method, r.URL.RawQuery, body)
	if e != nil {
		return e
	}
	var value jsontext.Value
	run := func(tx *db.Tx) (err error) {
		if value, err = rows.Call(r.Context(), tx, r.as, name, args); err == nil && len(value) > rows.Most {
			err = rows.ErrTooLarge
		}
		return err
	}
	var err error
	if f := rows.FindFunction(name); name == rows.PushRun || name == rows.PushPart { // in transactions of its own
		value, err = rows.Push(r.Context(), h.db, r.as, name, args)
	} else if f == nil || !f.Volatile {
		err = h.db.View(r.Context(), r.as, run)
	} else {
		err = h.db.Update(r.Context(), r.as, run)
	}
	if err != nil {
		return err
	}
	r.sendValue(w, value)
	return nil
}
