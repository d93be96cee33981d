package auth

import (
	"errors"
	"net/http"

	"github.com/google/uuid"

	"cairn/internal/team/db/account"
	"cairn/internal/team/wire"
)

// A generated link: the user, and what a mail would have said.
type generated struct {
	wire.User
	ActionLink string       `json:"action_link"`
	Code       string       `json:"email_otp"`
	Token      string       `json:"hashed_token"`
	Kind       account.Kind `json:"verification_type"`
	RedirectTo string       `json:"redirect_to"`
}

// generateLink gives the admin what would be mailed.
func (s *server) generateLink(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Type       account.Kind   `json:"type"`
		Email      string         `json:"email"`
		Password   string         `json:"password"`
		Data       map[string]any `json:"data"`
		RedirectTo string         `json:"redirect_to"`
	}
	if !s.adminRead(w, r, &q) {
		return
	}
	asked := r.URL.Query().Get("redirect_to")
	if asked == "" {
		asked = q.RedirectTo
	}
	a := ask{kind: q.Type, redirect: s.redirect(asked).String(), often: true}
	u, err := s.linkUser(r, &a, q.Email, q.Password, q.Data)
	var l link
	if err == nil {
		u, l, err = s.issue(r.Context(), u, a)
	}
	var shown wire.User
	if err == nil {
		shown, err = s.shown(r, u)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answer(w, http.StatusOK, generated{User: shown, ActionLink: l.url, Code: l.code, Token: l.token, Kind: a.kind, RedirectTo: a.redirect})
}

// linkUser finds or makes the user of a link that the admin wants.
func (s *server) linkUser(r *http.Request, a *ask, email, password string, data map[string]any) (account.User, error) {
	u, err := s.accounts.UserByEmail(r.Context(), email)
	known := err == nil
	if err != nil && !errors.Is(err, account.ErrNotFound) {
		return u, err
	}
	switch a.kind {
	case account.Invite, account.Signup:
		if known && !u.Confirmed.IsZero() {
			return u, account.ErrEmailTaken
		}
		if a.kind == account.Signup && password == "" && !known {
			return u, failure{status: 400, code: "validation_failed", message: "Signup requires a valid password"}
		}
	case account.MagicLink:
	case account.Recovery:
		if !known {
			return u, account.ErrNotFound
		}
	default:
		return u, failure{status: 400, code: "validation_failed", message: "Invalid email action link type requested: " + string(a.kind)}
	}
	if known {
		return u, nil
	}
	if a.kind == account.MagicLink {
		a.kind = account.Signup
	}
	n := account.NewUser{ID: uuid.New(), Email: email, Data: data, Invited: a.kind == account.Invite}
	if password != "" {
		if n.Hash, err = s.newPassword(r, password, email); err != nil {
			return u, err
		}
	}
	return s.accounts.CreateUser(r.Context(), n)
}

// invite makes an account for an address and mails it the link, for the admin.
func (s *server) invite(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Email string         `json:"email"`
		Data  map[string]any `json:"data"`
	}
	if !s.adminRead(w, r, &q) {
		return
	}
	a := ask{kind: account.Invite, redirect: s.redirect(r.URL.Query().Get("redirect_to")).String(), often: true}
	var u account.User
	err := error(failure{status: 422, code: "email_provider_disabled", message: "This server sends no mail: make the link with admin/generate_link"})
	if s.Mailer != nil {
		u, err = s.linkUser(r, &a, q.Email, "", q.Data)
	}
	if err == nil {
		u, err = s.mailLink(r.Context(), u, a)
	}
	s.answerUser(w, r, u, err)
}
