package account

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

const (
	// FlowLife is how long a sign-in at a provider may take.
	FlowLife = 10 * time.Minute
	// CodeLife is how long a code may be exchanged.
	CodeLife = 5 * time.Minute
)

// ErrVerifier says that the verifier of PKCE is not the challenge's.
var ErrVerifier = errors.New("the code verifier does not belong to the code challenge")

// A Flow is a sign-in that is under way in a browser.
type Flow struct {
	Provider        string // whom the browser was sent to, or a way of our own: "page", "mail"
	Verifier, Nonce string // ours towards the provider
	Challenge       string // of who asked, s256; "" without PKCE
	RedirectTo      string
	User            uuid.UUID // who has signed in; zero until then
	Method          string    // how, for the session
	SecondFactor    time.Time // when the second factor was shown; zero: it was not
}

// BeginFlow remembers a sign-in at a provider and returns the state that it
// brings back.
func (a *Accounts) BeginFlow(ctx context.Context, f Flow) (state string, err error) {
	state = letters(random(20))
	return state, a.insertFlow(ctx, f, db.Hashed(state), "", FlowLife)
}

// TakeFlow returns the sign-in of a state, once; ErrToken.
func (a *Accounts) TakeFlow(ctx context.Context, state string) (Flow, error) {
	return a.takeFlow(ctx, `state_hash = ?`, db.Hashed(state))
}

// GiveCode makes the code that whoever asked for the sign-in exchanges for a
// session. f.User is who has signed in.
func (a *Accounts) GiveCode(ctx context.Context, f Flow) (code string, err error) {
	code = uuid.NewString()
	return code, a.insertFlow(ctx, f, "", db.Hashed(code), CodeLife)
}

// TakeCode returns the sign-in of a code, once, to who has the challenge's
// verifier: ErrToken, ErrVerifier. After a wrong verifier the code is void.
func (a *Accounts) TakeCode(ctx context.Context, code, verifier string) (Flow, error) {
	f, err := a.takeFlow(ctx, `code_hash = ?`, db.Hashed(code))
	if err != nil {
		return Flow{}, err
	}
	sum := sha256.Sum256([]byte(verifier))
	if subtle.ConstantTimeCompare([]byte(base64.RawURLEncoding.EncodeToString(sum[:])), []byte(f.Challenge)) != 1 {
		return Flow{}, ErrVerifier
	}
	return f, nil
}

func (a *Accounts) insertFlow(ctx context.Context, f Flow, stateHash, codeHash string, life time.Duration) error {
	now := a.now()
	method := ""
	if f.Challenge != "" {
		method = "s256"
	}
	return a.update(ctx, func(tx *db.Tx) error {
		if _, err := tx.Exec(ctx, `delete from auth.flows where expires_at < ?`, now); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `insert into auth.flows (id, provider, state_hash, verifier, nonce, code_hash, code_challenge, code_challenge_method,
			redirect_to, user_id, method, second_factor_at, expires_at, created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, uuid.New(), f.Provider, stateHash, f.Verifier, f.Nonce,
			codeHash, f.Challenge, method, f.RedirectTo, uuid.NullUUID{UUID: f.User, Valid: f.User != uuid.Nil}, f.Method, when(f.SecondFactor), now.Add(life), now)
		return err
	})
}

func (a *Accounts) takeFlow(ctx context.Context, where, hash string) (Flow, error) {
	var f Flow
	var user uuid.NullUUID
	var factor, expires db.Time
	err := a.update(ctx, func(tx *db.Tx) error {
		return maybe(tx.QueryRow(ctx, `delete from auth.flows where `+where+` returning provider, verifier, nonce, code_challenge, redirect_to, user_id, method, second_factor_at, expires_at`, hash).
			Scan(&f.Provider, &f.Verifier, &f.Nonce, &f.Challenge, &f.RedirectTo, &user, &f.Method, &factor, &expires))
	})
	if err == nil && !a.now().Before(at(expires)) {
		return Flow{}, ErrToken // expires is zero when there is none
	}
	f.User, f.SecondFactor = user.UUID, at(factor)
	return f, err
}
