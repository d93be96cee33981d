package ci

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/server/access"
)

// mostBody is how many bytes a request may have; a workflow's OIDC token has about 1,500.
const mostBody = 64 << 10

// fault makes an error in PostgREST's shape.
func fault(status int, code, format string, args ...any) *postgrest.Error {
	return &postgrest.Error{Status: status, Code: code, Message: fmt.Sprintf(format, args...)}
}

// hinted adds what to do.
func hinted(e *postgrest.Error, format string, args ...any) *postgrest.Error {
	hint := fmt.Sprintf(format, args...)
	e.Hint = &hint
	return e
}

// invalid is a value that cannot be taken; 22023 is PostgreSQL's invalid_parameter_value.
func invalid(format string, args ...any) *postgrest.Error {
	return fault(http.StatusBadRequest, "22023", format, args...)
}

func badMethod(w http.ResponseWriter, r *http.Request) {
	send(w, http.StatusMethodNotAllowed, fault(http.StatusMethodNotAllowed, "PGRST117", "Unsupported HTTP method: %s", r.Method))
}

func badPath(w http.ResponseWriter, _ *http.Request) {
	send(w, http.StatusNotFound, fault(http.StatusNotFound, "PGRST125", "Invalid path specified in request URL"))
}

// send answers with JSON that nobody keeps: it may have a token in it.
func send(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body, json.FormatNilSliceAsNull(false))
	if err != nil {
		panic(err) // a shape of ours
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n'))
}

// fail answers with an error. One that is the server's own fault goes to the log only.
func (h *handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	var e *postgrest.Error
	switch {
	case errors.As(err, &e):
	case errors.Is(err, access.ErrExpired):
		e = fault(http.StatusUnauthorized, "PGRST303", "JWT expired")
	case errors.Is(err, access.ErrInvalid), errors.Is(err, access.ErrSession), errors.Is(err, access.ErrRole):
		e = fault(http.StatusUnauthorized, "PGRST301", "%s", err)
	case errors.Is(err, account.ErrNotAdmin):
		e = fault(http.StatusForbidden, "42501", "%s", err)
	case errors.Is(err, account.ErrTooMany):
		e = fault(http.StatusUnprocessableEntity, "54000", "%s", err)
	case errors.Is(err, account.ErrNoToken), errors.Is(err, account.ErrNoWorkflow):
		e = fault(http.StatusNotFound, "42704", "%s", err)
	case errors.Is(err, account.ErrWorkflowThere):
		e = fault(http.StatusConflict, "23505", "%s", err)
	case db.Unavailable(err):
		h.Log.ErrorContext(r.Context(), "tokens of CI", "path", r.URL.Path, "error", err)
		e = fault(http.StatusServiceUnavailable, "PGRST001", "Database connection error. Retrying the connection.")
	default:
		h.Log.ErrorContext(r.Context(), "tokens of CI", "path", r.URL.Path, "error", err)
		e = fault(http.StatusInternalServerError, "PGRSTX00", "Internal server error")
	}
	if e.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	if e.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "10")
	}
	send(w, e.Status, e)
}

// person returns the user that a request is from. A token of CI is nobody who
// could make others, and neither is the service key: it names no one.
func (h *handler) person(r *http.Request) (uuid.UUID, error) {
	as, _, err := h.Access.Identify(r)
	switch {
	case err != nil:
		return uuid.Nil, err
	case as.Role == db.Anon:
		return uuid.Nil, fault(http.StatusUnauthorized, "42501", "an owner or an admin of the team must be signed in")
	case as.User == uuid.Nil || as.Team != uuid.Nil:
		return uuid.Nil, fault(http.StatusForbidden, "42501", "only a signed-in owner or admin of the team can do this")
	}
	return as.User, nil
}

// body reads a request's JSON object; members that it does not know are refused.
func body(w http.ResponseWriter, r *http.Request, into any) error {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return fault(http.StatusRequestEntityTooLarge, "PGRST102", "the body has more than %d bytes", mostBody)
		}
		return fault(http.StatusBadRequest, "PGRST102", "the body cannot be read")
	}
	if err := json.Unmarshal(data, into, json.RejectUnknownMembers(true)); err != nil {
		e := fault(http.StatusBadRequest, "PGRST102", "the body is not the JSON object that is wanted")
		if s, ok := errors.AsType[*json.SemanticError](err); ok && s.JSONPointer != "" {
			e.Message += ": look at " + string(s.JSONPointer)
		}
		return e
	}
	return nil
}

// teamOf reads ?team_id=.
func teamOf(r *http.Request) (uuid.UUID, error) {
	team, err := uuid.Parse(r.URL.Query().Get("team_id"))
	if err != nil {
		return team, invalid("team_id in the address must be a team's id")
	}
	return team, nil
}
