package rest

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/db"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/server/access"
	"cairn/internal/team/server/api"
	"cairn/internal/team/wire"
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

// anyone is who asks when nobody has looked yet.
var anyone = db.Identity{Role: db.Anon}

// refuse writes an error in PostgREST's shape. What only the server's admin
// should see goes to the log.
func (h *handler) refuse(w http.ResponseWriter, r *http.Request, as db.Identity, err error) {
	e := explain(err, as)
	gone := errors.Is(r.Context().Err(), context.Canceled) // whoever asked went away
	if e.Quota != "" {
		w.Header().Set(wire.QuotaHeader, e.Quota)
	} else if e.Status >= http.StatusInternalServerError && !gone {
		h.log.Error("a request for a table failed", "method", r.Method, "path", r.URL.Path, "role", string(as.Role), "code", e.Code, "error", err)
	}
	if e.Code == "42501" && (as.Role == db.Anon || as.Role == "") {
		signed := *e // what was forbidden may be allowed to someone who signs in
		signed.Status = http.StatusUnauthorized
		e = &signed
	}
	head := w.Header()
	for _, name := range [...]string{"Content-Range", "Preference-Applied"} {
		head.Del(name)
	}
	if e.Status == http.StatusUnauthorized {
		challenge := "Bearer"
		if as.Role == "" {
			challenge += ` error="invalid_token", error_description=` + strconv.Quote(e.Message)
		}
		head.Set("WWW-Authenticate", challenge)
	}
	switch e.Status {
	case http.StatusServiceUnavailable:
		head.Set("Retry-After", "2")
	case http.StatusInsufficientStorage: // until somebody deletes something or raises the limit
		head.Set("Retry-After", "900")
	}
	if range416, ok := errors.AsType[*beyond](err); ok {
		head.Set("Content-Range", postgrest.ContentRange(0, 0, range416.total))
	}
	if e.Status == http.StatusServiceUnavailable && head.Get("Retry-After") == "" {
		head.Set("Retry-After", "10")
	}
	api.Send(w, e.Status, e)
}

// beyond is the error of an offset behind the last row, which says in a header too how many there are.
type beyond struct {
	cause *postgrest.Error
	total int64
}

func (b *beyond) Error() string { return b.cause.Error() }
func (b *beyond) Unwrap() error { return b.cause }

// explain finds PostgREST's error in any.
func explain(err error, as db.Identity) *postgrest.Error {
	if e, ok := errors.AsType[*postgrest.Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return postgrest.TooLarge(e.Limit)
	}
	switch {
	case errors.Is(err, access.ErrExpired):
		return postgrest.BadToken(true, "")
	case errors.Is(err, db.ErrFactor):
		return postgrest.BadToken(false, err.Error())
	case errors.Is(err, db.ErrSession):
		return postgrest.BadToken(false, "the session is over")
	case errors.Is(err, access.ErrRole):
		return postgrest.BadToken(false, "the role of the JWT may not be used")
	case errors.Is(err, db.ErrToken):
		return postgrest.BadToken(false, "JWT is not valid") // why is nobody's business
	}
	return rows.Explain(err, as)
}
