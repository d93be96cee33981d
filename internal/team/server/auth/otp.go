package auth

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

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

const (
	mostBehind = 64               // requests for mails that are worked on after their answer
	behindTime = 30 * time.Second // that one of them has
)

// sendLink mails a link to an address. An unknown one gets an account first, if
// make and the server say so. Where the answer must not tell whether it is
// known, for recovery and on the page, whatever that decides is done after it.
func (s *server) sendLink(r *http.Request, email string, make bool, data map[string]any, a ask) error {
	email, err := account.Address(email)
	if err != nil {
		return err
	}
	if s.Mailer == nil {
		return failure{status: 422, code: "email_provider_disabled", message: "This server sends no mail: ask an admin for an invitation"}
	}
	if err := s.limits.take(asking, s.network(r)); err != nil {
		return err
	}
	if err := s.limits.take(mailing, mailKey(email)); err != nil { // before anybody is looked up: it tells nothing
		return err
	}
	if a.kind != account.Recovery && !a.silent {
		return s.linkTo(r.Context(), email, make, data, a)
	}
	select {
	case s.behind <- struct{}{}:
	default:
		return failure{status: http.StatusTooManyRequests, code: "over_request_rate_limit", message: "Request rate limit reached", retry: behindTime}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), behindTime)
	s.working.Go(func() {
		defer func() { cancel(); <-s.behind }()
		err := s.linkTo(ctx, email, make, data, a)
		if f := asFailure(err); err != nil && f.status >= 500 {
			s.Log.Error("a link was not mailed", "error", err)
		}
	})
	return nil
}

// linkTo is sendLink without its limits.
func (s *server) linkTo(ctx context.Context, email string, make bool, data map[string]any, a ask) error {
	u, err := s.accounts.UserByEmail(ctx, email)
	switch {
	case err == nil && u.Bot, errors.Is(err, account.ErrNotFound) && a.kind == account.Recovery:
		return nil
	case errors.Is(err, account.ErrNotFound) && !make:
		return failure{status: 422, code: "otp_disabled", message: "Signups not allowed for otp"}
	case errors.Is(err, account.ErrNotFound) && !s.Signup:
		return failure{status: 422, code: "signup_disabled", message: "Signups not allowed for this instance"}
	case errors.Is(err, account.ErrNotFound):
		u, err = s.accounts.CreateUser(ctx, account.NewUser{Email: email, Data: data})
	}
	if err == nil {
		_, err = s.mailLink(ctx, u, a)
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
