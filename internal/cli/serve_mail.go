package cli

import (
	"context"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/server/mail"
)

// mailOptions say by which mail server sign-in links, alerts and digests are sent.
type mailOptions struct {
	host, user, from, tls string
	port                  int
}

func (o *mailOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.host, "smtp-host", "", "mail server for links to sign in, alerts and digests (default: none)")
	f.IntVar(&o.port, "smtp-port", 0, "its port (default: 587, 465 or 25, by --smtp-tls)")
	f.StringVar(&o.user, "smtp-user", "", "user of the mail server; CAIRN_SMTP_PASSWORD is its password")
	f.StringVar(&o.from, "smtp-from", "", "sender, as cairn@example.com")
	f.StringVar(&o.tls, "smtp-tls", string(mail.StartTLS), "starttls, tls, or none for one on this machine")
}

// mailer returns nil where no mail is sent.
func (o *mailOptions) mailer(env *Env, log *slog.Logger) (*mail.Mailer, error) {
	if o.host == "" {
		return nil, nil
	}
	m, err := mail.New(mail.Config{Host: o.host, Port: o.port, User: o.user, Password: env.Getenv("CAIRN_SMTP_PASSWORD"), From: o.from, TLS: mail.Security(o.tls), Log: log})
	return m, command.Usage(err)
}

// closeMailer gives mails that are on their way a moment to go.
func closeMailer(m *mail.Mailer) {
	ctx, done := context.WithTimeout(context.Background(), 5*time.Second)
	defer done()
	m.Close(ctx)
}
