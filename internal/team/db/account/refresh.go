package account

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

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
	var notAfter, created, factor db.Time
	// The update locks the session, so refreshes of one session run one after the other.
	err = tx.QueryRow(ctx, `update auth.sessions set refreshed_at = ? where id = (select session_id from auth.refresh_tokens where token_hash = ?)
		returning id, user_id, method, not_after, created_at, second_factor_at`, now, db.Hashed(token)).
		Scan(&r.Session.ID, &r.Session.User, &r.Session.Method, &notAfter, &created, &factor)
	if errors.Is(err, sql.ErrNoRows) {
		return r, nil, ErrRefresh
	}
	if err != nil {
		return r, nil, err
	}
	r.Session.NotAfter, r.Session.Created, r.Session.Refreshed, r.Session.SecondFactor = at(notAfter), at(created), now, at(factor)
	if !r.Session.NotAfter.IsZero() && !now.Before(r.Session.NotAfter) {
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
	var used db.Time
	err := tx.QueryRow(ctx, `select used_at from auth.refresh_tokens where token_hash = ?`, db.Hashed(token)).Scan(&used)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, ErrRefresh
	}
	return at(used), err
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
	_, err := tx.Exec(ctx, `insert into auth.refresh_tokens (token_hash, session_id, parent_hash, created_at) values (?, ?, ?, ?)`, db.Hashed(token), session, of, a.now())
	return err
}

// IsRefreshToken says whether a text has a refresh token's form: at least 12
// letters of a–z and 2–7, as many systems' have.
func IsRefreshToken(s string) bool {
	if len(s) < 12 || len(s) > 128 {
		return false
	}
	for _, c := range s {
		if (c < 'a' || c > 'z') && (c < '2' || c > '7') {
			return false
		}
	}
	return true
}
