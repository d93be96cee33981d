package account

import (
	"context"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// Change reads a user, lets fn alter it and keeps the result; id, bot and the
// time of creation stay. No other change gets in between. fn may be run twice.
func (a *Accounts) Change(ctx context.Context, id uuid.UUID, fn func(*User) error) (User, error) {
	var u User
	err := a.update(ctx, func(tx *db.Tx) (err error) {
		u, err = a.change(ctx, tx, id, fn)
		return err
	})
	return u, err
}

func (a *Accounts) change(ctx context.Context, tx *db.Tx, id uuid.UUID, fn func(*User) error) (User, error) {
	if _, err := tx.Exec(ctx, `update auth.users set updated_at = ? where id = ?`, a.now(), id); err != nil { // locks the row
		return User{}, err
	}
	u, err := findUser(ctx, tx, byID, id)
	if err != nil {
		return User{}, err
	}
	before, long := u, u.metadata() // fn may change the maps themselves
	if err := fn(&u); err != nil {
		return User{}, err
	}
	if err := u.check(long); err != nil {
		return User{}, err
	}
	if u.Email != before.Email {
		if u.Email, err = Address(u.Email); err != nil {
			return User{}, err
		}
		other, err := findUser(ctx, tx, byEmail, u.Email)
		if err == nil && other.ID != u.ID {
			return User{}, ErrEmailTaken
		}
	}
	args := append(u.values()[1:11], u.ID)
	_, err = tx.Exec(ctx, `update auth.users set email = ?, encrypted_password = ?, email_confirmed_at = ?, invited_at = ?, confirmation_sent_at = ?,
		recovery_sent_at = ?, last_sign_in_at = ?, banned_until = ?, app_metadata = ?, user_metadata = ? where id = ?`, args...)
	if err != nil {
		return User{}, err
	}
	if u.Email == before.Email {
		return u, err
	}
	if _, err = tx.Exec(ctx, `update auth.identities set email = ? where user_id = ? and provider = 'email'`, u.Email, u.ID); err != nil {
		return u, err
	}
	_, err = tx.Exec(ctx, `delete from auth.one_time_tokens where user_id = ?`, u.ID) // they are in the mailbox of the old address
	return u, err
}

// Ban keeps a user from signing in until a time and ends every session; the
// zero time lifts the ban.
func (a *Accounts) Ban(ctx context.Context, id uuid.UUID, until time.Time) (User, error) {
	var u User
	err := a.update(ctx, func(tx *db.Tx) (err error) {
		if u, err = a.change(ctx, tx, id, func(u *User) error { u.BannedUntil = until; return nil }); err != nil {
			return err
		}
		if !until.IsZero() {
			_, err = tx.Exec(ctx, `delete from auth.sessions where user_id = ?`, id)
		}
		return err
	})
	return u, err
}

// DeleteUser removes a user and everything that signs in as it; what it sent to
// a team stays there. The last owner of a team cannot go: ErrLastOwner.
func (a *Accounts) DeleteUser(ctx context.Context, id uuid.UUID) error {
	return a.update(ctx, func(tx *db.Tx) error {
		var alone int
		err := tx.QueryRow(ctx, `select count(*) from team_members m where m.user_id = ? and m.role = 'owner' and not exists
			(select 1 from team_members o where o.team_id = m.team_id and o.role = 'owner' and o.user_id <> m.user_id)`, id).Scan(&alone)
		if err != nil {
			return err
		}
		if alone > 0 {
			return ErrLastOwner
		}
		n, err := tx.Exec(ctx, `delete from auth.users where id = ?`, id)
		if err == nil && n == 0 {
			return ErrNotFound
		}
		return err
	})
}

// Users returns one page of all people, oldest first, and how many there are. page counts from 1.
func (a *Accounts) Users(ctx context.Context, page, perPage int) (users []User, total int, err error) {
	err = a.view(ctx, func(tx *db.Tx) error {
		if err := tx.QueryRow(ctx, `select count(*) from auth.users where not bot`).Scan(&total); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `select `+userColumns+` from auth.users where not bot order by created_at, id limit ? offset ?`, perPage, (page-1)*perPage)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			u, err := scanUser(rows.Scan)
			if err != nil {
				return err
			}
			users = append(users, u)
		}
		return rows.Err()
	})
	return users, total, err
}
