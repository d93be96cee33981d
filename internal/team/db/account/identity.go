package account

import (
	"context"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"cairn/internal/team/db"
)

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
	_, err := tx.Exec(ctx, `insert into auth.identities (id, user_id, provider, provider_id, email, data, last_sign_in_at, created_at, updated_at)
		values (?, ?, ?, ?, ?, ?, ?, ?, ?)`, uuid.New(), i.User, i.Provider, i.ProviderID, i.Email, object(i.Data), now, now, now)
	return err
}

// Identities returns a user's, oldest first.
func (a *Accounts) Identities(ctx context.Context, user uuid.UUID) (out []Identity, err error) {
	err = a.view(ctx, func(tx *db.Tx) error {
		out, err = db.Each(ctx, tx, `select id, user_id, provider, provider_id, coalesce(email, ''), data, last_sign_in_at, created_at, updated_at
			from auth.identities where user_id = ? order by created_at, id`, []any{user}, func(scan db.Scan) (i Identity, _ error) {
			var data string
			var signedIn, created, updated db.Time
			if err := scan(&i.ID, &i.User, &i.Provider, &i.ProviderID, &i.Email, &data, &signedIn, &created, &updated); err != nil {
				return i, err
			}
			i.LastSignIn, i.Created, i.Updated = at(signedIn), at(created), at(updated)
			if err := json.Unmarshal([]byte(data), &i.Data); err != nil {
				return i, err
			}
			return i, nil
		})
		return err
	})
	return out, err
}
