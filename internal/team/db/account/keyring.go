package account

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/db/audit"
)

// Names of the secrets that sign access tokens. A former one is named by when
// it was replaced, and expires as every secret may.
const (
	keySecret  = "jwt"
	formerKeys = "jwt.former."
	anonKey    = "anon_key"
)

// ErrNoKey says that no server was ever started on the database.
var ErrNoKey = errors.New("the database has no signing key yet: no server was started on it")

// A Keyring is what the database has of the keys that sign access tokens.
type Keyring struct {
	Secret []byte // nil: none yet
	Former []FormerKey
	Anon   string // the public key, "" for none yet
}

// A FormerKey is good until its end for what it has signed.
type FormerKey struct {
	Secret []byte
	Until  time.Time
}

// Keyring reads it.
func (a *Accounts) Keyring(ctx context.Context) (k Keyring, err error) {
	type secret struct {
		name  string
		value []byte
		until time.Time
	}
	list, err := db.All(ctx, a.db, `select name, value, expires_at from cairn.secrets where name in (?, ?) or name like ? order by name`,
		[]any{keySecret, anonKey, formerKeys + "%"}, func(s *secret) []any { return []any{&s.name, &s.value, db.Stamp(&s.until)} })
	for _, s := range list {
		switch {
		case s.name == keySecret:
			k.Secret = s.value
		case s.name == anonKey:
			k.Anon = string(s.value)
		case strings.HasPrefix(s.name, formerKeys) && a.now().Before(s.until):
			k.Former = append(k.Former, FormerKey{s.value, s.until})
		}
	}
	return k, err
}

// AnonKey returns the public key, which is made once and stays, whatever signs.
func (a *Accounts) AnonKey(ctx context.Context, make func() []byte) (string, error) {
	key, err := a.Secret(ctx, anonKey, make)
	return string(key), err
}

// A Rotation says how keys are replaced.
type Rotation struct {
	Secret []byte        // signs from now on
	Keep   time.Duration // how long what the old one has signed stays good; 0 ends it at once, and that of older ones
	Anon   string        // the new public key, "" to keep the one that is there
}

// RotateKey replaces the key that signs access tokens; ErrNoKey.
func (a *Accounts) RotateKey(ctx context.Context, r Rotation) error {
	now := a.now()
	return a.update(ctx, func(tx *db.Tx) error {
		var old []byte
		err := tx.QueryRow(ctx, `select value from cairn.secrets where name = ?`, keySecret).Scan(&old)
		if err != nil {
			return db.None(err, ErrNoKey)
		}
		detail := "at once"
		if r.Keep > 0 {
			detail = "after " + r.Keep.String()
			_, err = tx.Exec(ctx, `insert into cairn.secrets (name, value, expires_at, created_at) values (?, ?, ?, ?)`,
				formerKeys+strconv.FormatInt(now.UnixMicro(), 10), old, now.Add(r.Keep), now)
		} else {
			_, err = tx.Exec(ctx, `delete from cairn.secrets where name like ?`, formerKeys+"%")
		}
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `update cairn.secrets set value = ?, created_at = ? where name = ?`, r.Secret, now, keySecret); err != nil {
			return err
		}
		if r.Anon != "" {
			if _, err := tx.Exec(ctx, `insert into cairn.secrets (name, value, created_at) values (?, ?, ?) on conflict (name) do update set value = excluded.value`, anonKey, []byte(r.Anon), now); err != nil {
				return err
			}
			detail += ", public key"
		}
		return audit.Write(ctx, tx, audit.Entry{Action: audit.KeyRotated, Detail: detail})
	})
}

// Secret returns the value of a name, the same to every server of the database.
// make is called when there is none yet; of several servers that do so at once,
// one wins.
func (a *Accounts) Secret(ctx context.Context, name string, make func() []byte) ([]byte, error) {
	value, err := a.secret(ctx, name)
	if err != nil || value != nil {
		return value, err
	}
	fresh := make()
	err = a.db.Do(ctx, `insert into cairn.secrets (name, value, created_at) values (?, ?, ?) on conflict (name) do nothing`, name, fresh, a.now())
	if err != nil {
		return nil, err
	}
	return a.secret(ctx, name)
}

// secret returns nil when there is none.
func (a *Accounts) secret(ctx context.Context, name string) ([]byte, error) {
	var value []byte
	err := db.None(a.db.Get(ctx, `select value from cairn.secrets where name = ?`, []any{name}, &value), nil)
	return value, err
}
