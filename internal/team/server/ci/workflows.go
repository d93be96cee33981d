package ci

import (
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"cairn/internal/team/db/account"
	"cairn/internal/team/wire"
)

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
