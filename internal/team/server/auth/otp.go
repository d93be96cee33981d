package auth

import (
	"errors"
	"net/http"
	"strings"

	"cairn/internal/team/db/account"
)

// otp mails a link and a code to sign in with.
func (s *server) otp(w http.ResponseWriter, r *http.Request) { s.mailed(w, r, account.MagicLink) }

// magiclink is the older name of otp.
func (s *server) magiclink(w http.ResponseWriter, r *http.Request) { s.mailed(w, r, account.MagicLink) }

// recover mails a link to who has forgotten the password.
func (s *server) recover(w http.ResponseWriter, r *http.Request) { s.mailed(w, r, account.Recovery) }

func (s *server) mailed(w http.ResponseWriter, r *http.Request, kind account.Kind) {
	var q struct {
		Email      string         `json:"email"`
		Phone      string         `json:"phone"`
		Data       map[string]any `json:"data"`
		CreateUser *bool          `json:"create_user"`
		Challenge  string         `json:"code_challenge"`
		Method     string         `json:"code_challenge_method"`
	}
	err := read(w, r, &q)
	switch {
	case err != nil:
	case q.Phone != "":
		err = failure{status: 400, code: "phone_provider_disabled", message: "Unsupported phone provider"}
	case q.Email == "":
		err = failure{status: 400, code: "validation_failed", message: "One of email or phone must be set"}
	default:
		err = checkChallenge(q.Challenge, q.Method)
	}
	if err == nil {
		make := kind == account.MagicLink && (q.CreateUser == nil || *q.CreateUser)
		err = s.sendLink(r, q.Email, make, q.Data, ask{kind: kind, challenge: q.Challenge, redirect: s.redirect(r.URL.Query().Get("redirect_to")).String()})
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answer(w, http.StatusOK, struct{}{})
}

// sendLink mails a link to an address. An unknown one gets an account first, if
// make and the server say so; for recovery it looks the same as a known one.
func (s *server) sendLink(r *http.Request, email string, make bool, data map[string]any, a ask) error {
	email, err := account.Address(email)
	if err != nil {
		return err
	}
	if s.Mailer == nil {
		return failure{status: 422, code: "email_provider_disabled", message: "This server sends no mail: ask an admin for an invitation"}
	}
	if err := s.limits.take(asking, network(s.ip(r))); err != nil {
		return err
	}
	if err := s.limits.take(mailing, mailKey(email)); err != nil { // before anybody is looked up: it tells nothing
		return err
	}
	u, err := s.accounts.UserByEmail(r.Context(), email)
	switch {
	case err == nil && u.Bot, errors.Is(err, account.ErrNotFound) && a.kind == account.Recovery:
		return nil
	case errors.Is(err, account.ErrNotFound) && !make:
		return failure{status: 422, code: "otp_disabled", message: "Signups not allowed for otp"}
	case errors.Is(err, account.ErrNotFound) && !s.Signup:
		return failure{status: 422, code: "signup_disabled", message: "Signups not allowed for this instance"}
	case errors.Is(err, account.ErrNotFound):
		u, err = s.accounts.CreateUser(r.Context(), account.NewUser{Email: email, Data: data})
	}
	if err == nil {
		_, err = s.mailLink(r.Context(), u, a)
	}
	var f failure
	if a.kind == account.Recovery && errors.As(err, &f) && f.status == http.StatusTooManyRequests {
		return nil // else asking twice would tell whether the account is there
	}
	return err
}

// checkChallenge looks at the two parameters of PKCE (RFC 7636); none at all is fine.
func checkChallenge(challenge, method string) error {
	if challenge == "" && method == "" {
		return nil
	}
	if !strings.EqualFold(method, "s256") {
		return failure{status: 400, code: "validation_failed", message: "code challenge method must be s256"}
	}
	if len(challenge) != 43 || strings.Trim(challenge, base64url) != "" {
		return failure{status: 400, code: "validation_failed", message: "code challenge must be a SHA-256 in base64url, 43 letters"}
	}
	return nil
}

const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
