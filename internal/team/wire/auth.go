package wire

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
)

// A Session answers every request that signs in or refreshes, in GoTrue's shape.
type Session struct {
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"` // bearer
	ExpiresIn    int    `json:"expires_in"` // seconds
	ExpiresAt    int64  `json:"expires_at"` // seconds since 1970
	RefreshToken string `json:"refresh_token"`
	User         User   `json:"user"`
}

// A User in GoTrue's shape. Times are RFC 3339.
type User struct {
	ID                 string         `json:"id"`
	Aud                string         `json:"aud"`  // authenticated
	Role               string         `json:"role"` // authenticated
	Email              string         `json:"email"`
	EmailConfirmedAt   string         `json:"email_confirmed_at,omitzero"`
	InvitedAt          string         `json:"invited_at,omitzero"`
	ConfirmationSentAt string         `json:"confirmation_sent_at,omitzero"`
	Phone              string         `json:"phone"`
	ConfirmedAt        string         `json:"confirmed_at,omitzero"`
	RecoverySentAt     string         `json:"recovery_sent_at,omitzero"`
	LastSignInAt       string         `json:"last_sign_in_at,omitzero"`
	AppMetadata        jsontext.Value `json:"app_metadata"`
	UserMetadata       jsontext.Value `json:"user_metadata"`
	Identities         []Identity     `json:"identities"`
	Factors            []Factor       `json:"factors,omitempty"`
	CreatedAt          string         `json:"created_at"`
	UpdatedAt          string         `json:"updated_at"`
	BannedUntil        string         `json:"banned_until,omitzero"`
	IsAnonymous        bool           `json:"is_anonymous"`
}

// A Factor is a user's second: an app that shows one-time passwords.
type Factor struct {
	ID        string `json:"id"`
	CreatedAt string `json:"created_at"`
	UpdatedAt string `json:"updated_at"`
	Name      string `json:"friendly_name,omitzero"`
	Type      string `json:"factor_type"` // totp
	Status    string `json:"status"`      // verified, unverified
}

// An Identity is one way in which a user signs in.
type Identity struct {
	IdentityID   string         `json:"identity_id"`
	ID           string         `json:"id"` // the provider's
	UserID       string         `json:"user_id"`
	IdentityData jsontext.Value `json:"identity_data"`
	Provider     string         `json:"provider"`
	LastSignInAt string         `json:"last_sign_in_at,omitzero"`
	CreatedAt    string         `json:"created_at"`
	UpdatedAt    string         `json:"updated_at"`
	Email        string         `json:"email,omitzero"`
}

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
