package wire

import "github.com/go-json-experiment/json/jsontext"

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
