package account

import (
	"context"
	"encoding/hex"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// ClaimLife is how long the link of a first start is good.
const ClaimLife = 30 * time.Minute

// NewClaim makes the token with which whoever starts the server becomes its
// first user; ErrClaimed as soon as there is one.
func (a *Accounts) NewClaim(ctx context.Context) (token string, err error) {
	token = hex.EncodeToString(random(24))
	err = a.update(ctx, func(tx *db.Tx) error {
		if err := unclaimed(ctx, tx); err != nil {
			return err
		}
		now := a.now()
		_, err := tx.Exec(ctx, `insert into auth.one_time_tokens (token_hash, kind, expires_at, created_at) values (?, ?, ?, ?)`, db.Hashed(token), string(claim), now.Add(ClaimLife), now)
		return err
	})
	return token, err
}

// A FirstOwner is what a claim makes.
type FirstOwner struct {
	Email              string
	Hash               string // of a password, "" is none
	TeamSlug, TeamName string // "" makes no team
}

// Claim makes the first user and a team that it owns, zero if none was asked for. Errors: ErrToken, ErrClaimed,
// ErrEmail, and the database's own where the team's name cannot be.
func (a *Accounts) Claim(ctx context.Context, token string, o FirstOwner) (u User, team uuid.UUID, err error) {
	n := NewUser{Email: o.Email, Hash: o.Hash, Confirmed: true}
	if u, err = a.prepare(n); err != nil {
		return User{}, uuid.Nil, err
	}
	team = uuid.New()
	err = a.update(ctx, func(tx *db.Tx) error {
		// Every link goes, so that of two claims at once the second finds none.
		rows, err := tx.Query(ctx, `delete from auth.one_time_tokens where kind = ? returning token_hash, expires_at`, string(claim))
		if err != nil {
			return err
		}
		defer rows.Close()
		good := false
		for rows.Next() {
			var hash string
			var expires db.Time
			if err := rows.Scan(&hash, &expires); err != nil {
				return err
			}
			good = good || hash == db.Hashed(token) && a.now().Before(at(expires))
		}
		if err := rows.Err(); err != nil {
			return err
		}
		rows.Close()
		if !good {
			return ErrToken
		}
		if err := unclaimed(ctx, tx); err != nil {
			return err
		}
		if err := a.insertUser(ctx, tx, u, n); err != nil {
			return err
		}
		if o.TeamSlug == "" {
			return nil
		}
		if _, err := tx.Exec(ctx, `insert into teams (id, name, slug, created_at) values (?, ?, ?, ?)`, team, o.TeamName, o.TeamSlug, a.now()); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `insert into team_members (team_id, user_id, role, joined_at) values (?, ?, 'owner', ?)`, team, u.ID, a.now())
		return err
	})
	if o.TeamSlug == "" {
		team = uuid.Nil
	}
	return u, team, err
}

// unclaimed is ErrClaimed as soon as there is a user who is a person.
func unclaimed(ctx context.Context, tx *db.Tx) error {
	var people int
	err := tx.QueryRow(ctx, `select count(*) from auth.users where not bot`).Scan(&people)
	if err == nil && people > 0 {
		return ErrClaimed
	}
	return err
}
