package auth

import (
	"maps"
	"net/http"

	"cairn/internal/team/db/account"
)

func (s *server) getUser(w http.ResponseWriter, r *http.Request) {
	u, _, err := s.halfway(r)
	s.answerUser(w, r, u, err)
}

// answerUser answers with a user, or with the error of looking for it.
func (s *server) answerUser(w http.ResponseWriter, r *http.Request, u account.User, err error) {
	if err != nil {
		s.fail(w, r, err)
		return
	}
	out, err := s.shown(r, u)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answer(w, http.StatusOK, out)
}

// putUser changes the caller's own password or metadata.
func (s *server) putUser(w http.ResponseWriter, r *http.Request) {
	u, session, err := s.person(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	var q struct {
		Email    string         `json:"email"`
		Password *string        `json:"password"`
		Data     map[string]any `json:"data"`
	}
	if err := read(w, r, &q); err != nil {
		s.fail(w, r, err)
		return
	}
	if q.Email != "" {
		if email, err := account.Address(q.Email); err != nil || email != u.Email {
			s.fail(w, r, failure{status: 422, code: "email_address_not_authorized", message: "Only an admin can change an e-mail address"})
			return
		}
	}
	var hash string
	if q.Password != nil {
		if hash, err = s.newPassword(r, *q.Password, u.Email); err != nil {
			s.fail(w, r, err)
			return
		}
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
	s.answerUser(w, r, u, err)
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
func (s *server) signup(w http.ResponseWriter, r *http.Request) {
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
		s.fail(w, r, err)
		return
	}
	s.signupNew(w, r, q.Email, q.Password, q.Data)
}
