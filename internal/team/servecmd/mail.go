package servecmd

import (
	"context"
	"log/slog"
	"time"

	"cairn/internal/command"
	"cairn/internal/team/server/mail"
)

// MailFlags say by which mail server sign-in links, alerts and digests are sent.
func MailFlags() []command.Flag {
	return []command.Flag{
		{Name: "smtp-host", Default: "", Help: "mail server for sign-in links, alerts and digests (default: none)"},
		{Name: "smtp-port", Default: 0, Help: "its port (default: 587, 465 or 25, by --smtp-tls)"},
		{Name: "smtp-user", Default: "", Help: "user of the mail server; CAIRN_SMTP_PASSWORD is the password"},
		{Name: "smtp-from", Default: "", Help: "sender, such as cairn@example.com"},
		{Name: "smtp-tls", Default: string(mail.StartTLS), OneOf: []string{"starttls", "tls", "none"}, Help: "starttls, tls, or none for a server on this machine"},
	}
}

// Mailer returns the mailer that the flags ask for and what ends it; nil where no
// mail is sent.
func Mailer(c *command.Call, log *slog.Logger) (m *mail.Mailer, end func(), err error) {
	end = func() {}
	if c.String("smtp-host") == "" {
		return nil, end, nil
	}
	m, err = mail.New(mail.Config{
		Host: c.String("smtp-host"), Port: c.Int("smtp-port"), User: c.String("smtp-user"), Password: c.Getenv("CAIRN_SMTP_PASSWORD"),
		From: c.String("smtp-from"), TLS: mail.Security(c.String("smtp-tls")), Log: log,
	})
	if err != nil {
		return nil, end, command.Usage(err)
	}
	return m, func() { // mails that are on their way get a moment to go
		ctx, done := context.WithTimeout(context.Background(), 5*time.Second)
		defer done()
		m.Close(ctx)
	}, nil
}
