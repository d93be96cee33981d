// Package access says who a request is from. It signs and checks access tokens,
// recognizes the two public keys of the server and tokens of CI, and makes the
// [db.Identity] that transactions run as. Handlers of team/server and its
// packages ask it; it knows no route and sends no answer.
package access

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// TokenLife is how long an access token is valid.
const TokenLife = time.Hour

// Keys signs tokens with one secret, HMAC with SHA-256, and accepts no other
// algorithm. The secret may be replaced, see [Ring].
type Keys struct {
	held   holder
	issuer string // URL of the sign-in API
	now    func() time.Time
}

// Format keeps the secret out of whatever prints Keys.
func (k *Keys) Format(f fmt.State, _ rune) { fmt.Fprint(f, "keys") }

// MinSecret is the fewest bytes of a secret, those of the hash (RFC 7518, 3.2).
const MinSecret = 32

// NewKeys returns keys for a secret of at least MinSecret bytes.
func NewKeys(secret []byte, issuer string) (*Keys, error) {
	if len(secret) < MinSecret {
		return nil, fmt.Errorf("the secret that signs tokens has %d bytes; at least %d are wanted", len(secret), MinSecret)
	}
	k := &Keys{issuer: issuer, now: time.Now}
	k.Set(Ring{Secret: secret})
	return k, nil
}

// Claims of an access token, in GoTrue's shape.
type Claims struct {
	jwt.RegisteredClaims
	Audience     string          `json:"aud,omitempty"` // one text, where the library writes a list
	Email        string          `json:"email,omitempty"`
	Phone        string          `json:"phone"`
	AppMetadata  json.RawMessage `json:"app_metadata,omitempty"`
	UserMetadata json.RawMessage `json:"user_metadata,omitempty"`
	Role         string          `json:"role"`
	AAL          string          `json:"aal,omitempty"`
	AMR          []Method        `json:"amr,omitempty"`
	SessionID    string          `json:"session_id,omitempty"`
	IsAnonymous  bool            `json:"is_anonymous"`
}

// A Method is how a session was begun, and when.
type Method struct {
	Method    string `json:"method"`
	Timestamp int64  `json:"timestamp"`
}

// ErrExpired is the error of Verify for a token whose time is over; any other is db.ErrToken.
var ErrExpired = errors.New("JWT expired")

// Sign makes an access token; issuer, audience and times are filled in.
func (k *Keys) Sign(c Claims) (token string, expires time.Time, err error) {
	now := k.now()
	expires = now.Add(TokenLife)
	c.Issuer, c.Audience = k.issuer, string(db.Authenticated)
	c.IssuedAt, c.ExpiresAt = jwt.NewNumericDate(now), jwt.NewNumericDate(expires)
	token, err = jwt.NewWithClaims(jwt.SigningMethodHS256, c).SignedString(k.held.ring.Load().Secret)
	return token, expires, err
}

// Verify reads a token that this server signed and that is valid now.
// The second result is its claims as they stand in it.
func (k *Keys) Verify(token string) (*Claims, []byte, error) {
	ring := k.held.ring.Load()
	c, raw, err := k.verify(ring, token)
	if errors.Is(err, jwt.ErrTokenSignatureInvalid) && k.renewed(ring) {
		return k.verify(k.held.ring.Load(), token)
	}
	return c, raw, err
}

func (k *Keys) verify(ring *Ring, token string) (*Claims, []byte, error) {
	var c Claims
	if ring.isAnon(token) {
		c.Role = string(db.Anon)
		return &c, []byte(`{"role":"anon"}`), nil
	}
	parsed, err := jwt.ParseWithClaims(token, &c, func(*jwt.Token) (any, error) { return ring.keys(k.now()), nil },
		jwt.WithValidMethods([]string{"HS256"}), jwt.WithLeeway(30*time.Second), jwt.WithTimeFunc(k.now), jwt.WithExpirationRequired(), jwt.WithStrictDecoding())
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return nil, nil, ErrExpired
	case err != nil:
		return nil, nil, fmt.Errorf("%w: %w", db.ErrToken, err)
	}
	raw, err := jwt.NewParser().DecodeSegment(segment(parsed.Raw))
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %v", db.ErrToken, err)
	}
	return &c, raw, nil
}

// segment is the middle part of a token.
func segment(token string) string {
	first, last := 0, len(token)
	for i := range token {
		if token[i] == '.' {
			if first == 0 {
				first = i + 1
			} else {
				last = i
			}
		}
	}
	return token[first:last]
}

// Public returns the key of a role that every client has, or that only the
// admin has: anon or service_role. It is the same at each start; that of anon
// also when the secret is another one.
func (k *Keys) Public(role db.Role) (string, error) {
	if r := k.held.ring.Load(); role == db.Anon && r.Anon != "" {
		return r.Anon, nil
	}
	return k.public(role)
}

func (k *Keys) public(role db.Role) (string, error) {
	c := jwt.MapClaims{"iss": "cairn", "role": string(role), "iat": 1767225600, "exp": 4102444800} // 2026 to 2100
	return jwt.NewWithClaims(jwt.SigningMethodHS256, c).SignedString(k.held.ring.Load().Secret)
}

// User returns the subject's id.
func (c *Claims) User() (uuid.UUID, error) { return uuid.Parse(c.Subject) }
