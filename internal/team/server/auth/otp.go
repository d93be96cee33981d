package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"cairn/internal/team/db/account"
	mailtext "cairn/internal/team/server/mail"
	"cairn/internal/team/wire"
)

func (s *server) mailed(kind account.Kind) answering {
	return func(w http.ResponseWriter, r *http.Request) (any, error) {
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
		if err != nil {
			return nil, err
		}
		make := kind == account.MagicLink && (q.CreateUser == nil || *q.CreateUser)
		to := s.redirect(r.URL.Query().Get("redirect_to")).String()
		return struct{}{}, s.sendLink(r, q.Email, make, q.Data, ask{kind: kind, challenge: q.Challenge, redirect: to})
	}
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

// An ask is what a mail with a link and a code is wanted for.
type ask struct {
	kind      account.Kind
	challenge string // of PKCE, "" without it
	redirect  string // where the link is to end, allowed
	often     bool   // not held back: the admin wants it
	silent    bool   // the answer must not tell whether the address has an account
}

// A link is what a mail says.
type link struct {
	url, token, code string
}

// mailPause is how long a user waits for the next mail.
const mailPause = time.Minute

// issue makes a link for a user.
func (s *server) issue(ctx context.Context, u account.User, a ask) (account.User, link, error) {
	now := s.Now().UTC()
	u, err := s.accounts.Change(ctx, u.ID, func(u *account.User) error {
		last := &u.Recovery
		if a.kind == account.Signup || a.kind == account.Invite {
			last = &u.Confirmation
		}
		if wait := last.Add(mailPause).Sub(now); wait > 0 && !a.often {
			return tooSoon(wait)
		}
		*last = now
		if a.kind == account.Invite {
			u.Invited = now
		}
		return nil
	})
	if err != nil {
		return u, link{}, err
	}
	token, code, err := s.accounts.Issue(ctx, account.Ticket{Kind: a.kind, User: u.ID, Email: u.Email, Challenge: a.challenge, RedirectTo: a.redirect})
	if err != nil {
		return u, link{}, err
	}
	return u, link{url: Link(s.SiteURL, a.kind, token, a.redirect), token: token, code: code}, nil
}

// Link signs in who opens it, as the user that the token was issued for, and
// ends at an address.
func Link(site string, kind account.Kind, token, redirect string) string {
	q := url.Values{"token": {token}, "type": {string(kind)}, "redirect_to": {redirect}}
	return strings.TrimRight(site, "/") + wire.Auth + "verify?" + q.Encode()
}

func tooSoon(wait time.Duration) failure {
	return failure{status: 429, code: "over_email_send_rate_limit", retry: wait,
		message: fmt.Sprintf("For security purposes, you can only request this after %d seconds.", seconds(wait))}
}

// mailLink makes a link for a user and sends it.
func (s *server) mailLink(ctx context.Context, u account.User, a ask) (account.User, error) {
	u, l, err := s.issue(ctx, u, a)
	if err != nil {
		return u, err
	}
	m, err := s.letter(a.kind, l)
	if err != nil {
		return u, err
	}
	return u, s.Mailer.Send(ctx, u.Email, m.Subject, m.Text, m.HTML)
}

// letter is the mail of a link, in the words of server/mail.
func (s *server) letter(kind account.Kind, l link) (mailtext.Text, error) {
	site, _ := url.Parse(s.SiteURL) // New has looked at it
	if kind == account.Invite {
		return mailtext.Invitation{Server: site.Host, Link: l.url, Code: l.code, Life: account.InviteLife}.Text()
	}
	return mailtext.SignIn{Server: site.Host, Link: l.url, Code: l.code, Life: account.TokenLife, Confirm: kind == account.Signup}.Text()
}
