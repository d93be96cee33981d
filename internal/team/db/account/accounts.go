// Package account keeps who may sign in: users with their passwords and
// identities, sessions with their refresh tokens, one-time tokens, sign-ins
// under way, invitations to a team, tokens of CI and the server's secrets.
//
// Everything here is done as the server itself; who asks must have checked who
// the request is from. A token is handed out once and kept only as a hash.
// team/server and its packages and the verbs that work on the machine import
// it. HTTP, mail and signing of access tokens never belong here.
package account

import (
	"context"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/crypto/bcrypt"

	"cairn/internal/team/db"
)

// Errors that callers tell apart. None of them names a token.
var (
	ErrNotFound     = errors.New("there is no such user")
	ErrEmailTaken   = errors.New("a user with this e-mail address is there already")
	ErrMetadata     = errors.New("the metadata of a user are too long")
	ErrEmail        = errors.New("that is not an e-mail address")
	ErrBanned       = errors.New("the user is banned")
	ErrPassword     = errors.New("the e-mail address or the password is wrong")
	ErrUnconfirmed  = errors.New("the e-mail address is not confirmed")
	ErrWeak         = errors.New("the password is too short")
	ErrTooLong      = errors.New("the password has more than 72 bytes")
	ErrEasy         = errors.New("the password is easy to guess")
	ErrSession      = errors.New("there is no such session")
	ErrRefresh      = errors.New("the refresh token is unknown or its session is over")
	ErrRefreshReuse = errors.New("the refresh token was used before; its session is over")
	ErrToken        = errors.New("the token is used up, expired or was never made")
	ErrClaimed      = errors.New("the server has an owner already")
	ErrMember       = errors.New("the invited address has an account; its owner must sign in to accept")
	ErrJoined       = fmt.Errorf("%w; it is already a member of the team", ErrMember)
	ErrInvitee      = errors.New("the invitation is for another address")
	ErrLastOwner    = errors.New("the user is the last owner of a team; another owner must be named first")
)

// Accounts of one database.
type Accounts struct {
	db  *db.DB
	now func() time.Time
	// compare is bcrypt's; a test counts what is compared.
	compare func(hash, password []byte) error
	cost    int // of a new hash
	nobody  func() []byte

	keyOnce sync.Mutex
	key     []byte // of the HMAC that derives tokens and hides codes

	factorOnce sync.Mutex
	factor     cipher.AEAD // of the secrets of second factors
}

// New returns the accounts of a migrated database.
func New(d *db.DB) *Accounts {
	a := &Accounts{db: d, compare: bcrypt.CompareHashAndPassword}
	a.SetCost(bcrypt.DefaultCost)
	a.SetClock(time.Now)
	return a
}

// SetCost replaces bcrypt's cost, before anything else is called. Tests that
// sign in often take the lowest.
func (a *Accounts) SetCost(cost int) {
	a.cost = cost
	a.nobody = sync.OnceValue(a.unknown)
}

// SetClock replaces the clock, before anything else is called. Databases keep microseconds.
func (a *Accounts) SetClock(now func() time.Time) {
	a.now = func() time.Time { return now().UTC().Truncate(time.Microsecond) }
}

func (a *Accounts) view(ctx context.Context, fn func(*db.Tx) error) error {
	return a.db.View(ctx, db.ServerItself, fn)
}

func (a *Accounts) update(ctx context.Context, fn func(*db.Tx) error) error {
	return a.db.Update(ctx, db.ServerItself, fn)
}

// random returns n bytes that nobody can guess.
func random(n int) []byte {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return b
}

// derived is an HMAC of a text under the server's key, for one purpose.
func (a *Accounts) derived(ctx context.Context, purpose, text string) ([]byte, error) {
	key, err := a.hmacKey(ctx)
	if err != nil {
		return nil, err
	}
	m := hmac.New(sha256.New, key)
	m.Write([]byte(purpose + "\x00" + text))
	return m.Sum(nil), nil
}

func (a *Accounts) hmacKey(ctx context.Context) ([]byte, error) {
	a.keyOnce.Lock()
	defer a.keyOnce.Unlock()
	if a.key == nil {
		key, err := a.Secret(ctx, "tokens", func() []byte { return random(32) })
		if err != nil {
			return nil, err
		}
		a.key = key
	}
	return a.key, nil
}

// letters writes bytes in a–z and 2–7, five bits each.
func letters(b []byte) string {
	return base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding).EncodeToString(b)
}
