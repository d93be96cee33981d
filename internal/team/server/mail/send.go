package mail

import (
	"context"
	"errors"
	"net/textproto"
	"time"

	gomail "github.com/wneessen/go-mail"
)

func (m *Mailer) start() {
	for range senders {
		m.done.Go(m.work)
	}
}

func (m *Mailer) work() {
	for {
		select {
		case <-m.stop:
			return
		case l := <-m.queue:
			m.try(l)
		}
	}
}

// try sends a letter once. What did not go is tried again after a while, unless
// the mail server refused it for good or it is too old.
func (m *Mailer) try(l *letter) {
	err := m.deliver(context.Background(), l.msg)
	l.tries++
	switch {
	case err == nil:
		<-m.slots
	case isFinal(err), l.tries > len(m.pauses):
		m.config.Log.Error("a mail could not be sent", "to", l.to, "tries", l.tries, "error", err)
		<-m.slots
	default:
		m.config.Log.Warn("a mail is tried again later", "to", l.to, "tries", l.tries, "error", err)
		time.AfterFunc(m.pauses[l.tries-1], func() { m.queue <- l }) // its slot is still its own
	}
}

func (m *Mailer) client() (*gomail.Client, error) {
	c := m.config
	options := []gomail.Option{gomail.WithPort(c.Port), gomail.WithTimeout(timeout)}
	switch c.TLS {
	case TLS:
		options = append(options, gomail.WithSSL())
	case StartTLS:
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	case Plain:
		options = append(options, gomail.WithTLSPolicy(gomail.NoTLS))
	}
	if c.TLSConfig != nil {
		options = append(options, gomail.WithTLSConfig(c.TLSConfig))
	}
	if c.User != "" {
		auth := gomail.SMTPAuthPlain
		if c.TLS == Plain {
			auth = gomail.SMTPAuthPlainNoEnc
		}
		options = append(options, gomail.WithOpportunisticSMTPAuth(gomail.SMTPAuthSCRAMSHA256, auth, gomail.SMTPAuthLogin),
			gomail.WithUsername(c.User), gomail.WithPassword(c.Password))
	}
	return gomail.NewClient(c.Host, options...)
}

// deliver has one conversation with the mail server. A mail that it took is
// delivered, whatever went wrong while saying good-bye.
func (m *Mailer) deliver(ctx context.Context, msg *gomail.Msg) error {
	client, err := m.client()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if err := client.DialAndSendWithContext(ctx, msg); err != nil && !msg.IsDelivered() {
		return err
	}
	return nil
}

// Deliver sends a mail now, once, and waits for the mail server; final says that
// another try is of no use.
func (m *Mailer) Deliver(ctx context.Context, to, subject, text, html string) (final bool, err error) {
	msg, err := m.compose(to, subject, text, html)
	if err != nil {
		return true, err
	}
	err = m.deliver(ctx, msg)
	return err != nil && isFinal(err), err
}

// isFinal says whether the mail server answered that another try is of no use: 5xx.
func isFinal(err error) bool {
	if send, ok := errors.AsType[*gomail.SendError](err); ok {
		return send.ErrorCode() >= 500
	}
	reply, ok := errors.AsType[*textproto.Error](err)
	return ok && reply.Code >= 500
}

// Close stops sending. What waits for its first try is sent if that is possible
// before the context ends; the rest is lost, and the log says how much.
func (m *Mailer) Close(ctx context.Context) {
	close(m.stop)
	finished := make(chan struct{})
	go func() {
		m.done.Wait()
		defer close(finished)
		for ctx.Err() == nil {
			select {
			case l := <-m.queue:
				if m.deliver(context.Background(), l.msg) == nil {
					<-m.slots
				}
			default:
				return
			}
		}
	}()
	select {
	case <-finished:
	case <-ctx.Done():
	}
	if n := len(m.slots); n > 0 {
		m.config.Log.Error("mails were not sent before the stop", "mails", n)
	}
}
