package auth

import (
	"errors"
	"net/http"

	"github.com/google/uuid"

	"cairn/internal/team/db/account"
	"cairn/internal/team/wire"
)

// signupNew makes the account: at once where no mail is sent, else it waits for
// the address to be confirmed, and an address that is taken looks the same.
func (s *server) signupNew(w http.ResponseWriter, r *http.Request, email, password string, data map[string]any) {
	n := account.NewUser{ID: uuid.New(), Email: email, Confirmed: s.Mailer == nil, Data: data}
	var err error
	if n.Hash, err = s.newPassword(r, password, email); err != nil {
		s.fail(w, r, err)
		return
	}
	if n.Data == nil {
		n.Data = map[string]any{}
	}
	n.Data["sub"], n.Data["email"], n.Data["email_verified"], n.Data["phone_verified"] = n.ID.String(), email, n.Confirmed, false
	u, err := s.accounts.CreateUser(r.Context(), n)
	taken := errors.Is(err, account.ErrEmailTaken)
	if taken && s.Mailer == nil {
		err = failure{status: 422, code: "user_already_exists", message: "User already registered"}
	}
	if s.Mailer == nil {
		s.signupOpen(w, r, u, err)
		return
	}
	if err == nil {
		_, err = s.mailLink(r.Context(), u, ask{kind: account.Signup, redirect: s.redirect(r.URL.Query().Get("redirect_to")).String()})
	}
	if err != nil && !taken {
		s.fail(w, r, err)
		return
	}
	s.answerSignup(w, n)
}

// signupOpen signs the new user in at once: no mail can confirm the address.
func (s *server) signupOpen(w http.ResponseWriter, r *http.Request, u account.User, err error) {
	var made wire.Session
	if err == nil {
		made, err = s.begin(r, u.ID, "password")
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answer(w, http.StatusOK, made)
}

// answerSignup answers the same, from the same values, whether the account was
// made or the address had one already: only the mail to its owner tells.
func (s *server) answerSignup(w http.ResponseWriter, n account.NewUser) {
	now := s.Now().UTC()
	email, _ := account.Address(n.Email) // CreateUser has looked at it
	u := bare(account.User{ID: n.ID, Email: email, Confirmation: now, App: map[string]any{"provider": "email", "providers": []any{"email"}}, Data: n.Data, Created: now, Updated: now})
	id := n.ID.String()
	u.Identities = []wire.Identity{{IdentityID: uuid.NewString(), ID: id, UserID: id, Provider: "email", Email: email, LastSignInAt: stamp(now), CreatedAt: stamp(now), UpdatedAt: stamp(now),
		IdentityData: object(map[string]any{"sub": id, "email": email, "email_verified": false, "phone_verified": false})}}
	answer(w, http.StatusOK, u)
}
