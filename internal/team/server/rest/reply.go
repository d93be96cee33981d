package rest

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/db/rows"
	"cairn/internal/team/postgrest"
)

// small is how many bytes an answer may have without a place in the room.
const small = 256 << 10

// answer runs what makes an answer with a small budget, and where that is not
// enough once more with a place in the room for the largest one that there may be,
// which needs so many bytes. done gives the place back.
func (h *handler) answer(r *request, needs int, run func(*rows.Answer) error) (a *rows.Answer, done func(), err error) {
	a = rows.NewAnswer(small)
	if err = run(a); err == nil {
		return a, a.Free, nil
	}
	a.Free()
	if !errors.Is(err, rows.ErrTooLarge) {
		return nil, nil, err
	}
	return h.largeAnswer(r, needs, run)
}

func (h *handler) largeAnswer(r *request, needs int, run func(*rows.Answer) error) (a *rows.Answer, done func(), err error) {
	place, err := h.room.enter(r.Context(), r.as.User, min(needs, roomy))
	if err != nil {
		return nil, nil, err
	}
	a = rows.NewAnswer(rows.Most)
	done = func() {
		a.Free()
		place.leave()
	}
	if err = run(a); err != nil {
		done()
		return nil, nil, err
	}
	place.shrink(a.Size())
	return a, done, nil
}

// A reply is an answer that is no error.
type reply struct {
	status int
	span   string       // Content-Range
	upsert bool         // a resolution was applied
	rows   *rows.Answer // nil is no body
}

func (r *request) send(w http.ResponseWriter, p reply) {
	head := w.Header()
	if p.span != "" {
		head.Set("Content-Range", p.span)
	}
	if applied := r.prefer.Applied(r.Method, p.upsert); applied != "" {
		head.Set("Preference-Applied", applied)
	}
	if p.rows == nil || r.Method == http.MethodHead {
		if p.rows != nil {
			head.Set("Content-Type", r.format.ContentType())
		} else if p.status != http.StatusNoContent {
			head.Set("Content-Length", "0")
		}
		w.WriteHeader(p.status)
		return
	}
	begin, end := "[", "]"
	if r.format == postgrest.Object {
		begin, end = "", ""
	}
	head.Set("Content-Type", r.format.ContentType())
	head.Set("Content-Length", strconv.Itoa(len(begin)+p.rows.Size()+len(end)))
	w.WriteHeader(p.status)
	// Who does not read does not hear of it either.
	_, _ = w.Write([]byte(begin))
	if _, err := p.rows.WriteTo(w); err == nil {
		_, _ = w.Write([]byte(end))
	}
}

// sendValue answers with what a function returned: nothing for none.
func (r *request) sendValue(w http.ResponseWriter, value jsontext.Value) {
	head := w.Header()
	if applied := r.prefer.Applied(r.Method, false); applied != "" {
		head.Set("Preference-Applied", applied)
	}
	if value == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	head.Set("Content-Type", r.format.ContentType())
	head.Set("Content-Length", strconv.Itoa(len(value)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(value)
}
