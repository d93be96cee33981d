// Package mail sends what people sign in with by SMTP, and has the texts of it.
// A mail is taken at once and sent in the background, again and again while the
// mail server says "later". What waits is kept in memory only: after a restart
// people ask for another link. team/server makes the Mailer, server/auth uses it.
// Who gets a mail and why never belongs here.
package mail

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"embed"
	"errors"
	"fmt"
	html "html/template"
	"log/slog"
	"net"
	"net/mail"
	"strings"
	"sync"
	text "text/template"
	"time"
	"unicode"

	gomail "github.com/wneessen/go-mail"
)

// A Security is how the connection to the mail server is kept from others.
type Security string

const (
	StartTLS Security = "starttls" // in clear first, then TLS or nothing (port 587); also ""
	TLS      Security = "tls"      // from the first byte (port 465)
	Plain    Security = "none"     // never: a mail server on this machine only
)

// Config of New.
type Config struct {
	Host      string
	Port      int // 0 is 587, 465 or 25, by TLS
	User      string
	Password  string
	From      string // cairn@team.example, or with a name: Cairn <cairn@team.example>
	TLS       Security
	TLSConfig *tls.Config // nil is the usual one
	Log       *slog.Logger
}

// Errors of Send.
var (
	ErrAddress = errors.New("that is not one e-mail address")
	ErrHeader  = errors.New("a mail's subject must be one line")
	ErrBusy    = errors.New("too many mails wait for the mail server")
)

const (
	mostWaiting = 500
	senders     = 2
	patience    = time.Second      // of Send when too many wait
	timeout     = 30 * time.Second // of one conversation with the mail server
)

// A Mailer sends mails in the background. Close must be called.
type Mailer struct {
	config Config
	from   *mail.Address
	pauses []time.Duration // before each further try
	slots  chan struct{}   // one for each mail that waits or is being sent
	queue  chan *letter
	stop   chan struct{} // closed by Close
	done   sync.WaitGroup
}

// A letter on its way.
type letter struct {
	msg   *gomail.Msg
	to    string
	tries int
}

// New returns a mailer and starts it. It does not ask the mail server.
func New(c Config) (*Mailer, error) {
	m, err := newMailer(c)
	if err != nil {
		return nil, err
	}
	m.start()
	return m, nil
}

func newMailer(c Config) (*Mailer, error) {
	from, err := mail.ParseAddress(c.From)
	switch {
	case err != nil:
		return nil, fmt.Errorf("invalid e-mail address %q of the sender", c.From)
	case c.Host == "" || strings.ContainsFunc(c.Host, unicode.IsSpace):
		return nil, errors.New("the mail server's name must not be empty or have a port")
	case c.Port < 0 || c.Port > 65535:
		return nil, fmt.Errorf("the mail server's port must be 1 to 65535, not %d", c.Port)
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	port := 0
	switch c.TLS {
	case "", StartTLS:
		c.TLS, port = StartTLS, 587
	case TLS:
		port = 465
	case Plain:
		if port = 25; c.Password != "" && !thisMachine(c.Host) {
			return nil, errors.New("a password for the mail server must not be sent without TLS")
		}
	default:
		return nil, fmt.Errorf("TLS of the mail server must be starttls, tls or none, not %q", c.TLS)
	}
	if c.Port == 0 {
		c.Port = port
	}
	m := &Mailer{config: c, from: from, slots: make(chan struct{}, mostWaiting), queue: make(chan *letter, mostWaiting), stop: make(chan struct{}),
		// Greylisting wants some minutes; a link to sign in is of no use after an hour.
		pauses: []time.Duration{5 * time.Second, 30 * time.Second, time.Minute, 3 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 25 * time.Minute}}
	if _, err := m.client(); err != nil {
		return nil, err
	}
	return m, nil
}

func thisMachine(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Send takes a mail for one address, to be sent soon. nil says that it was
// taken, not that it arrived. It waits at most a second; ErrBusy, ErrAddress and
// ErrHeader are its errors, and the context's.
func (m *Mailer) Send(ctx context.Context, to, subject, text, html string) error {
	msg, err := m.compose(to, subject, text, html)
	if err != nil {
		return err
	}
	wait := time.NewTimer(patience)
	defer wait.Stop()
	select {
	case <-m.stop: // before all else: of several that can go on, select takes any
		return ErrBusy
	default:
	}
	select {
	case m.slots <- struct{}{}:
	case <-wait.C:
		return ErrBusy
	case <-m.stop:
		return ErrBusy
	case <-ctx.Done():
		return ctx.Err()
	}
	m.queue <- &letter{msg: msg, to: to} // has as many places as there are slots
	return nil
}

func (m *Mailer) compose(to, subject, text, html string) (*gomail.Msg, error) {
	address, err := mail.ParseAddress(to)
	if err != nil || address.Address != to || strings.ContainsFunc(to, unicode.IsControl) {
		return nil, ErrAddress
	}
	if subject == "" || strings.ContainsFunc(subject, unicode.IsControl) {
		return nil, ErrHeader
	}
	msg := gomail.NewMsg()
	if err := errors.Join(msg.From(m.from.String()), msg.To(to)); err != nil {
		return nil, ErrAddress
	}
	msg.Subject(subject)
	msg.SetDate()
	_, domain, _ := strings.Cut(m.from.Address, "@")
	msg.SetMessageIDWithValue(rand.Text() + "@" + domain)
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no one answers with a note of absence
	msg.SetBodyString(gomail.TypeTextPlain, text)
	if html != "" {
		msg.AddAlternativeString(gomail.TypeTextHTML, html)
	}
	return msg, nil
}

// The first line of a text is its subject, the second is empty.
//
//go:embed *.txt *.html
var files embed.FS

// A Text is what Send is given.
type Text struct{ Subject, Text, HTML string }

// A SignIn is the mail with which someone signs in, or proves an address for
// the first time.
type SignIn struct {
	Server  string // team.example
	Link    string
	Code    string // six digits
	Life    time.Duration
	Confirm bool // the address is new: the first sign-in
}

// Text writes it.
func (s SignIn) Text() (Text, error) {
	return write("signin", s)
}

// Minutes says how long it is valid.
func (s SignIn) Minutes() int { return int(s.Life.Minutes()) }

// An Invitation is the mail that asks someone to join a team, or the server
// where Team is "".
type Invitation struct {
	Server string
	Team   string // its name, which a member chose
	By     string // e-mail address of who invites, "" is the server's admin
	Link   string
	Code   string // six digits, "" is none
	Life   time.Duration
}

// Text writes it.
func (i Invitation) Text() (Text, error) {
	i.Team, i.By = line(i.Team), line(i.By)
	return write("invite", i)
}

// Days says how long it is valid.
func (i Invitation) Days() int { return int(i.Life.Hours() / 24) }

// mostOfLine is how much of what a member chose stands in another's mail.
const mostOfLine = 100

// line makes a stranger's text one plain line.
func line(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) }), " ")
	if r := []rune(s); len(r) > mostOfLine {
		s = string(r[:mostOfLine]) + "…"
	}
	return s
}

type templates struct {
	text *text.Template
	html *html.Template
}

var parsed = sync.OnceValue(func() templates {
	return templates{text.Must(text.ParseFS(files, "*.txt")), html.Must(html.ParseFS(files, "*.html"))}
})

func write(name string, data any) (Text, error) {
	t := parsed()
	var plain, rich bytes.Buffer
	if err := t.text.ExecuteTemplate(&plain, name+".txt", data); err != nil {
		return Text{}, err
	}
	if err := t.html.ExecuteTemplate(&rich, name+".html", data); err != nil {
		return Text{}, err
	}
	subject, body, ok := strings.Cut(plain.String(), "\n\n")
	if !ok || strings.Contains(subject, "\n") {
		return Text{}, fmt.Errorf("the mail %s has no subject", name)
	}
	return Text{Subject: subject, Text: body, HTML: rich.String()}, nil
}
