package account

import (
	"context"
	"database/sql"
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
	err := a.db.Get(ctx, `select count(*), count(case when s.second_factor_at is null and exists
				(select 1 from auth.factors f where f.user_id = s.user_id and f.verified_at is not null) then 1 end)
			from auth.sessions s where s.id = ? and (s.not_after is null or s.not_after > ?)`, []any{session, a.now()}, &alive, &due)
	if err == nil && due > 0 {
		err = db.ErrFactor
	}
	return alive > 0, err
}

// Sessions returns a user's, newest first.
func (a *Accounts) Sessions(ctx context.Context, user uuid.UUID) ([]Session, error) {
	return db.All(ctx, a.db, `select id, user_id, method, user_agent, ip, refreshed_at, not_after, created_at from auth.sessions
		where user_id = ? and (not_after is null or not_after > ?) order by created_at desc, id`, []any{user, a.now()}, func(s *Session) []any {
		return []any{&s.ID, &s.User, &s.Method, &s.UserAgent, &s.IP, db.Stamp(&s.Refreshed), db.Stamp(&s.NotAfter), db.Stamp(&s.Created)}
	})
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
	return tx.Do(ctx, query, args...)
}

const (
	// refreshBytes of a token are 26 letters.
	refreshBytes = 16
)

// A Refreshed is the answer to Refresh.
type Refreshed struct {
	User    User
	Session Session
	Token   string // the one to use next
	Again   bool   // the token had been used before, and that was all right
}

// Refresh takes a refresh token and returns the next one.
//
// The successor is derived from the token with the server's key, so requests
// that run side by side with one token get the same successor, though no token
// is kept. Who brings the parent of the token in use gets that one again, since
// its answer may have been lost. An older token is a copy in other hands: the
// session ends, and with it its access tokens. Errors: ErrRefresh, ErrRefreshReuse, ErrBanned.
func (a *Accounts) Refresh(ctx context.Context, token string) (Refreshed, error) {
	if _, err := a.hmacKey(ctx); err != nil { // never inside of the transaction: SQLite has one writer
		return Refreshed{}, err
	}
	var r Refreshed
	var refused error
	err := a.update(ctx, func(tx *db.Tx) (err error) {
		r, refused, err = a.refresh(ctx, tx, token)
		return err
	})
	if err == nil {
		err = refused
	}
	return r, err
}

// refresh returns as refused what is to be said although the transaction is to be committed.
func (a *Accounts) refresh(ctx context.Context, tx *db.Tx, token string) (r Refreshed, refused, err error) {
	now := a.now()
	s := &r.Session
	// The update locks the session, so refreshes of one session run one after the other.
	err = tx.QueryRow(ctx, `update auth.sessions set refreshed_at = ? where id = (select session_id from auth.refresh_tokens where token_hash = ?)
		returning id, user_id, method, not_after, created_at, second_factor_at`, now, db.Hashed(token)).
		Scan(&s.ID, &s.User, &s.Method, db.Stamp(&s.NotAfter), db.Stamp(&s.Created), db.Stamp(&s.SecondFactor))
	if err != nil {
		return r, nil, db.None(err, ErrRefresh)
	}
	if s.Refreshed = now; !s.NotAfter.IsZero() && !now.Before(s.NotAfter) {
		return r, nil, ErrRefresh
	}
	if r.User, err = findUser(ctx, tx, byID, r.Session.User); err != nil {
		return r, nil, err
	}
	if r.User.Banned(now) {
		return r, nil, ErrBanned
	}
	used, err := usedAt(ctx, tx, token)
	if err != nil {
		return r, nil, err
	}
	next, err := a.successor(ctx, token)
	if err != nil {
		return r, nil, err
	}
	if used.IsZero() {
		r.Token = next
		if _, err := tx.Exec(ctx, `update auth.refresh_tokens set used_at = ? where token_hash = ?`, now, db.Hashed(token)); err != nil {
			return r, nil, err
		}
		return r, nil, a.insertRefresh(ctx, tx, next, db.Hashed(token), r.Session.ID)
	}
	r.Again = true
	nextUsed, err := usedAt(ctx, tx, next)
	if err != nil {
		return r, nil, err
	}
	if nextUsed.IsZero() { // it is the parent of the one in use: the answer was lost, or another process has it
		r.Token = next
		return r, nil, nil
	}
	return r, ErrRefreshReuse, end(ctx, tx, r.User.ID, r.Session.ID, Local)
}

// usedAt is when a token was used first, zero for never; ErrRefresh when it is not there.
func usedAt(ctx context.Context, tx *db.Tx, token string) (time.Time, error) {
	var used time.Time
	err := tx.QueryRow(ctx, `select used_at from auth.refresh_tokens where token_hash = ?`, db.Hashed(token)).Scan(db.Stamp(&used))
	return used, db.None(err, ErrRefresh)
}

func (a *Accounts) successor(ctx context.Context, token string) (string, error) {
	sum, err := a.derived(ctx, "refresh", token)
	if err != nil {
		return "", err
	}
	return letters(sum[:refreshBytes]), nil
}

func (a *Accounts) insertRefresh(ctx context.Context, tx *db.Tx, token, parent string, session uuid.UUID) error {
	of := sql.NullString{String: parent, Valid: parent != ""}
	return tx.Do(ctx, `insert into auth.refresh_tokens (token_hash, session_id, parent_hash, created_at) values (?, ?, ?, ?)`, db.Hashed(token), session, of, a.now())
}

// IsRefreshToken says whether a text has a refresh token's form: at least 12
// letters of a–z and 2–7, as many systems' have.
func IsRefreshToken(s string) bool {
	return len(s) >= 12 && len(s) <= 128 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz234567") == ""
}
