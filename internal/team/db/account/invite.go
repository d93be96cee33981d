package account

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"time"

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
	Member   bool // and that is a member already
}

// Invitation looks one up by its token; ErrToken.
func (a *Accounts) Invitation(ctx context.Context, token string) (i Invitation, err error) {
	err = a.view(ctx, func(tx *db.Tx) error {
		var team uuid.UUID
		err := tx.QueryRow(ctx, `select i.team_id, i.email, i.role, t.name from team_invites i join teams t on t.id = i.team_id
			where i.token_hash = ? and i.accepted_at is null and i.expires_at > ?`, db.Hashed(token), a.now()).Scan(&team, &i.Email, &i.Role, &i.TeamName)
		if err != nil {
			return db.None(err, ErrToken)
		}
		u, err := findUser(ctx, tx, byEmail, i.Email)
		switch {
		case errors.Is(err, ErrNotFound):
			return nil
		case err != nil:
			return err
		}
		again, err := mayReturn(ctx, tx, u, team)
		if i.Account = !again; err == nil && i.Account {
			i.Member, err = isMember(ctx, tx, team, u.ID)
		}
		return err
	})
	return i, err
}

// Accept uses up an invitation to a team and makes its address a member.
//
// as is who has signed in, zero for nobody: an invitation works for its own
// address only. Without anybody the token alone makes the account: the address
// is new, or had nothing but invitations to this very team. Any other account
// must be signed in to (ErrMember, ErrJoined), or else whoever may invite could
// sign in as anybody. email, where it is not "", and hash, of a password, are
// what the new user typed in. Errors: ErrToken, ErrMember, ErrJoined,
// ErrInvitee, ErrUnconfirmed, ErrBanned.
func (a *Accounts) Accept(ctx context.Context, token, email, hash string, as uuid.UUID) (Joined, error) {
	var j Joined
	err := a.update(ctx, func(tx *db.Tx) (err error) {
		j = Joined{}
		if as != uuid.Nil {
			j, err = Join(ctx, tx, token, as, a.now())
			return err
		}
		invited := ""
		if j.Team, j.Role, invited, err = redeem(ctx, tx, token, a.now()); err != nil {
			return err
		}
		if email != "" && !sameAddress(email, invited) {
			return ErrToken
		}
		if err := a.invited(ctx, tx, &j, invited, hash); err != nil {
			return err
		}
		return addMember(ctx, tx, j, a.now())
	})
	return j, err
}

// Join makes a user who has signed in a member of the team that has invited
// their confirmed address. Errors are those of Accept; the transaction must
// then be rolled back.
func Join(ctx context.Context, tx *db.Tx, token string, user uuid.UUID, now time.Time) (j Joined, err error) {
	invited := ""
	if j.Team, j.Role, invited, err = redeem(ctx, tx, token, now); err != nil {
		return j, err
	}
	j.User, err = findUser(ctx, tx, byID, user)
	switch {
	case err != nil:
		return j, err
	case !sameAddress(j.User.Email, invited):
		return j, ErrInvitee
	case j.User.Confirmed.IsZero():
		return j, ErrUnconfirmed
	}
	return j, addMember(ctx, tx, j, now)
}

// redeem marks an invitation as accepted; ErrToken.
func redeem(ctx context.Context, tx *db.Tx, token string, now time.Time) (team uuid.UUID, role, email string, err error) {
	err = tx.QueryRow(ctx, `update team_invites set accepted_at = ? where token_hash = ? and accepted_at is null and expires_at > ? returning team_id, role, email`,
		now, db.Hashed(token), now).Scan(&team, &role, &email)
	return team, role, email, db.None(err, ErrToken)
}

func addMember(ctx context.Context, tx *db.Tx, j Joined, now time.Time) error {
	if j.User.Banned(now) {
		return ErrBanned
	}
	return tx.Do(ctx, `insert into team_members (team_id, user_id, role, joined_at) values (?, ?, ?, ?) on conflict do nothing`, j.Team, j.User.ID, j.Role, now)
}

// CanInvite is ErrJoined for the address of a member who can sign in without
// an invitation.
func CanInvite(ctx context.Context, tx *db.Tx, team uuid.UUID, email string) error {
	u, err := findUser(ctx, tx, byEmail, strings.TrimSpace(email))
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	member, err := isMember(ctx, tx, team, u.ID)
	if err != nil || !member {
		return err
	}
	again, err := mayReturn(ctx, tx, u, team)
	if err == nil && !again {
		err = ErrJoined
	}
	return err
}

func isMember(ctx context.Context, tx *db.Tx, team, user uuid.UUID) (bool, error) {
	n := 0
	err := tx.QueryRow(ctx, `select count(*) from team_members where team_id = ? and user_id = ?`, team, user).Scan(&n)
	return n > 0, err
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
		if member, err := isMember(ctx, tx, j.Team, u.ID); err != nil || member {
			return cmp.Or(err, ErrJoined)
		}
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
	more, err := db.One[int](ctx, tx, `select count(*) from team_members where user_id = ? and (team_id <> ? or role in ('owner', 'admin'))`, u.ID, team)
	return more == 0, err
}

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
		return tx.Do(ctx, `insert into auth.one_time_tokens (token_hash, kind, expires_at, created_at) values (?, ?, ?, ?)`, db.Hashed(token), string(claim), now.Add(ClaimLife), now)
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
		type link struct {
			hash    string
			expires time.Time
		}
		links, err := db.List(ctx, tx, `delete from auth.one_time_tokens where kind = ? returning token_hash, expires_at`, []any{string(claim)},
			func(l *link) []any { return []any{&l.hash, db.Stamp(&l.expires)} })
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(links, func(l link) bool { return l.hash == db.Hashed(token) && a.now().Before(l.expires) }) {
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
		return tx.Do(ctx, `insert into team_members (team_id, user_id, role, joined_at) values (?, ?, 'owner', ?)`, team, u.ID, a.now())
	})
	if o.TeamSlug == "" {
		team = uuid.Nil
	}
	return u, team, err
}

// unclaimed is ErrClaimed as soon as there is a user who is a person.
func unclaimed(ctx context.Context, tx *db.Tx) error {
	people, err := db.One[int](ctx, tx, `select count(*) from auth.users where not bot`)
	if err == nil && people > 0 {
		return ErrClaimed
	}
	return err
}
