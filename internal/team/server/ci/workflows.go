package ci

import (
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"cairn/internal/team/db/account"
	"cairn/internal/team/server/api"
	"cairn/internal/team/wire"
)

// mostRef is how many bytes a ref may have.
const mostRef = 255

func (h *handler) listWorkflows(w http.ResponseWriter, r *http.Request) {
	by, err := h.person(r)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	team, err := teamOf(r)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	list, err := h.Store.Workflows(r.Context(), by, team)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	api.Send(w, http.StatusOK, list)
}

func (h *handler) addWorkflow(w http.ResponseWriter, r *http.Request) {
	by, err := h.person(r)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	var n wire.NewWorkflow
	if err = body(w, r, &n); err == nil {
		err = h.checkWorkflow(&n)
	}
	if err != nil {
		h.fail(w, r, err)
		return
	}
	added, err := h.Store.AddWorkflow(r.Context(), by, n)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.Log.InfoContext(r.Context(), "a workflow is trusted", "team", added.TeamID, "repository", added.Repository, "ref", added.Ref, "by", by)
	api.Send(w, http.StatusCreated, added)
}

func (h *handler) removeWorkflow(w http.ResponseWriter, r *http.Request) {
	by, err := h.person(r)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		h.fail(w, r, account.ErrNoWorkflow)
		return
	}
	if err := h.Store.RemoveWorkflow(r.Context(), by, id); err != nil {
		h.fail(w, r, err)
		return
	}
	h.Log.InfoContext(r.Context(), "a workflow is trusted no more", "workflow", id, "by", by)
	w.WriteHeader(http.StatusNoContent)
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
