package auth

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"cairn/internal/team/db/account"
	mailtext "cairn/internal/team/server/mail"
	"cairn/internal/team/wire"
)

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
