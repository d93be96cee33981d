package ci

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/golang-jwt/jwt/v5"

	"cairn/internal/team/db/account"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/server/api"
	"cairn/internal/team/server/issuer"
	"cairn/internal/team/wire"
)

func (h *handler) exchange(r *http.Request) (any, error) {
	var asked wire.GitHubToken
	if err := body(r, &asked); err != nil {
		return nil, err
	}
	run, err := h.runOf(r.Context(), asked.Token)
	if err != nil {
		return nil, err
	}
	made, err := h.Store.ExchangeToken(r.Context(), run, asked.Team, h.Life)
	switch {
	case errors.Is(err, account.ErrManyTeams):
		err = hinted(invalid("%s", err), `send "team" with the team's slug`)
	case errors.Is(err, account.ErrUsed):
		h.Log.WarnContext(r.Context(), "a workflow's token came a second time", "repository", run.Repository, "ref", run.Ref)
		err = hinted(refused("it was used before"), "a job asks for a new one each time")
	case errors.Is(err, account.ErrNotTrusted):
		h.Log.WarnContext(r.Context(), "a workflow that nobody trusts asked for a token", "repository", run.Repository, "ref", run.Ref)
		err = hinted(api.Fault(http.StatusForbidden, "42501", "%s", err), "an owner or an admin can trust %s at %s", run.Repository, run.Ref)
	}
	if err != nil {
		return nil, err
	}
	h.Log.InfoContext(r.Context(), "a workflow was given a token for CI", "team", made.TeamID, "token", made.ID, "repository", run.Repository, "ref", run.Ref)
	return made, nil
}

// runOf checks a workflow's token and returns what it says.
func (h *handler) runOf(ctx context.Context, raw string) (account.WorkflowRun, error) {
	var run account.WorkflowRun
	if h.URL == "" {
		return run, api.Fault(http.StatusNotImplemented, "0A000", "the server does not know its own address, so it takes no workflow's token")
	}
	// Whose token it says to be chooses whom to ask; only then it is believed.
	var unchecked jwt.RegisteredClaims
	if _, _, err := jwt.NewParser().ParseUnverified(raw, &unchecked); err != nil {
		return run, refused("it is not a token")
	}
	from := h.issuerOf(unchecked.Issuer)
	if from == nil {
		return run, refused("the server does not take tokens of its issuer")
	}
	token, err := from.Verify(ctx, raw, &oidc.Config{SkipClientIDCheck: true, SupportedSigningAlgs: []string{oidc.RS256, oidc.ES256}})
	switch {
	case errors.Is(err, issuer.ErrDown):
		h.Log.ErrorContext(ctx, "the issuer of a workflow's token cannot be reached", "issuer", from.URL(), "error", err)
		return run, hinted(api.Fault(http.StatusServiceUnavailable, "PGRST000", "%s", issuer.ErrDown), "%s is asked again in a few seconds", from.URL())
	case err != nil:
		h.Log.WarnContext(ctx, "a workflow's token is not valid", "issuer", from.URL(), "error", err)
		return run, refused(reason(err))
	case !slices.ContainsFunc(token.Audience, h.isMe):
		return run, hinted(refused("it is for another audience"), "the job must ask for one with audience %s", h.URL)
	}
	var c claims
	if err := token.Claims(&c); err != nil || !c.run(&run) {
		return run, refused("it does not name a repository, a ref and an id of its own")
	}
	run.Issuer, run.Ends = from.URL(), token.Expiry
	return run, nil
}

func refused(why string) *postgrest.Error {
	return api.Fault(http.StatusUnauthorized, "PGRST301", "the workflow's token is not accepted: %s", why)
}

// reason says why a token is not valid as far as a stranger may know.
func reason(err error) string {
	if _, ok := errors.AsType[*oidc.TokenExpiredError](err); ok {
		return "it has expired"
	}
	return "its signature or its times are wrong"
}

// isMe says whether an audience is this server.
func (h *handler) isMe(audience string) bool {
	return strings.TrimSuffix(audience, "/") == strings.TrimSuffix(h.URL, "/")
}

// issuerOf returns the issuer of an address, nil if the server takes none of its tokens.
func (h *handler) issuerOf(url string) *issuer.Issuer {
	for _, i := range h.issuers {
		if i.URL() == url {
			return i
		}
	}
	return nil
}

// claims are those of a job's token at GitHub
// (https://docs.github.com/actions/reference/security/oidc) or at GitLab
// (https://docs.gitlab.com/ci/secrets/id_token_authentication/).
type claims struct {
	ID  string `json:"jti"`
	Ref string `json:"ref"` // of GitHub refs/heads/main, of GitLab main

	Repository   string `json:"repository"`
	RepositoryID string `json:"repository_id"`
	Event        string `json:"event_name"`

	ProjectPath string `json:"project_path"`
	ProjectID   string `json:"project_id"`
	RefType     string `json:"ref_type"` // branch or tag; of GitHub, too
	Source      string `json:"pipeline_source"`
}

// Whose word starts a job of these kinds is somebody who may write to the
// repository, and what it runs is what the ref has. Any other kind may run what
// a stranger proposed (pull_request_target, workflow_run, a merge request's
// pipeline and its children) or be started by one (issue_comment, fork).
var (
	ownEvents  = []string{"push", "schedule", "workflow_dispatch", "repository_dispatch", "release", "create", "merge_group"}
	ownSources = []string{"push", "schedule", "web", "api", "trigger", "pipeline"}
)

// run puts what the claims say into a run; false if they lack what is needed,
// or could be of either host.
func (c claims) run(into *account.WorkflowRun) bool {
	switch {
	case c.ID == "" || c.Ref == "" || (c.Repository == "") == (c.ProjectPath == ""):
		return false
	case c.Repository != "":
		*into = account.WorkflowRun{Repository: c.Repository, RepositoryID: c.RepositoryID, Ref: c.Ref, Foreign: !slices.Contains(ownEvents, c.Event)}
	default:
		kind := map[string]string{"branch": "refs/heads/", "tag": "refs/tags/"}[c.RefType]
		if kind == "" {
			return false
		}
		*into = account.WorkflowRun{Repository: c.ProjectPath, RepositoryID: c.ProjectID, Ref: kind + c.Ref, Foreign: !slices.Contains(ownSources, c.Source)}
	}
	parts := strings.Split(into.Repository, "/")
	into.Slug = strings.Join(parts[max(0, len(parts)-2):], "/") // as clients name a repository by its remote
	into.Token = c.ID
	return into.RepositoryID != ""
}
