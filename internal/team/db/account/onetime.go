package account

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// A Kind is what a one-time token is for.
type Kind string

const (
	MagicLink Kind = "magiclink"
	Signup    Kind = "signup"
	Invite    Kind = "invite" // by an admin of the server; invitations to a team are in team_invites
	Recovery  Kind = "recovery"
	claim     Kind = "claim"
)

const (
	// TokenLife is how long a one-time token may be used.
	TokenLife = time.Hour
	// InviteLife is how long an invitation may.
	InviteLife = 7 * 24 * time.Hour
	// MostTries of a code: a right one after that many wrong ones is refused.
	MostTries = 5
	// PKCEPrefix begins the token of a link that only a program which has the
	// verifier can use.
	PKCEPrefix = "pkce_"
)

// A Ticket is what a one-time token is made for, and what using it gives back.
type Ticket struct {
	Kind       Kind
	User       uuid.UUID
	Email      string
	Challenge  string // of PKCE (s256), "" without it
	RedirectTo string
}

// Issue makes a one-time token for a link and a code of six digits for typing;
// either can be used, once. An older token of the user for the same is void.
func (a *Accounts) Issue(ctx context.Context, t Ticket) (token, code string, err error) {
	token = hex.EncodeToString(random(28))
	if t.Challenge != "" {
		token = PKCEPrefix + token
	}
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		return "", "", err
	}
	code = fmt.Sprintf("%06d", n)
	codeHash, err := a.codeHash(ctx, t.Email, code)
	if err != nil {
		return "", "", err
	}
	life := TokenLife
	if t.Kind == Invite {
		life = InviteLife
	}
	now := a.now()
	err = a.update(ctx, func(tx *db.Tx) error {
		if _, err := tx.Exec(ctx, `delete from auth.one_time_tokens where user_id = ? and kind = ? or expires_at < ?`, t.User, string(t.Kind), now); err != nil {
			return err
		}
		return tx.Do(ctx, `insert into auth.one_time_tokens (token_hash, code_hash, kind, user_id, email, code_challenge, redirect_to, expires_at, created_at)
			values (?, ?, ?, ?, ?, ?, ?, ?, ?)`, db.Hashed(token), codeHash, string(t.Kind), t.User, strings.ToLower(t.Email), t.Challenge, t.RedirectTo, now.Add(life), now)
	})
	return token, code, err
}

// codeHash hides a code with the server's key: of a million codes a plain hash is no secret.
func (a *Accounts) codeHash(ctx context.Context, email, code string) (string, error) {
	sum, err := a.derived(ctx, "code", strings.ToLower(email)+"\x00"+code)
	return hex.EncodeToString(sum), err
}

// Use takes the token of a link, for one of some kinds; ErrToken.
func (a *Accounts) Use(ctx context.Context, token string, kinds ...Kind) (Ticket, error) {
	return db.Updated(ctx, a.db, func(tx *db.Tx) (Ticket, error) { return a.use(ctx, tx, db.Hashed(token), kinds) })
}

func (a *Accounts) use(ctx context.Context, tx *db.Tx, hash string, kinds []Kind) (Ticket, error) {
	var t Ticket
	var user uuid.NullUUID
	var expires time.Time
	err := tx.QueryRow(ctx, `delete from auth.one_time_tokens where token_hash = ? returning kind, user_id, email, code_challenge, redirect_to, expires_at`, hash).
		Scan((*string)(&t.Kind), &user, &t.Email, &t.Challenge, &t.RedirectTo, db.Stamp(&expires))
	if errors.Is(err, sql.ErrNoRows) || err == nil && (!slices.Contains(kinds, t.Kind) || !a.now().Before(expires)) {
		return Ticket{}, ErrToken // the transaction is taken back: a link of another kind stays good
	}
	t.User = user.UUID
	return t, err
}

// UseCode takes the code of six digits that was sent to an address, for one of
// some kinds; ErrToken. Every try counts, the wrong ones too.
func (a *Accounts) UseCode(ctx context.Context, email, code string, kinds ...Kind) (Ticket, error) {
	want, err := a.codeHash(ctx, strings.TrimSpace(email), code)
	if err != nil {
		return Ticket{}, err
	}
	email = strings.ToLower(strings.TrimSpace(email))
	var t Ticket
	found := false
	err = a.update(ctx, func(tx *db.Tx) error {
		found = false
		tried, err := a.try(ctx, tx, email, kinds)
		if err != nil {
			return err
		}
		for _, one := range tried {
			if subtle.ConstantTimeCompare([]byte(one.code), []byte(want)) == 1 {
				t, err = a.use(ctx, tx, one.token, kinds)
				found = err == nil
				return err
			}
		}
		return nil
	})
	if err == nil && !found {
		err = ErrToken
	}
	return t, err
}

// hashes are what is kept of a token and of its code.
type hashes struct{ token, code string }

// try counts a try at every code that is good for an address and returns them
// by the hash of their token.
func (a *Accounts) try(ctx context.Context, tx *db.Tx, email string, kinds []Kind) ([]hashes, error) {
	args := []any{email, a.now(), MostTries}
	for _, k := range kinds {
		args = append(args, string(k))
	}
	return db.List(ctx, tx, `update auth.one_time_tokens set attempts = attempts + 1 where email = ? and expires_at > ? and attempts < ? and code_hash <> ''
		and kind in (?`+strings.Repeat(", ?", len(kinds)-1)+`) returning token_hash, code_hash`, args, func(h *hashes) []any { return []any{&h.token, &h.code} })
}

// Proven notes that the user of a ticket has shown to own the address: it is
// confirmed from now on. Where until now only an invitation, or only whoever
// typed the address in, had vouched for it, everybody is signed out and a
// password is forgotten: the account was perhaps made in advance, to look into
// it later. The password of a signup stays, that is what its link confirms.
func (a *Accounts) Proven(ctx context.Context, t Ticket) (User, error) {
	return db.Updated(ctx, a.db, func(tx *db.Tx) (User, error) { return a.proven(ctx, tx, t) })
}

func (a *Accounts) proven(ctx context.Context, tx *db.Tx, t Ticket) (User, error) {
	doubtful := false
	u, err := a.change(ctx, tx, t.User, func(u *User) error {
		if t.Email != "" && !sameAddress(t.Email, u.Email) {
			return ErrToken // it proves the address that the user had before
		}
		doubtful = u.App[vouchedKey] != nil || u.Confirmed.IsZero() && t.Kind != Signup
		if doubtful {
			u.PasswordHash = ""
		}
		delete(u.App, vouchedKey)
		if u.Confirmed.IsZero() {
			u.Confirmed = a.now()
			u.Data["email_verified"] = true
		}
		return nil
	})
	if err == nil && doubtful {
		err = end(ctx, tx, t.User, uuid.Nil, Global)
	}
	return u, err
}

// vouchedKey of app_metadata is there while only an invitation says that the
// address is the user's.
const vouchedKey = "vouched_by_invitation"
