// Package access says who a request is from. It signs and checks access tokens,
// recognizes the two public keys of the server and tokens of CI, and makes the
// [db.Identity] that transactions run as. Handlers of team/server and its
// packages ask it; it knows no route and sends no answer.
package access

import (
	"bytes"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
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
		return nil, fmt.Errorf("the secret that signs tokens has %d bytes; it must have at least %d", len(secret), MinSecret)
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

// A Ring is the secrets that tokens are signed and checked with, and the public
// key that clients were configured with, which outlives them.
type Ring struct {
	Secret []byte // signs
	Former []Former
	Anon   string // "" is one that is made of Secret
}

// A Former secret signs nothing any more; what it has signed stays good until its end.
type Former struct {
	Secret []byte
	Until  time.Time // zero: as long as it is in the ring
}

// Parse reads the secrets of a text: the newest first, with commas between. A
// comma that leaves a part too short for a secret is one of the secret's own.
func Parse(text []byte) Ring {
	parts := bytes.Split(text, []byte{','})
	for _, p := range parts {
		if len(p) < MinSecret {
			return Ring{Secret: text}
		}
	}
	r := Ring{Secret: parts[0]}
	for _, p := range parts[1:] {
		r.Former = append(r.Former, Former{Secret: p})
	}
	return r
}

// Format keeps secrets out of whatever prints a ring.
func (r Ring) Format(f fmt.State, _ rune) { fmt.Fprint(f, "ring") }

// Format keeps the secret out of whatever prints it.
func (s Former) Format(f fmt.State, _ rune) { fmt.Fprint(f, "secret") }

// keys are what a token may be signed with now.
func (r *Ring) keys(now time.Time) jwt.VerificationKeySet {
	set := jwt.VerificationKeySet{Keys: []jwt.VerificationKey{r.Secret}}
	for _, f := range r.Former {
		if f.Until.IsZero() || now.Before(f.Until) {
			set.Keys = append(set.Keys, f.Secret)
		}
	}
	return set
}

// isAnon says whether a token is the public key.
func (r *Ring) isAnon(token string) bool {
	return r.Anon != "" && subtle.ConstantTimeCompare([]byte(r.Anon), []byte(token)) == 1
}

// holder keeps the ring, which may be replaced while it is used.
type holder struct {
	ring atomic.Pointer[Ring]
	mu   sync.Mutex
	last time.Time // when it was renewed because of a token that nobody knows
	// renew reads the ring anew, nil where it never changes.
	renew func() (Ring, error)
}

// askAgain is how often strangers' tokens can have the ring read anew.
const askAgain = time.Second

// Set replaces the ring.
func (k *Keys) Set(r Ring) { k.held.ring.Store(&r) }

// RenewBy has the ring read anew where a token is signed with an unknown key:
// another server may have begun to use one a moment ago.
func (k *Keys) RenewBy(fn func() (Ring, error)) { k.held.renew = fn }

// Renew reads the ring anew.
func (k *Keys) Renew() error {
	if k.held.renew == nil {
		return nil
	}
	r, err := k.held.renew()
	if err == nil {
		k.Set(r)
	}
	return err
}

// renewed says whether there is another ring than one that did not know a token.
func (k *Keys) renewed(was *Ring) bool {
	if k.held.renew == nil {
		return false
	}
	k.held.mu.Lock()
	defer k.held.mu.Unlock()
	if now := time.Now(); now.Sub(k.held.last) >= askAgain {
		k.held.last = now
		if k.Renew() != nil {
			return false
		}
	}
	is := k.held.ring.Load()
	return is != was && !bytes.Equal(is.Secret, was.Secret)
}
