package ci

import (
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"cairn/internal/team/db/account"
	"cairn/internal/team/wire"
)

// Limits of what a token says of itself.
const (
	mostName  = 100                  // letters
	mostRepo  = 200                  // bytes
	mostLife  = 10 * 365 * 24 * 3600 // seconds
	whatScope = `scopes must be "` + wire.ScopeIngest + `" (write only), "` + wire.ScopeRead + `" or both`
)

func (h *handler) listTokens(r *http.Request, by uuid.UUID) (any, error) {
	team, err := teamOf(r)
	if err != nil {
		return nil, err
	}
	return h.Store.Tokens(r.Context(), by, team)
}

func (h *handler) makeToken(r *http.Request, by uuid.UUID) (any, error) {
	var n wire.NewToken
	if err := body(r, &n); err != nil {
		return nil, err
	}
	if err := check(&n); err != nil {
		return nil, err
	}
	made, err := h.Store.MakeToken(r.Context(), by, n)
	if err == nil {
		h.Log.InfoContext(r.Context(), "a token for CI was made", "team", made.TeamID, "token", made.ID, "by", by)
	}
	return made, err
}

func (h *handler) revokeToken(r *http.Request, by uuid.UUID) (any, error) {
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		return nil, account.ErrNoToken
	}
	gone, err := h.Store.RevokeToken(r.Context(), by, id)
	if err == nil {
		h.Log.InfoContext(r.Context(), "a token for CI was revoked", "team", gone.TeamID, "token", gone.ID, "by", by)
	}
	return gone, err
}

// check says what cannot be taken, and puts scopes in order.
func check(n *wire.NewToken) error {
	n.Name = strings.TrimSpace(n.Name)
	switch {
	case n.TeamID == uuid.Nil:
		return invalid("team_id must be a team's id")
	case n.Name == "" || utf8.RuneCountInString(n.Name) > mostName || strings.ContainsFunc(n.Name, unicode.IsControl):
		return invalid("name must have 1 to %d letters", mostName)
	case n.RepoSlug != "" && !isRepo(n.RepoSlug):
		return invalid("repo_slug must be a repository as owner/name")
	case n.ExpiresIn < 0 || n.ExpiresIn > mostLife:
		return invalid("expires_in must be seconds, at most ten years, or 0 for never")
	}
	return checkScopes(&n.Scopes)
}

func checkScopes(scopes *[]string) error {
	for _, s := range *scopes {
		if s != wire.ScopeIngest && s != wire.ScopeRead {
			return invalid(whatScope)
		}
	}
	if len(*scopes) == 0 {
		return invalid(whatScope)
	}
	slices.Sort(*scopes)
	*scopes = slices.Compact(*scopes)
	return nil
}

// isRepo says whether a text can name a repository; the owner may be missing,
// as it is in slugs of repositories without a remote.
func isRepo(text string) bool {
	return len(text) <= mostRepo && strings.Trim(text, "/") == text && !strings.ContainsFunc(text, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-/", r)
	})
}

// mostRef is how many bytes a ref may have.
const mostRef = 255

func (h *handler) listWorkflows(r *http.Request, by uuid.UUID) (any, error) {
	team, err := teamOf(r)
	if err != nil {
		return nil, err
	}
	return h.Store.Workflows(r.Context(), by, team)
}

func (h *handler) addWorkflow(r *http.Request, by uuid.UUID) (any, error) {
	var n wire.NewWorkflow
	if err := body(r, &n); err != nil {
		return nil, err
	}
	if err := h.checkWorkflow(&n); err != nil {
		return nil, err
	}
	added, err := h.Store.AddWorkflow(r.Context(), by, n)
	if err == nil {
		h.Log.InfoContext(r.Context(), "a workflow is trusted", "team", added.TeamID, "repository", added.Repository, "ref", added.Ref, "by", by)
	}
	return added, err
}

func (h *handler) removeWorkflow(r *http.Request, by uuid.UUID) (any, error) {
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		return nil, account.ErrNoWorkflow
	}
	if err = h.Store.RemoveWorkflow(r.Context(), by, id); err == nil {
		h.Log.InfoContext(r.Context(), "a workflow is trusted no more", "workflow", id, "by", by)
	}
	return nil, err
}

func (h *handler) checkWorkflow(n *wire.NewWorkflow) error {
	if n.Issuer == "" {
		n.Issuer = h.Issuers[0]
	}
	if len(n.Scopes) == 0 {
		n.Scopes = []string{wire.ScopeIngest}
	}
	owner, name, _ := strings.Cut(n.Repository, "/") // a project of GitLab may be in groups of groups
	star := strings.IndexByte(n.Ref, '*')
	switch {
	case n.TeamID == uuid.Nil:
		return invalid("team_id must be a team's id")
	case h.issuerOf(n.Issuer) == nil:
		return hinted(invalid("the server does not take tokens of this issuer"), "issuers are: %s", strings.Join(h.Issuers, ", "))
	case !isRepo(n.Repository) || owner == "" || name == "" || slices.Contains(strings.Split(name, "/"), ""):
		return invalid("repository must be owner/name")
	case n.Ref != "" && !strings.HasPrefix(n.Ref, "refs/"), len(n.Ref) > mostRef, star >= 0 && star != len(n.Ref)-1,
		slices.ContainsFunc([]rune(n.Ref), func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }):
		return invalid("ref must be as refs/heads/main or refs/tags/*, or left out for every branch and tag")
	}
	return checkScopes(&n.Scopes)
}
