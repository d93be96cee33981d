// Package ci answers what a team's CI needs in place of a person's session:
// tokens that owners and admins make, list and revoke, and the exchange of a
// workflow's OIDC token for a short-lived one. team/server mounts it at
// wire.Tokens, wire.TokenGitHub and wire.TokenGitLab. Errors have PostgREST's shape.
// SQL never belongs here, and neither does reading what a request may do with a
// token: that is access's.
package ci

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/server/access"
	"cairn/internal/team/server/api"
	"cairn/internal/team/server/issuer"
	"cairn/internal/team/wire"
)

// A Store keeps tokens and trusted workflows; *account.Accounts is one.
type Store interface {
	MakeToken(ctx context.Context, by uuid.UUID, n wire.NewToken) (wire.Token, error)
	Tokens(ctx context.Context, by, team uuid.UUID) ([]wire.Token, error)
	RevokeToken(ctx context.Context, by, id uuid.UUID) (wire.Token, error)

	AddWorkflow(ctx context.Context, by uuid.UUID, n wire.NewWorkflow) (wire.Workflow, error)
	Workflows(ctx context.Context, by, team uuid.UUID) ([]wire.Workflow, error)
	RemoveWorkflow(ctx context.Context, by, id uuid.UUID) error
	ExchangeToken(ctx context.Context, from account.WorkflowRun, team string, life time.Duration) (wire.Token, error)
}

// Who issues the OIDC tokens of github.com's workflows and of gitlab.com's jobs.
const (
	GitHubIssuer = "https://token.actions.githubusercontent.com"
	GitLabIssuer = "https://gitlab.com"
)

// Config of the handler.
type Config struct {
	Store  Store
	Access *access.Access
	Log    *slog.Logger
	// URL is the server's own, as people reach it: the audience that a workflow's
	// token must be for. "" turns the exchange off.
	URL string
	// Issuers of OIDC tokens; none is GitHubIssuer and GitLabIssuer. A GitHub
	// Enterprise server's is https://HOST/_services/token, a GitLab's https://HOST.
	Issuers []string
	// Life of an exchanged token, at least 15 minutes and at most an hour; 0 is an hour.
	Life time.Duration
	// Client asks the issuers, nil for one with a timeout of 10 s.
	Client *http.Client
}

type handler struct {
	Config
	issuers []*issuer.Issuer
}

// New returns the handler of wire.Tokens and everything below it, of wire.TokenGitHub and of wire.TokenGitLab.
func New(c Config) http.Handler { return newHandler(c).routes() }

func newHandler(c Config) *handler {
	if c.Life == 0 {
		c.Life = time.Hour
	}
	c.Life = min(max(c.Life, 15*time.Minute), time.Hour)
	if len(c.Issuers) == 0 {
		c.Issuers = []string{GitHubIssuer, GitLabIssuer}
	}
	h := &handler{Config: c}
	for _, url := range c.Issuers {
		h.issuers = append(h.issuers, issuer.New(url, c.Client))
	}
	return h
}

func (h *handler) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle(wire.Tokens, resource{"GET": h.by(http.StatusOK, h.listTokens), "POST": h.by(http.StatusCreated, h.makeToken)})
	mux.Handle(wire.Tokens+"/{id}", resource{"DELETE": h.by(http.StatusOK, h.revokeToken)})
	mux.Handle(wire.TokenWorkflows, resource{"GET": h.by(http.StatusOK, h.listWorkflows), "POST": h.by(http.StatusCreated, h.addWorkflow)})
	mux.Handle(wire.TokenWorkflows+"/{id}", resource{"DELETE": h.by(http.StatusNoContent, h.removeWorkflow)})
	mux.Handle(wire.TokenGitHub, resource{"POST": h.answers(http.StatusCreated, h.exchange)})
	mux.Handle(wire.TokenGitLab, resource{"POST": h.answers(http.StatusCreated, h.exchange)})
	mux.HandleFunc("/", badPath)
	return mux
}

// by answers with what a person may have done, and with status.
func (h *handler) by(status int, does func(r *http.Request, by uuid.UUID) (any, error)) http.HandlerFunc {
	return h.answers(status, func(r *http.Request) (any, error) {
		person, err := h.person(r)
		if err != nil {
			return nil, err
		}
		return does(r, person)
	})
}

func (h *handler) answers(status int, does func(r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		answer, err := does(r)
		switch {
		case err != nil:
			h.fail(w, r, err)
		case status == http.StatusNoContent:
			w.WriteHeader(status)
		default:
			api.Send(w, status, answer)
		}
	}
}

// A resource is what one path does by method.
type resource map[string]http.HandlerFunc

func (x resource) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	does := x[r.Method]
	if does == nil {
		does = badMethod
	}
	does(w, r)
}

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
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return api.Fault(http.StatusRequestEntityTooLarge, "PGRST102", "the body has more than %d bytes", mostBody)
		}
		return api.Fault(http.StatusBadRequest, "PGRST102", "the body cannot be read")
	}
	if err := json.Unmarshal(data, into, json.RejectUnknownMembers(true)); err != nil {
		e := api.Fault(http.StatusBadRequest, "PGRST102", "the body must be a JSON object with the expected members")
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
