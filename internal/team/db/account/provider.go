package account

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/base64"
	"errors"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// A Person is whom a provider says has signed in there.
type Person struct {
	Provider string // github
	ID       string // the provider's, never used again for another person
	Email    string
	Verified bool           // the provider has seen that the address is the person's
	Data     map[string]any // what else it tells: name, avatar_url, …
}

// ByProvider returns the user of a person. One whom the provider knows by a
// user's identity is that user, whatever the address is now. A verified address
// of a user links the two; any other address links nothing. A new person gets an
// account if make says so. ErrNotFound is that there is none, ErrEmail that an
// account cannot be made or found because the address is not verified, ErrBanned.
func (a *Accounts) ByProvider(ctx context.Context, p Person, make bool) (User, error) {
	return db.Updated(ctx, a.db, func(tx *db.Tx) (User, error) {
		u, err := a.byProvider(ctx, tx, p, make)
		if err == nil && u.Banned(a.now()) {
			err = ErrBanned
		}
		return u, err
	})
}

func (a *Accounts) byProvider(ctx context.Context, tx *db.Tx, p Person, make bool) (User, error) {
	id, err := db.One[uuid.UUID](ctx, tx, `update auth.identities set last_sign_in_at = ?, updated_at = ?, data = ?, email = ? where provider = ? and provider_id = ? returning user_id`,
		a.now(), a.now(), object(p.Data), p.Email, p.Provider, p.ID)
	if err == nil {
		return findUser(ctx, tx, byID, id)
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return User{}, err
	}
	if !p.Verified {
		return User{}, ErrEmail
	}
	u, err := findUser(ctx, tx, byEmail, p.Email)
	if errors.Is(err, ErrNotFound) && make {
		n := NewUser{Email: p.Email, Confirmed: true, Data: p.Data, Provider: p.Provider, ProviderID: p.ID, ProviderData: p.Data}
		if u, err = a.prepare(n); err != nil {
			return User{}, err
		}
		return u, a.insertUser(ctx, tx, u, n)
	}
	if err != nil {
		return User{}, err
	}
	if u.Bot {
		return User{}, ErrNotFound
	}
	if _, err = a.proven(ctx, tx, Ticket{User: u.ID}); err != nil {
		return User{}, err
	}
	if err = a.insertIdentity(ctx, tx, Identity{User: u.ID, Provider: p.Provider, ProviderID: p.ID, Email: p.Email, Data: p.Data}); err != nil {
		return User{}, err
	}
	return a.change(ctx, tx, u.ID, func(u *User) error {
		list, _ := u.App["providers"].([]any)
		u.App["providers"] = append(list, p.Provider)
		return nil
	})
}

// Invited says whether a team waits for an address to accept its invitation.
func (a *Accounts) Invited(ctx context.Context, email string) (bool, error) {
	var n int
	err := a.db.Get(ctx, `select count(*) from team_invites where lower(email) = lower(?) and accepted_at is null and expires_at > ?`, []any{email, a.now()}, &n)
	return n > 0, err
}

// An Identity is one way in which a user signs in: "email", or a provider with
// the name that it knows the user by.
type Identity struct {
	ID         uuid.UUID
	User       uuid.UUID
	Provider   string
	ProviderID string
	Email      string
	Data       map[string]any
	LastSignIn time.Time
	Created    time.Time
	Updated    time.Time
}

func (a *Accounts) insertIdentity(ctx context.Context, tx *db.Tx, i Identity) error {
	now := a.now()
	return tx.Do(ctx, `insert into auth.identities (id, user_id, provider, provider_id, email, data, last_sign_in_at, created_at, updated_at)
		values (?, ?, ?, ?, ?, ?, ?, ?, ?)`, uuid.New(), i.User, i.Provider, i.ProviderID, i.Email, object(i.Data), now, now, now)
}

// Identities returns a user's, oldest first.
func (a *Accounts) Identities(ctx context.Context, user uuid.UUID) ([]Identity, error) {
	return db.All(ctx, a.db, `select id, user_id, provider, provider_id, coalesce(email, ''), data, last_sign_in_at, created_at, updated_at
		from auth.identities where user_id = ? order by created_at, id`, []any{user}, func(i *Identity) []any {
		return []any{&i.ID, &i.User, &i.Provider, &i.ProviderID, &i.Email, db.JSON(&i.Data), db.Stamp(&i.LastSignIn), db.Stamp(&i.Created), db.Stamp(&i.Updated)}
	})
}

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
		return tx.Do(ctx, `insert into auth.flows (id, provider, state_hash, verifier, nonce, code_hash, code_challenge, code_challenge_method,
			redirect_to, user_id, method, second_factor_at, expires_at, created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, uuid.New(), f.Provider, stateHash, f.Verifier, f.Nonce,
			codeHash, f.Challenge, method, f.RedirectTo, uuid.NullUUID{UUID: f.User, Valid: f.User != uuid.Nil}, f.Method, when(f.SecondFactor), now.Add(life), now)
	})
}

func (a *Accounts) takeFlow(ctx context.Context, where, hash string) (Flow, error) {
	var f Flow
	var user uuid.NullUUID
	var expires time.Time
	err := a.update(ctx, func(tx *db.Tx) error {
		return db.None(tx.QueryRow(ctx, `delete from auth.flows where `+where+` returning provider, verifier, nonce, code_challenge, redirect_to, user_id, method, second_factor_at, expires_at`, hash).
			Scan(&f.Provider, &f.Verifier, &f.Nonce, &f.Challenge, &f.RedirectTo, &user, &f.Method, db.Stamp(&f.SecondFactor), db.Stamp(&expires)), nil)
	})
	if err == nil && !a.now().Before(expires) {
		return Flow{}, ErrToken // expires is zero when there is none
	}
	f.User = user.UUID
	return f, err
}
