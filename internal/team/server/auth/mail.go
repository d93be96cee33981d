package auth

import (
	"bytes"
	"context"
	_ "embed" // mail.html
	"fmt"
	"html/template"
	"net/url"
	"sync"
	"time"

	"cairn/internal/team/db/account"
)

// An ask is what a mail with a link and a code is wanted for.
type ask struct {
	kind      account.Kind
	challenge string // of PKCE, "" without it
	redirect  string // where the link is to end, allowed
	often     bool   // not held back: the admin wants it
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
	q := url.Values{"token": {token}, "type": {string(a.kind)}, "redirect_to": {a.redirect}}
	return u, link{url: s.SiteURL + "/auth/v1/verify?" + q.Encode(), token: token, code: code}, nil
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
	subject, text, body, err := letter(a.kind, l)
	if err != nil {
		return u, err
	}
	return u, s.Mailer.Send(ctx, u.Email, subject, text, body)
}

//go:embed mail.html
var mailHTML string

var mailTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("mail").Parse(mailHTML)) })

// letter is a mail's subject, text and HTML.
func letter(kind account.Kind, l link) (subject, text, body string, err error) {
	what, button := "Sign in to cairn", "Sign in"
	switch kind {
	case account.Signup:
		what, button = "Confirm your e-mail address", "Confirm"
	case account.Invite:
		what, button = "You are invited to cairn", "Accept"
	case account.Recovery:
		what, button = "Get back into your account", "Sign in"
	}
	text = fmt.Sprintf("%s\n\nOpen this link:\n%s\n\nor type in this code: %s\n\nThe link and the code work once, for a short time. Who did not ask for this mail can ignore it.\n", what, l.url, l.code)
	var b bytes.Buffer
	err = mailTemplate().Execute(&b, map[string]string{"What": what, "Button": button, "URL": l.url, "Code": l.code})
	return what, text, b.String(), err
}
