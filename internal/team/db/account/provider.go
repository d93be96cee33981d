package account

import (
	"context"
	"database/sql"
	"errors"

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
	var u User
	err := a.update(ctx, func(tx *db.Tx) (err error) {
		u, err = a.byProvider(ctx, tx, p, make)
		if err == nil && u.Banned(a.now()) {
			err = ErrBanned
		}
		return err
	})
	return u, err
}

func (a *Accounts) byProvider(ctx context.Context, tx *db.Tx, p Person, make bool) (User, error) {
	var id uuid.UUID
	err := tx.QueryRow(ctx, `update auth.identities set last_sign_in_at = ?, updated_at = ?, data = ?, email = ? where provider = ? and provider_id = ? returning user_id`,
		a.now(), a.now(), object(p.Data), p.Email, p.Provider, p.ID).Scan(&id)
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
	err := a.view(ctx, func(tx *db.Tx) error {
		return tx.QueryRow(ctx, `select count(*) from team_invites where lower(email) = lower(?) and accepted_at is null and expires_at > ?`, email, a.now()).Scan(&n)
	})
	return n > 0, err
}
