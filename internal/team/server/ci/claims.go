package ci

import (
	"slices"
	"strings"

	"cairn/internal/team/db/account"
)

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
