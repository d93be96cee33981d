package wire

import (
	"time"

	"github.com/google/uuid"
)

// TokenWorkflows are the workflows whose OIDC token [TokenGitHub] takes:
// GET lists, POST adds, DELETE /ID takes one away with every token it was given.
const TokenWorkflows = Tokens + "/workflows"

// Scopes of a token of CI. One without ScopeRead can only write.
const (
	ScopeIngest = "ingest"
	ScopeRead   = "read"
)

// A Token of CI, as [Tokens], [TokenGitHub] and [TokenGitLab] answer it.
type Token struct {
	ID         uuid.UUID  `json:"id"`
	TeamID     uuid.UUID  `json:"team_id"`
	UserID     uuid.UUID  `json:"user_id"` // the bot that it acts as
	Name       string     `json:"name"`
	Scopes     []string   `json:"scopes"`
	RepoSlug   string     `json:"repo_slug"` // owner/name, "" is every one
	Prefix     string     `json:"prefix"`    // its first characters, to tell it by
	Token      string     `json:"token,omitzero"`
	CreatedBy  *uuid.UUID `json:"created_by"` // null for one that a workflow was given
	CreatedAt  time.Time  `json:"created_at"`
	LastUsedAt *time.Time `json:"last_used_at"` // to the minute
	ExpiresAt  *time.Time `json:"expires_at"`   // null is never
	RevokedAt  *time.Time `json:"revoked_at"`
}

// NewToken is the body that makes a token; the answer is 201 with a [Token]
// whose Token is shown this once. ?team_id=ID is wanted to list.
type NewToken struct {
	TeamID    uuid.UUID `json:"team_id"`
	Name      string    `json:"name"`
	Scopes    []string  `json:"scopes"`
	RepoSlug  string    `json:"repo_slug,omitzero"`
	ExpiresIn int64     `json:"expires_in,omitzero"` // seconds, 0 is never
}

// GitHubToken is the body of [TokenGitHub] and of [TokenGitLab]; the answer is
// 201 with a [Token] that expires within the hour. Each OIDC token is good once.
// Team is an id or a slug, needed where several teams trust the workflow.
type GitHubToken struct {
	Token string `json:"token"`
	Team  string `json:"team,omitzero"`
}

// A Workflow is one whose OIDC token is taken.
type Workflow struct {
	ID         uuid.UUID  `json:"id"`
	TeamID     uuid.UUID  `json:"team_id"`
	Issuer     string     `json:"issuer"`
	Repository string     `json:"repository"` // owner/name; of GitLab the project's path
	Ref        string     `json:"ref"`        // see [NewWorkflow]
	Scopes     []string   `json:"scopes"`
	CreatedBy  *uuid.UUID `json:"created_by"`
	CreatedAt  time.Time  `json:"created_at"`
}

// NewWorkflow is the body that adds one. Ref is a ref (refs/heads/main), the
// beginning of some (refs/tags/*), or "" for every branch and tag. Pull and
// merge requests, which may be a stranger's, are taken only where Ref begins
// with refs/pull/ or refs/merge-requests/.
type NewWorkflow struct {
	TeamID     uuid.UUID `json:"team_id"`
	Issuer     string    `json:"issuer,omitzero"` // "" is the server's first
	Repository string    `json:"repository"`
	Ref        string    `json:"ref,omitzero"`
	Scopes     []string  `json:"scopes,omitzero"` // none is ingest
}
