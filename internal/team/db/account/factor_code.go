package account

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/base32"
	"time"

	"github.com/google/uuid"
	"github.com/pquerna/otp/hotp"

	"cairn/internal/team/db"
	"cairn/internal/team/db/audit"
)

// Challenge begins the proof of a user's factor; ErrNoFactor.
func (a *Accounts) Challenge(ctx context.Context, user, factor uuid.UUID) (id uuid.UUID, expires time.Time, err error) {
	id, expires = uuid.New(), a.now().Add(ChallengeLife)
	err = a.update(ctx, func(tx *db.Tx) error {
		if _, err := tx.Exec(ctx, `delete from auth.challenges where expires_at < ?`, a.now()); err != nil {
			return err
		}
		n, err := tx.Exec(ctx, `insert into auth.challenges (id, factor_id, expires_at) select ?, id, ? from auth.factors where id = ? and user_id = ?`, id, expires, factor, user)
		if err == nil && n == 0 {
			err = ErrNoFactor
		}
		return err
	})
	return id, expires, err
}

// Answer proves a user's factor with a code: the challenge is used up by a
// right one. The factor is verified from then on. Where the user has a verified
// one, another is verified only by a session that has shown it: whoever knew the
// password could have made one before. Errors: ErrNoFactor, ErrChallenge,
// ErrCode, ErrTries.
func (a *Accounts) Answer(ctx context.Context, user, session, factor, challenge uuid.UUID, code string) error {
	return a.tryCode(ctx, user, code, func(tx *db.Tx) (uuid.UUID, error) {
		var n int
		if err := tx.QueryRow(ctx, `select count(*) from auth.factors f where f.id = ? and f.user_id = ? and (f.verified_at is not null
			or not exists (select 1 from auth.factors v where v.user_id = f.user_id and v.verified_at is not null)
			or exists (select 1 from auth.sessions s where s.id = ? and s.user_id = f.user_id and s.second_factor_at is not null))`, factor, user, session).Scan(&n); err != nil {
			return uuid.Nil, err
		}
		if n == 0 {
			return uuid.Nil, ErrNoFactor
		}
		err := tx.QueryRow(ctx, `select count(*) from auth.challenges where id = ? and factor_id = ? and expires_at > ?`, challenge, factor, a.now()).Scan(&n)
		if err == nil && n == 0 {
			err = ErrChallenge
		}
		return factor, err
	})
}

// CheckCode proves any verified factor of a user with a code: ErrCode,
// ErrTries, ErrNoFactor if there is none.
func (a *Accounts) CheckCode(ctx context.Context, user uuid.UUID, code string) error {
	return a.tryCode(ctx, user, code, func(*db.Tx) (uuid.UUID, error) { return uuid.Nil, nil })
}

// tryCode compares a code with one factor of a user, or with all verified ones
// where which returns none. Wrong tries are counted, and so committed.
func (a *Accounts) tryCode(ctx context.Context, user uuid.UUID, code string, which func(*db.Tx) (uuid.UUID, error)) error {
	if _, err := a.factorKey(ctx); err != nil { // never inside of the transaction: SQLite has one writer
		return err
	}
	var refused error
	err := a.update(ctx, func(tx *db.Tx) error {
		refused = nil
		one, err := which(tx)
		if err != nil {
			return err
		}
		tried, err := a.count(ctx, tx, user, one)
		if err != nil {
			return err
		}
		refused = ErrCode
		if len(tried) == 0 {
			refused = ErrNoFactor
		}
		for _, f := range tried {
			if f.tries > MostFactorTries {
				refused = ErrTries
				continue
			}
			raw, err := a.unseal(ctx, f.id, f.secret)
			if err != nil {
				return err
			}
			took, err := stepOf(raw, code, a.now())
			if err != nil {
				return err
			}
			if took > f.last {
				refused = nil
				return a.took(ctx, tx, user, f, took)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return refused
}

// a tried factor: a wrong code was counted in advance.
type tried struct {
	id     uuid.UUID
	secret []byte
	last   int64
	tries  int
	before db.Time // when it was verified
}

// count counts a try at factors and returns them locked.
func (a *Accounts) count(ctx context.Context, tx *db.Tx, user, one uuid.UUID) (out []tried, err error) {
	now := a.now()
	query := `update auth.factors set tries = case when tries_since > ? then tries + 1 else 1 end, tries_since = case when tries_since > ? then tries_since else ? end
		where user_id = ? and `
	args := []any{now.Add(-FactorPause), now.Add(-FactorPause), now, user}
	if one != uuid.Nil {
		query, args = query+`id = ?`, append(args, one)
	} else {
		query += `verified_at is not null`
	}
	return db.List(ctx, tx, query+` returning id, secret, last_step, tries, verified_at`, args, func(f *tried) []any { return []any{&f.id, &f.secret, &f.last, &f.tries, &f.before} })
}

// took notes that a code of a step was right: no code of it or before is taken again.
func (a *Accounts) took(ctx context.Context, tx *db.Tx, user uuid.UUID, f tried, step int64) error {
	now := a.now()
	_, err := tx.Exec(ctx, `update auth.factors set last_step = ?, tries = 0, updated_at = ?, verified_at = coalesce(verified_at, ?) where id = ?`, step, now, now, f.id)
	if err == nil {
		_, err = tx.Exec(ctx, `delete from auth.challenges where factor_id = ?`, f.id)
	}
	if err == nil && f.before.Value == nil {
		err = audit.Write(ctx, tx, audit.Entry{Action: audit.TOTPEnabled, Object: audit.ID(user)})
	}
	return err
}

// stepOf is the step of time that a code is of, -1 for a wrong one: the present
// one, or its neighbours, for clocks that are not quite right.
func stepOf(secret []byte, code string, now time.Time) (int64, error) {
	text := base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(secret)
	found := int64(-1)
	for d := int64(-1); d <= 1; d++ {
		at := now.Unix()/step + d
		want, err := hotp.GenerateCode(text, uint64(at))
		if err != nil {
			return -1, err
		}
		if subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			found = at
		}
	}
	return found, nil
}

// factorKey encrypts the secrets of factors. It is no other key, so that
// another can be changed and factors stay.
func (a *Accounts) factorKey(ctx context.Context) (cipher.AEAD, error) {
	a.factorOnce.Lock()
	defer a.factorOnce.Unlock()
	if a.factor == nil {
		key, err := a.Secret(ctx, "factors", func() []byte { return random(32) })
		if err != nil {
			return nil, err
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		if a.factor, err = cipher.NewGCMWithRandomNonce(block); err != nil {
			return nil, err
		}
	}
	return a.factor, nil
}

// seal encrypts the secret of a factor, for this factor only.
func (a *Accounts) seal(ctx context.Context, factor uuid.UUID, secret []byte) ([]byte, error) {
	key, err := a.factorKey(ctx)
	if err != nil {
		return nil, err
	}
	return key.Seal(nil, nil, secret, factor[:]), nil
}

func (a *Accounts) unseal(ctx context.Context, factor uuid.UUID, sealed []byte) ([]byte, error) {
	key, err := a.factorKey(ctx)
	if err != nil {
		return nil, err
	}
	return key.Open(nil, nil, sealed, factor[:])
}
