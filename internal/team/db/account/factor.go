package account

import (
	"context"
	"encoding/base32"
	"errors"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/audit"
	"cairn/internal/text"
)

// A Factor is a user's second: an app that shows one-time passwords (RFC 6238,
// six digits, 30 seconds, SHA-1, which is what every app knows).
type Factor struct {
	ID       uuid.UUID
	Name     string
	Verified time.Time // zero until the first right code: it counts for nothing
	Created  time.Time
	Updated  time.Time
}

// Errors of second factors.
var (
	ErrNoFactor    = errors.New("there is no such second factor")
	ErrFactorName  = errors.New("the user has a second factor of this name already")
	ErrManyFactors = errors.New("the user has too many second factors")
	ErrChallenge   = errors.New("the challenge is used up or expired")
	ErrCode        = errors.New("the code of the second factor is wrong or was used before")
	ErrTries       = errors.New("too many wrong codes of the second factor")
)

const (
	// ChallengeLife is how long a challenge of a factor may be answered.
	ChallengeLife = 5 * time.Minute
	// MostFactorTries wrong codes a factor may have in FactorPause.
	MostFactorTries = 10
	FactorPause     = 15 * time.Minute

	mostFactors = 10
	unverified  = 15 * time.Minute // a factor that nobody verified may be replaced
	step        = 30               // seconds of a code
	secretBytes = 20
)

// EnrollFactor makes a factor that is not verified yet and returns its secret,
// in base32 as apps take it; it is not shown again.
func (a *Accounts) EnrollFactor(ctx context.Context, user uuid.UUID, name string) (f Factor, secret string, err error) {
	now, raw := a.now(), random(secretBytes)
	f = Factor{ID: uuid.New(), Name: text.Head(name, 100), Created: now, Updated: now}
	sealed, err := a.seal(ctx, f.ID, raw)
	if err != nil {
		return f, "", err
	}
	err = a.update(ctx, func(tx *db.Tx) error {
		// The user's row is locked: two who enroll at once are counted one after the other.
		if n, err := tx.Exec(ctx, `update auth.users set updated_at = ? where id = ?`, now, user); err != nil || n == 0 {
			return errors.Join(err, notFound(n))
		}
		if _, err := tx.Exec(ctx, `delete from auth.factors where user_id = ? and verified_at is null and created_at < ?`, user, now.Add(-unverified)); err != nil {
			return err
		}
		var all, same int
		if err := tx.QueryRow(ctx, `select count(*), count(case when name = ? then 1 end) from auth.factors where user_id = ?`, f.Name, user).Scan(&all, &same); err != nil {
			return err
		}
		switch {
		case all >= mostFactors:
			return ErrManyFactors
		case f.Name != "" && same > 0:
			return ErrFactorName
		}
		return tx.Do(ctx, `insert into auth.factors (id, user_id, name, secret, created_at, updated_at) values (?, ?, ?, ?, ?, ?)`, f.ID, user, f.Name, sealed, now, now)
	})
	return f, base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(raw), err
}

func notFound(n int64) error {
	if n == 0 {
		return ErrNotFound
	}
	return nil
}

// Factors returns a user's, oldest first.
func (a *Accounts) Factors(ctx context.Context, user uuid.UUID) ([]Factor, error) {
	return db.All(ctx, a.db, `select id, name, verified_at, created_at, updated_at from auth.factors where user_id = ? order by created_at, id`, []any{user}, func(f *Factor) []any {
		return []any{&f.ID, &f.Name, db.Stamp(&f.Verified), db.Stamp(&f.Created), db.Stamp(&f.Updated)}
	})
}

// HasFactor says whether a user has a verified factor.
func (a *Accounts) HasFactor(ctx context.Context, user uuid.UUID) (bool, error) {
	var n int
	err := a.db.Get(ctx, `select count(*) from auth.factors where user_id = ? and verified_at is not null`, []any{user}, &n)
	return n > 0, err
}

// Prove notes on a session that the second factor was shown, and replaces its
// refresh tokens by the one it returns: whoever had one from before has nothing.
// Sessions of the user that never showed it end.
func (a *Accounts) Prove(ctx context.Context, user, session uuid.UUID) (s Session, refresh string, err error) {
	refresh = letters(random(refreshBytes))
	err = a.update(ctx, func(tx *db.Tx) error {
		s = Session{ID: session, User: user}
		err := tx.QueryRow(ctx, `update auth.sessions set second_factor_at = ? where id = ? and user_id = ? returning method, not_after, created_at, second_factor_at`, a.now(), session, user).
			Scan(&s.Method, db.Stamp(&s.NotAfter), db.Stamp(&s.Created), db.Stamp(&s.SecondFactor))
		if err != nil {
			return db.None(err, ErrSession)
		}
		if _, err := tx.Exec(ctx, `delete from auth.refresh_tokens where session_id = ?`, session); err != nil {
			return err
		}
		if err := endUnproven(ctx, tx, user); err != nil {
			return err
		}
		return a.insertRefresh(ctx, tx, refresh, "", session)
	})
	return s, refresh, err
}

// EndUnproven ends a user's sessions that never showed the second factor.
func (a *Accounts) EndUnproven(ctx context.Context, user uuid.UUID) error {
	return a.update(ctx, func(tx *db.Tx) error { return endUnproven(ctx, tx, user) })
}

func endUnproven(ctx context.Context, tx *db.Tx, user uuid.UUID) error {
	return tx.Do(ctx, `delete from auth.sessions where user_id = ? and second_factor_at is null`, user)
}

// RemoveFactor takes a factor from a user; ErrNoFactor.
func (a *Accounts) RemoveFactor(ctx context.Context, user, factor uuid.UUID) error {
	return a.update(ctx, func(tx *db.Tx) error {
		var verified db.Time
		err := tx.QueryRow(ctx, `delete from auth.factors where id = ? and user_id = ? returning verified_at`, factor, user).Scan(&verified)
		if err != nil {
			return db.None(err, ErrNoFactor)
		}
		if verified.Value != nil {
			if err := audit.Write(ctx, tx, audit.Entry{Action: audit.TOTPDisabled, Object: audit.ID(user)}); err != nil {
				return err
			}
		}
		return tx.Do(ctx, `update auth.sessions set second_factor_at = null where user_id = ?
			and not exists (select 1 from auth.factors where user_id = ? and verified_at is not null)`, user, user)
	})
}

// ResetFactors takes every factor from a user who has lost them, and signs the
// user out everywhere. It returns how many there were.
func (a *Accounts) ResetFactors(ctx context.Context, user uuid.UUID) (n int64, err error) {
	err = a.update(ctx, func(tx *db.Tx) error {
		if n, err = tx.Exec(ctx, `delete from auth.factors where user_id = ?`, user); err != nil {
			return err
		}
		if err := audit.Write(ctx, tx, audit.Entry{Action: audit.TOTPDisabled, Object: audit.ID(user), Detail: "reset"}); err != nil {
			return err
		}
		return end(ctx, tx, user, uuid.Nil, Global)
	})
	return n, err
}
