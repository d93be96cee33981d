package account

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// A Joined is the answer to an accepted invitation.
type Joined struct {
	User User
	Team uuid.UUID
	Role string
	New  bool // the account was made now
}

// An Invitation as its token shows it, before it is accepted.
type Invitation struct {
	Email    string
	Role     string
	TeamName string
	Account  bool // the address has an account that must be signed in to
}

// Invitation looks one up by its token; ErrToken.
func (a *Accounts) Invitation(ctx context.Context, token string) (i Invitation, err error) {
	err = a.view(ctx, func(tx *db.Tx) error {
		var team uuid.UUID
		err := tx.QueryRow(ctx, `select i.team_id, i.email, i.role, t.name from team_invites i join teams t on t.id = i.team_id
			where i.token_hash = ? and i.accepted_at is null and i.expires_at > ?`, db.Hashed(token), a.now()).Scan(&team, &i.Email, &i.Role, &i.TeamName)
		if err != nil {
			return none(err, ErrToken)
		}
		u, err := findUser(ctx, tx, byEmail, i.Email)
		switch {
		case errors.Is(err, ErrNotFound):
			return nil
		case err != nil:
			return err
		}
		again, err := mayReturn(ctx, tx, u, team)
		i.Account = !again
		return err
	})
	return i, err
}

// Accept uses up an invitation to a team and makes its address a member.
//
// as is who has signed in, zero for nobody. Without anybody the token alone
// makes the account: the address is new, or had nothing but invitations to this
// very team. Any other account must be signed in to (ErrMember), or else
// whoever may invite could sign in as whom he likes. email, where it is not "",
// and hash, of a password, are what the new user typed in. Errors: ErrToken,
// ErrMember, ErrBanned.
func (a *Accounts) Accept(ctx context.Context, token, email, hash string, as uuid.UUID) (Joined, error) {
	var j Joined
	err := a.update(ctx, func(tx *db.Tx) error {
		j = Joined{}
		var invited string
		err := tx.QueryRow(ctx, `update team_invites set accepted_at = ? where token_hash = ? and accepted_at is null and expires_at > ? returning team_id, role, email`,
			a.now(), db.Hashed(token), a.now()).Scan(&j.Team, &j.Role, &invited)
		if err != nil {
			return none(err, ErrToken)
		}
		if email != "" && !strings.EqualFold(strings.TrimSpace(email), invited) {
			return ErrToken
		}
		if as != uuid.Nil {
			j.User, err = findUser(ctx, tx, byID, as)
		} else {
			err = a.invited(ctx, tx, &j, invited, hash)
		}
		if err != nil {
			return err
		}
		if j.User.Banned(a.now()) {
			return ErrBanned
		}
		_, err = tx.Exec(ctx, `insert into team_members (team_id, user_id, role, joined_at) values (?, ?, ?, ?) on conflict do nothing`, j.Team, j.User.ID, j.Role, a.now())
		return err
	})
	return j, err
}

// invited finds or makes the user of an invited address.
func (a *Accounts) invited(ctx context.Context, tx *db.Tx, j *Joined, email, hash string) error {
	u, err := findUser(ctx, tx, byEmail, email)
	switch {
	case errors.Is(err, ErrNotFound):
		n := NewUser{Email: email, Hash: hash, Confirmed: true, Invited: true, App: map[string]any{vouchedKey: true}}
		if j.User, err = a.prepare(n); err != nil {
			return err
		}
		j.New = true
		return a.insertUser(ctx, tx, j.User, n)
	case err != nil:
		return err
	}
	again, err := mayReturn(ctx, tx, u, j.Team)
	switch {
	case err != nil:
		return err
	case !again:
		return ErrMember
	}
	j.User, err = a.change(ctx, tx, u.ID, func(u *User) error {
		if hash != "" {
			u.PasswordHash = hash
		}
		return nil
	})
	return err
}

// mayReturn says whether an invitation to a team is proof enough for an account
// that is there: nothing but invitations ever vouched for it, it has no
// password, it is in no other team, and it is no owner or admin, so that whoever
// invites gets at nothing that is not the team's.
func mayReturn(ctx context.Context, tx *db.Tx, u User, team uuid.UUID) (bool, error) {
	if u.App[vouchedKey] == nil || u.PasswordHash != "" || u.Bot {
		return false, nil
	}
	var more int
	err := tx.QueryRow(ctx, `select count(*) from team_members where user_id = ? and (team_id <> ? or role in ('owner', 'admin'))`, u.ID, team).Scan(&more)
	return more == 0, err
}

// none turns "no row" into another error.
func none(err, other error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return other
	}
	return err
}
