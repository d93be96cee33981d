package auth

import (
	"errors"
	"maps"
	"net/http"

	"github.com/google/uuid"

	"cairn/internal/team/db/account"
	"cairn/internal/team/wire"
)

func (s *server) getUser(w http.ResponseWriter, r *http.Request) (any, error) {
	u, _, err := s.halfway(r)
	return s.answerUser(r, u, err)
}

// answerUser answers with a user, or with the error of looking for it.
func (s *server) answerUser(r *http.Request, u account.User, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return s.shown(r, u)
}

// putUser changes the caller's own password or metadata.
func (s *server) putUser(w http.ResponseWriter, r *http.Request) (any, error) {
	var q struct {
		Email    string         `json:"email"`
		Password *string        `json:"password"`
		Data     map[string]any `json:"data"`
	}
	u, session, err := s.person(r)
	if err == nil {
		err = read(w, r, &q)
	}
	if err == nil && q.Email != "" {
		if email, bad := account.Address(q.Email); bad != nil || email != u.Email {
			err = failure{status: 422, code: "email_address_not_authorized", message: "Only an admin can change an e-mail address"}
		}
	}
	var hash string
	if err == nil && q.Password != nil {
		hash, err = s.newPassword(r, *q.Password, u.Email)
	}
	if err != nil {
		return nil, err
	}
	u, err = s.accounts.Change(r.Context(), u.ID, func(u *account.User) error {
		merge(&u.Data, q.Data)
		if q.Password != nil {
			u.PasswordHash = hash
		}
		return nil
	})
	if err == nil && q.Password != nil { // who knew the old one is signed out
		err = s.accounts.End(r.Context(), u.ID, session, account.Others)
	}
	return s.answerUser(r, u, err)
}

// newPassword returns the hash of a password that a user chose; about are words
// that others would guess.
func (s *server) newPassword(r *http.Request, password string, about ...string) (hash string, err error) {
	if err := account.Strong(password, about...); err != nil {
		return "", err
	}
	err = s.hashed(r, func() (err error) {
		hash, err = s.accounts.Hash(password)
		return err
	})
	return hash, err
}

// merge puts changes into metadata; null removes a key.
func merge(into *map[string]any, changes map[string]any) {
	if *into == nil {
		*into = map[string]any{}
	}
	maps.Copy(*into, changes)
	maps.DeleteFunc(*into, func(k string, v any) bool { return v == nil })
}

// signup makes an account for a stranger, where that is on.
func (s *server) signup(w http.ResponseWriter, r *http.Request) (any, error) {
	var q struct {
		Email    string         `json:"email"`
		Phone    string         `json:"phone"`
		Password string         `json:"password"`
		Data     map[string]any `json:"data"`
	}
	err := read(w, r, &q)
	switch {
	case err != nil:
	case !s.Signup:
		err = failure{status: 422, code: "signup_disabled", message: "Signups not allowed for this instance"}
	case q.Email == "" && q.Phone == "":
		err = failure{status: 422, code: "anonymous_provider_disabled", message: "Anonymous sign-ins are disabled"}
	case q.Phone != "":
		err = failure{status: 400, code: "phone_provider_disabled", message: "Phone signups are disabled"}
	case q.Password == "":
		err = failure{status: 400, code: "validation_failed", message: "Signup requires a valid password"}
	default:
		err = s.limits.take(joining, s.network(r))
	}
	if err != nil {
		return nil, err
	}
	return s.signupNew(r, q.Email, q.Password, q.Data)
}

// signupNew makes the account: at once where no mail is sent, else it waits for
// the address to be confirmed, and an address that is taken looks the same.
func (s *server) signupNew(r *http.Request, email, password string, data map[string]any) (any, error) {
	n := account.NewUser{ID: uuid.New(), Email: email, Confirmed: s.Mailer == nil, Data: data}
	var err error
	if n.Hash, err = s.newPassword(r, password, email); err != nil {
		return nil, err
	}
	if n.Data == nil {
		n.Data = map[string]any{}
	}
	n.Data["sub"], n.Data["email"], n.Data["email_verified"], n.Data["phone_verified"] = n.ID.String(), email, n.Confirmed, false
	u, err := s.accounts.CreateUser(r.Context(), n)
	taken := errors.Is(err, account.ErrEmailTaken)
	switch {
	case taken && s.Mailer == nil:
		return nil, failure{status: 422, code: "user_already_exists", message: "User already registered"}
	case err == nil && s.Mailer == nil:
		return s.begin(r, u.ID, "password")
	case err == nil:
		_, err = s.mailLink(r.Context(), u, ask{kind: account.Signup, redirect: s.redirect(r.URL.Query().Get("redirect_to")).String()})
	}
	if err != nil && !taken {
		return nil, err
	}
	return s.answerSignup(n), nil
}

// answerSignup answers the same, from the same values, whether the account was
// made or the address had one already: only the mail to its owner tells.
func (s *server) answerSignup(n account.NewUser) wire.User {
	now := s.Now().UTC()
	email, _ := account.Address(n.Email) // CreateUser has looked at it
	u := bare(account.User{ID: n.ID, Email: email, Confirmation: now, App: map[string]any{"provider": "email", "providers": []any{"email"}}, Data: n.Data, Created: now, Updated: now})
	id := n.ID.String()
	u.Identities = []wire.Identity{{IdentityID: uuid.NewString(), ID: id, UserID: id, Provider: "email", Email: email, LastSignInAt: stamp(now), CreatedAt: stamp(now), UpdatedAt: stamp(now),
		IdentityData: object(map[string]any{"sub": id, "email": email, "email_verified": false, "phone_verified": false})}}
	return u
}
