// Package ci answers what a team's CI needs in place of a person's session:
// tokens that owners and admins make, list and revoke, and the exchange of a
// workflow's OIDC token for a short-lived one. team/server mounts it at
// wire.Tokens, wire.TokenGitHub and wire.TokenGitLab. Errors have PostgREST's shape.
// SQL never belongs here, and neither does reading what a request may do with a
// token: that is access's.
package ci

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db/account"
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
	mux.Handle(wire.Tokens, resource{get: h.by(http.StatusOK, h.listTokens), post: h.by(http.StatusCreated, h.makeToken)})
	mux.Handle(wire.Tokens+"/{id}", resource{delete: h.by(http.StatusOK, h.revokeToken)})
	mux.Handle(wire.TokenWorkflows, resource{get: h.by(http.StatusOK, h.listWorkflows), post: h.by(http.StatusCreated, h.addWorkflow)})
	mux.Handle(wire.TokenWorkflows+"/{id}", resource{delete: h.by(http.StatusNoContent, h.removeWorkflow)})
	mux.Handle(wire.TokenGitHub, resource{post: h.exchange})
	mux.Handle(wire.TokenGitLab, resource{post: h.exchange})
	mux.HandleFunc("/", badPath)
	return mux
}

// by answers with what a person may have done, and with status.
func (h *handler) by(status int, does func(r *http.Request, by uuid.UUID) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		person, err := h.person(r)
		var answer any
		if err == nil {
			answer, err = does(r, person)
		}
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
type resource struct{ get, post, delete http.HandlerFunc }

func (x resource) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var does http.HandlerFunc
	switch r.Method {
	case http.MethodGet:
		does = x.get
	case http.MethodPost:
		does = x.post
	case http.MethodDelete:
		does = x.delete
	}
	if does == nil {
		does = badMethod
	}
	does(w, r)
}
