package account

import (
	"context"
	"errors"

	"golang.org/x/crypto/bcrypt"
)

// MinPassword and MaxPassword are bytes. bcrypt reads no more than 72.
const (
	MinPassword = 8
	MaxPassword = 72
)

// Strong is ErrWeak, ErrEasy or ErrTooLong for a password that a user may not
// choose. about are words that others would guess: the address, a team's name.
func Strong(password string, about ...string) error {
	switch {
	case len(password) < MinPassword:
		return ErrWeak
	case len(password) > MaxPassword:
		return ErrTooLong
	case easy(password, about):
		return ErrEasy
	}
	return nil
}

// Hash returns a password's bcrypt hash, or ErrTooLong. It takes long: never
// call it in a transaction.
func (a *Accounts) Hash(password string) (string, error) {
	if len(password) > MaxPassword {
		return "", ErrTooLong
	}
	h, err := bcrypt.GenerateFromPassword([]byte(password), a.cost)
	return string(h), err
}

// unknown is the hash of a password that no user has, so that an unknown
// address takes as long as a wrong password.
func (a *Accounts) unknown() []byte {
	h, err := bcrypt.GenerateFromPassword(random(32), a.cost)
	if err != nil {
		panic(err) // the length is right, and so is the cost of everyone's
	}
	return h
}

// SignIn returns the user of an address and password. Whatever is wrong with
// either is ErrPassword after the same work; only who knows the password is told
// ErrUnconfirmed or ErrBanned.
func (a *Accounts) SignIn(ctx context.Context, email, password string) (User, error) {
	other := a.nobody() // made before anything is known, so that the first sign-in tells nothing either
	u, err := a.UserByEmail(ctx, email)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return User{}, err
	}
	known := err == nil && u.PasswordHash != "" && !u.Bot && len(password) <= MaxPassword
	hash := []byte(u.PasswordHash)
	if !known {
		hash = other
	}
	short := []byte(password)
	if len(short) > MaxPassword {
		short = short[:MaxPassword]
	}
	matches := a.compare(hash, short) == nil
	switch {
	case !known || !matches:
		return User{}, ErrPassword
	case u.Confirmed.IsZero():
		return User{}, ErrUnconfirmed
	case u.Banned(a.now()):
		return User{}, ErrBanned
	}
	return u, nil
}

// IsHash says whether a text is a bcrypt hash.
func IsHash(s string) bool {
	_, err := bcrypt.Cost([]byte(s))
	return err == nil
}
