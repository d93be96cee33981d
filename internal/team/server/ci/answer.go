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
	"cairn/internal/team/server/api"
)

// mostBody is how many bytes a request may have; a workflow's OIDC token has about 1,500.
const mostBody = 64 << 10

// hinted adds what to do.
func hinted(e *postgrest.Error, format string, args ...any) *postgrest.Error {
	hint := fmt.Sprintf(format, args...)
	e.Hint = &hint
	return e
}

// invalid is a value that cannot be taken; 22023 is PostgreSQL's invalid_parameter_value.
func invalid(format string, args ...any) *postgrest.Error {
	return api.Fault(http.StatusBadRequest, "22023", format, args...)
}

func badMethod(w http.ResponseWriter, r *http.Request) {
	api.Send(w, http.StatusMethodNotAllowed, api.Fault(http.StatusMethodNotAllowed, "PGRST117", "Unsupported HTTP method: %s", r.Method))
}

func badPath(w http.ResponseWriter, _ *http.Request) {
	api.Send(w, http.StatusNotFound, api.Fault(http.StatusNotFound, "PGRST125", "Invalid path specified in request URL"))
}

// fail answers with an error. One that is the server's own fault goes to the log only.
func (h *handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	e := api.Known(err)
	switch {
	case e != nil:
	case errors.Is(err, account.ErrNotAdmin):
		e = api.Fault(http.StatusForbidden, "42501", "%s", err)
	case errors.Is(err, account.ErrTooMany):
		e = api.Fault(http.StatusUnprocessableEntity, "54000", "%s", err)
	case errors.Is(err, account.ErrNoToken), errors.Is(err, account.ErrNoWorkflow):
		e = api.Fault(http.StatusNotFound, "42704", "%s", err)
	case errors.Is(err, account.ErrWorkflowThere):
		e = api.Fault(http.StatusConflict, "23505", "%s", err)
	default:
		e = api.Own(r.Context(), h.Log, "tokens of CI", r.URL.Path, err)
	}
	api.Refuse(w, e)
}

// person returns the user that a request is from. A token of CI is nobody who
// could make others, and neither is the service key: it names no one.
func (h *handler) person(r *http.Request) (uuid.UUID, error) {
	as, _, err := h.Access.Identify(r)
	switch {
	case err != nil:
		return uuid.Nil, err
	case as.Role == db.Anon:
		return uuid.Nil, api.Fault(http.StatusUnauthorized, "42501", "an owner or an admin of the team must be signed in")
	case as.User == uuid.Nil || as.Team != uuid.Nil:
		return uuid.Nil, api.Fault(http.StatusForbidden, "42501", "only a signed-in owner or admin of the team can do this")
	}
	return as.User, nil
}

// body reads a request's JSON object, of at most mostBody bytes; members that it does not know are refused.
func body(r *http.Request, into any) error {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return api.Fault(http.StatusRequestEntityTooLarge, "PGRST102", "the body has more than %d bytes", mostBody)
		}
		return api.Fault(http.StatusBadRequest, "PGRST102", "the body cannot be read")
	}
	if err := json.Unmarshal(data, into, json.RejectUnknownMembers(true)); err != nil {
		e := api.Fault(http.StatusBadRequest, "PGRST102", "the body is not the JSON object that is wanted")
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
