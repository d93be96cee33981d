package mail

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"cairn/test/cairntest"
)

// mailer starts one with short pauses.
func mailer(t *testing.T, c Config) (*Mailer, *log) {
	t.Helper()
	out := &log{}
	c.Log = slog.New(slog.NewTextHandler(out, nil))
	m, err := newMailer(c)
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.pauses {
		m.pauses[i] = time.Millisecond
	}
	m.start()
	t.Cleanup(func() {
		m.Close(context.Background())
		if strings.Contains(out.String(), "secret-password") {
			t.Error("the password is in the log")
		}
	})
	return m, out
}

type log struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) { l.mu.Lock(); defer l.mu.Unlock(); return l.buf.Write(p) }

func (l *log) String() string { l.mu.Lock(); defer l.mu.Unlock(); return l.buf.String() }

// idle waits until nothing is under way any more.
func idle(m *Mailer) {
	for len(m.slots) > 0 {
		time.Sleep(time.Millisecond)
	}
}

func send(t *testing.T, m *Mailer) {
	t.Helper()
	if err := m.Send(context.Background(), "ann@home.test", "Grüße", "the text\n.dot\n", "<p>the page</p>"); err != nil {
		t.Fatal(err)
	}
}

func TestSend(t *testing.T) {
	for name, change := range map[string]func(*server, *Config){
		"starttls": func(*server, *Config) {},
		"tls":      func(s *server, c *Config) { c.TLS = TLS; s.set(func() { s.wrapped = true }) },
		"none":     func(s *server, c *Config) { c.TLS = Plain; s.set(func() { s.noTLS = true }) },
		"no login": func(_ *server, c *Config) { c.User, c.Password = "", "" },
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			c := s.config()
			change(s, &c)
			m, _ := mailer(t, c)
			send(t, m)
			got := <-s.mails
			if got.secure != (c.TLS != Plain) || got.from != "FROM:<cairn@team.test> BODY=8BITMIME" || got.to != "TO:<ann@home.test>" || got.login != strings.TrimSpace(c.User+" "+c.Password) {
				t.Errorf("%+v", got)
			}
			msg, err := netmail.ReadMessage(strings.NewReader(got.data))
			if err != nil {
				t.Fatal(err)
			}
			subject, _ := new(mime.WordDecoder).DecodeHeader(msg.Header.Get("Subject"))
			if subject != "Grüße" || msg.Header.Get("Auto-Submitted") != "auto-generated" || !strings.HasSuffix(msg.Header.Get("Message-ID"), "@team.test>") || msg.Header.Get("Date") == "" {
				t.Errorf("%v", msg.Header)
			}
			_, params, _ := mime.ParseMediaType(msg.Header.Get("Content-Type"))
			parts := multipart.NewReader(msg.Body, params["boundary"])
			for _, want := range []string{"the text\r\n.dot\r\n", "<p>the page</p>"} {
				part, err := parts.NextRawPart()
				if err != nil {
					t.Fatal(err)
				}
				body, _ := io.ReadAll(quotedprintable.NewReader(part))
				if string(body) != want && strings.ReplaceAll(string(body), "\n", "\r\n") != want {
					t.Errorf("part %q, want %q", body, want)
				}
			}
			idle(m)
		})
	}
}

func TestRetry(t *testing.T) {
	for name, x := range map[string]struct {
		say   func(n int, command string) string // n counts this command from 1
		mails int
		tries int
		log   string
	}{
		"greylisting":                {func(n int, c string) string { return when(c == "RCPT" && n < 3, "451 4.7.1 come back later") }, 1, 3, "tried again"},
		"too many connections":       {func(n int, c string) string { return when(c == "CONNECT" && n < 3, "421 busy") }, 1, 3, "tried again"},
		"dropped at once":            {func(n int, c string) string { return when(c == "CONNECT" && n == 1, "drop") }, 1, 2, "tried again"},
		"dropped in the middle":      {func(n int, c string) string { return when(c == "MAIL" && n == 1, "drop") }, 1, 2, "tried again"},
		"dropped before its answer":  {func(n int, c string) string { return when(c == "." && n == 1, "drop") }, 1, 2, "tried again"},
		"full":                       {func(n int, c string) string { return when(c == "." && n == 1, "452 no room") }, 1, 2, "tried again"},
		"dropped after it was taken": {func(n int, c string) string { return when(c == "QUIT" || c == "RSET", "drop") }, 1, 1, ""},
		"no such address":            {func(n int, c string) string { return when(c == "RCPT", "550 5.1.1 no such user") }, 0, 1, "could not be sent"},
		"refused text":               {func(n int, c string) string { return when(c == ".", "554 spam") }, 0, 1, "could not be sent"},
		"wrong password":             {func(n int, c string) string { return when(c == "AUTH", "535 no") }, 0, 1, "could not be sent"},
		"always later":               {func(n int, c string) string { return when(c == "RCPT", "450 later") }, 0, 9, "tries=9"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			count := map[string]int{}
			s.set(func() {
				s.say = func(command string) string {
					verb, _, _ := strings.Cut(command, " ")
					count[verb]++
					return x.say(count[verb], verb)
				}
			})
			m, out := mailer(t, s.config())
			send(t, m)
			idle(m)
			s.mu.Lock()
			mails, tries := len(s.got), count["CONNECT"]
			s.mu.Unlock()
			if mails != x.mails || tries != x.tries || !strings.Contains(out.String(), x.log) || x.log == "" && out.String() != "" {
				t.Errorf("%d mails after %d tries, want %d and %d; log: %s", mails, tries, x.mails, x.tries, out)
			}
		})
	}
}

func when(so bool, answer string) string {
	if so {
		return answer
	}
	return ""
}

// A password goes nowhere in clear, and neither does a mail to whoever answers.
func TestNoTLSNoMail(t *testing.T) {
	for name, change := range map[string]func(*server, *Config){
		"the server offers no TLS":       func(s *server, c *Config) { s.set(func() { s.noTLS = true }) },
		"someone else's certificate":     func(s *server, c *Config) { c.TLSConfig = &tls.Config{ServerName: "127.0.0.1"} },
		"a certificate for another host": func(s *server, c *Config) { c.TLSConfig.ServerName = "mail.example" },
	} {
		s := newServer(t)
		c := s.config()
		change(s, &c)
		m, _ := mailer(t, c)
		send(t, m)
		idle(m)
		if s.saw("AUTH") > 0 || s.saw("MAIL") > 0 {
			t.Errorf("%s: the server was told %q", name, s.seen)
		}
	}
}

func TestInjection(t *testing.T) {
	s := newServer(t)
	m, _ := mailer(t, s.config())
	for _, to := range []string{"", "a@b.test\r\nBcc: evil@x.test", "a@b.test, c@d.test", "Ann <a@b.test>", "a b@c.test", "a@b.test\n", "<a@b.test>", "a@b.test>\r\nRCPT TO:<x@y.test"} {
		if err := m.Send(context.Background(), to, "s", "t", "h"); !errors.Is(err, ErrAddress) {
			t.Errorf("to %q: %v", to, err)
		}
	}
	for _, subject := range []string{"", "a\r\nBcc: evil@x.test", "a\nb", "a\x00b", "a\x7f"} {
		if err := m.Send(context.Background(), "a@b.test", subject, "t", "h"); !errors.Is(err, ErrHeader) {
			t.Errorf("subject %q: %v", subject, err)
		}
	}
	if s.saw("CONNECT") > 0 {
		t.Error("the mail server was asked")
	}
}

// A mail server that says nothing holds up nobody but the mails, and no more of
// them are kept than there is room for.
func TestSlow(t *testing.T) {
	cairntest.Long(t)
	s := newServer(t)
	release := make(chan struct{})
	s.set(func() { s.say = func(string) string { <-release; return "drop" } })
	m, _ := mailer(t, s.config())
	for range mostWaiting {
		send(t, m)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := m.Send(ctx, "a@b.test", "s", "t", ""); !errors.Is(err, context.Canceled) {
		t.Errorf("when there is no room and nobody waits: %v", err)
	}
	if err := m.Send(context.Background(), "a@b.test", "s", "t", ""); !errors.Is(err, ErrBusy) {
		t.Errorf("when there is no room: %v", err)
	}
	close(release)
	s.listener.Close()
	idle(m)
}

func TestClose(t *testing.T) {
	s := newServer(t)
	m, err := newMailer(s.config()) // not started: everything still waits
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		send(t, m)
	}
	m.Close(context.Background())
	s.set(func() {
		if len(s.got) != 3 {
			t.Errorf("%d of 3 mails were sent before the stop", len(s.got))
		}
	})
	if err := m.Send(context.Background(), "a@b.test", "s", "t", ""); !errors.Is(err, ErrBusy) {
		t.Errorf("after the stop: %v", err)
	}
}

func TestConfig(t *testing.T) {
	for want, c := range map[string]Config{
		"invalid e-mail address":                {Host: "h", From: "cairn"},
		"name must not be empty":                {From: "a@b.test"},
		"not 70000":                             {Host: "h", From: "a@b.test", Port: 70000},
		"starttls, tls or none":                 {Host: "h", From: "a@b.test", TLS: "ssl"},
		"password for the mail server must not": {Host: "mail.test", From: "a@b.test", TLS: Plain, User: "u", Password: "p"},
	} {
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestTexts(t *testing.T) {
	code, err := SignIn{Server: "team.test", Link: "https://team.test/auth/v1/verify?token=x&type=magiclink", Code: "123456", Life: time.Hour}.Text()
	if err != nil || code.Subject != "Sign in to team.test: 123456" || !strings.Contains(code.Text, "\nhttps://team.test/auth/v1/verify?token=x&type=magiclink\n") ||
		!strings.Contains(code.Text, "    123456\n") || !strings.Contains(code.Text, "60 minutes") || !strings.Contains(code.HTML, `href="https://team.test/auth/v1/verify?token=x&amp;type=magiclink"`) {
		t.Errorf("%+v, %v", code, err)
	}
	link, err := SignIn{Server: "team.test", Link: "https://team.test/x", Life: time.Hour, Confirm: true}.Text()
	if err != nil || link.Subject != "Confirm your address for team.test" || strings.Contains(link.Text+link.HTML, "code where") {
		t.Errorf("%+v, %v", link, err)
	}
	evil, err := Invitation{Server: "team.test", Team: "A\r\nBcc: x@y.test <script>\u202e" + strings.Repeat("z", 200), By: "ann@home.test", Link: "javascript:alert(1)", Life: 7 * 24 * time.Hour}.Text()
	if err != nil || strings.ContainsAny(evil.Subject, "\r\n\u202e") || len(evil.Subject) > 200 || strings.Contains(evil.HTML, "<script>") || strings.Contains(evil.HTML, `href="javascript`) || !strings.Contains(evil.Text, "7 days") {
		t.Errorf("%+v, %v", evil, err)
	}
	plain, err := Invitation{Server: "team.test", Link: "https://team.test/join#x", Life: 24 * time.Hour}.Text()
	if err != nil || plain.Subject != "You are invited to team.test" {
		t.Errorf("%+v, %v", plain, err)
	}
}
