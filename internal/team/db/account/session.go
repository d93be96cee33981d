package account

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/audit"
	"cairn/internal/text"
)

// A Session is one sign-in on one machine. It lives as long as its refresh
// tokens are used as they should be, or until NotAfter.
type Session struct {
	ID        uuid.UUID
	User      uuid.UUID
	Method    string // password, otp, oauth, invite, pkce: how it was begun
	UserAgent string
	IP        string
	Refreshed time.Time // zero: never
	NotAfter  time.Time // zero: no end
	Created   time.Time
	// SecondFactor is when the user's second factor was shown; zero: it was not.
	SecondFactor time.Time
}

// Begin starts a session for a user and returns it with its first refresh
// token. ErrBanned and ErrNotFound are its own errors.
func (a *Accounts) Begin(ctx context.Context, s Session) (Session, string, error) {
	s.ID, s.Created = uuid.New(), a.now()
	token := letters(random(refreshBytes))
	err := a.update(ctx, func(tx *db.Tx) error {
		u, err := findUser(ctx, tx, byID, s.User)
		switch {
		case err != nil:
			return err
		case u.Banned(s.Created) || u.Bot:
			return ErrBanned
		}
		if _, err := tx.Exec(ctx, `update auth.users set last_sign_in_at = ?, updated_at = ? where id = ?`, s.Created, s.Created, s.User); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `insert into auth.sessions (id, user_id, method, user_agent, ip, not_after, created_at, second_factor_at) values (?, ?, ?, ?, ?, ?, ?, ?)`,
			s.ID, s.User, s.Method, text.Head(s.UserAgent, 500), text.Head(s.IP, 64), when(s.NotAfter), s.Created, when(s.SecondFactor))
		if err != nil {
			return err
		}
		return a.insertRefresh(ctx, tx, token, "", s.ID)
	})
	return s, token, err
}

// Refused notes that somebody tried a wrong password or code for an address.
// The entry names the user, if the address has one, and never the address.
func (a *Accounts) Refused(ctx context.Context, email string) error {
	return a.update(ctx, func(tx *db.Tx) error {
		u, err := findUser(ctx, tx, byEmail, strings.TrimSpace(email))
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		return audit.Write(ctx, tx, audit.Entry{Action: audit.SignInFailed, Object: audit.ID(u.ID)})
	})
}

// SessionAlive says whether a session is there and not over. The error is
// [db.ErrFactor] for one whose user has a second factor that it has not shown.
func (a *Accounts) SessionAlive(ctx context.Context, session uuid.UUID) (bool, error) {
	var alive, due int
	err := a.view(ctx, func(tx *db.Tx) error {
		return tx.QueryRow(ctx, `select count(*), count(case when s.second_factor_at is null and exists
				(select 1 from auth.factors f where f.user_id = s.user_id and f.verified_at is not null) then 1 end)
			from auth.sessions s where s.id = ? and (s.not_after is null or s.not_after > ?)`, session, a.now()).Scan(&alive, &due)
	})
	if err == nil && due > 0 {
		err = db.ErrFactor
	}
	return alive > 0, err
}

// Sessions returns a user's, newest first.
func (a *Accounts) Sessions(ctx context.Context, user uuid.UUID) (out []Session, err error) {
	err = a.view(ctx, func(tx *db.Tx) error {
		out, err = db.Each(ctx, tx, `select id, user_id, method, user_agent, ip, refreshed_at, not_after, created_at from auth.sessions
			where user_id = ? and (not_after is null or not_after > ?) order by created_at desc, id`, []any{user, a.now()}, func(scan db.Scan) (s Session, _ error) {
			var refreshed, notAfter, created db.Time
			if err := scan(&s.ID, &s.User, &s.Method, &s.UserAgent, &s.IP, &refreshed, &notAfter, &created); err != nil {
				return s, err
			}
			s.Refreshed, s.NotAfter, s.Created = at(refreshed), at(notAfter), at(created)
			return s, nil
		})
		return err
	})
	return out, err
}

// A Scope says which of a user's sessions to end.
type Scope string

const (
	Local  Scope = "local"  // this one
	Others Scope = "others" // all but this one
	Global Scope = "global" // all
)

// End ends sessions of a user; of another user's nothing ever. Their access
// tokens stop working at once.
func (a *Accounts) End(ctx context.Context, user, session uuid.UUID, scope Scope) error {
	return a.update(ctx, func(tx *db.Tx) error { return end(ctx, tx, user, session, scope) })
}

func end(ctx context.Context, tx *db.Tx, user, session uuid.UUID, scope Scope) error {
	query, args := `delete from auth.sessions where user_id = ?`, []any{user}
	switch scope {
	case Local:
		query, args = query+` and id = ?`, append(args, session)
	case Others:
		query, args = query+` and id <> ?`, append(args, session)
	}
	_, err := tx.Exec(ctx, query, args...)
	return err
}
