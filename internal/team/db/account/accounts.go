// Package account keeps users, their sessions and what proves them.
package account

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// Accounts of a database.
type Accounts struct {
	db  *db.DB
	now func() time.Time
}

// New returns the accounts of a database.
func New(d *db.DB) *Accounts {
	a := &Accounts{db: d}
	a.SetClock(time.Now)
	return a
}

// SetClock replaces the clock, before anything else is called. Databases keep microseconds.
func (a *Accounts) SetClock(now func() time.Time) {
	a.now = func() time.Time { return now().UTC().Truncate(time.Microsecond) }
}

func (a *Accounts) view(ctx context.Context, fn func(*db.Tx) error) error {
	return a.db.View(ctx, db.ServerItself, fn)
}

func (a *Accounts) update(ctx context.Context, fn func(*db.Tx) error) error {
	return a.db.Update(ctx, db.ServerItself, fn)
}

// hashed is what a token is kept as.
func hashed(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// SessionAlive says whether a session is there and not over.
func (a *Accounts) SessionAlive(ctx context.Context, session uuid.UUID) (bool, error) {
	var n int
	err := a.view(ctx, func(tx *db.Tx) error {
		return tx.QueryRow(ctx, `select count(*) from auth.sessions where id = ? and (not_after is null or not_after > ?)`, session, a.now()).Scan(&n)
	})
	return n > 0, err
}
