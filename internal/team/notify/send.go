package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/retry"
	"cairn/internal/term"
	"cairn/internal/text"
)

// A Mailer sends one mail and waits for the mail server's answer; final says
// that another try is of no use.
type Mailer interface {
	Deliver(ctx context.Context, to, subject, text, html string) (final bool, err error)
}

// Config of New.
type Config struct {
	AllowPrivate bool   // addresses that are not of the internet, and http://
	Mailer       Mailer // nil: mail fails
	Version      string
}

// A Sender sends messages.
type Sender struct {
	config Config
	client *http.Client
	now    func() time.Time
}

const (
	sendTime = 10 * time.Second // for one request, with its answer
	mostRead = 64 << 10         // bytes of an answer that are looked at
	mostSaid = 200              // bytes of an answer that stand in an error
)

// New makes a Sender. It follows no redirects and asks no proxy: either would
// connect to what was not checked.
func New(c Config) *Sender {
	dialer := &net.Dialer{Timeout: sendTime}
	if !c.AllowPrivate {
		dialer.Control = onlyPublic
	}
	return &Sender{config: c, now: time.Now, client: &http.Client{
		Timeout:       sendTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{DialContext: dialer.DialContext, TLSHandshakeTimeout: sendTime, ResponseHeaderTimeout: sendTime,
			DisableKeepAlives: true, MaxResponseHeaderBytes: mostRead, ForceAttemptHTTP2: true},
	}}
}

// A Failure is why a message did not arrive. It never has the address in it.
type Failure struct {
	Why   string
	Final bool          // another try is of no use
	After time.Duration // the receiver wants so long a pause, 0 for none
}

func (f *Failure) Error() string { return f.Why }

// Check says what is wrong with a channel's address, nil for nothing.
func (c Channel) Check(allowPrivate bool) error {
	if c.Kind == Mail {
		name, host, ok := strings.Cut(c.Target, "@")
		if !ok || name == "" || host == "" || strings.ContainsAny(c.Target, " \t\r\n<>\",") {
			return errors.New("invalid e-mail address")
		}
		return nil
	}
	u, err := url.Parse(c.Target)
	switch {
	case err != nil || u.Host == "":
		return errors.New("that is no URL") // never the error itself: it has the address
	case u.Scheme != "https" && !(allowPrivate && u.Scheme == "http"):
		return errors.New("a webhook's URL begins with https://")
	case u.User != nil:
		return errors.New("a webhook's URL has no user and no password in it")
	}
	if ip := net.ParseIP(strings.Trim(u.Hostname(), "[]")); ip != nil && !allowPrivate {
		if onlyPublic("", net.JoinHostPort(ip.String(), "1"), nil) != nil {
			return ErrPrivate
		}
	}
	return nil
}

// Send sends what Body made, once. id is the same at every try. The error is a
// *Failure, or the context's.
func (s *Sender) Send(ctx context.Context, c Channel, id string, body jsontext.Value) error {
	if err := c.Check(s.config.AllowPrivate); err != nil {
		return &Failure{Why: err.Error(), Final: true}
	}
	if c.Kind == Mail {
		return s.mail(ctx, c, body)
	}
	body = body.Clone()
	if err := body.Compact(); err != nil { // a database may have put spaces in
		return &Failure{Why: "the message is no JSON", Final: true}
	}
	if c.Kind == Slack {
		return s.post(ctx, c, body, nil)
	}
	header := http.Header{"Cairn-Delivery": {id}}
	if c.Secret != "" {
		at := strconv.FormatInt(s.now().Unix(), 10)
		header.Set("Cairn-Signature", "t="+at+",v1="+Sign(c.Secret, at, body))
	}
	return s.post(ctx, c, body, header)
}

// Sign is the signature of a webhook's body: HMAC-SHA256 in hex of the time (in
// seconds since 1970, as decimal digits), a full stop, and the body.
func Sign(secret, at string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(at + "."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

func (s *Sender) mail(ctx context.Context, c Channel, body jsontext.Value) error {
	if s.config.Mailer == nil {
		return &Failure{Why: "no mail server is configured: cairn serve --smtp-host"}
	}
	var l letter
	if err := json.Unmarshal(body, &l); err != nil {
		return &Failure{Why: "the message is none of a mail", Final: true}
	}
	final, err := s.config.Mailer.Deliver(ctx, c.Target, l.Subject, l.Text, l.HTML)
	if err != nil {
		return &Failure{Why: plain(c, err.Error()), Final: final}
	}
	return nil
}

func (s *Sender) post(ctx context.Context, c Channel, body jsontext.Value, header http.Header) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Target, bytes.NewReader(body))
	if err != nil {
		return &Failure{Why: "the request cannot be made", Final: true}
	}
	for name, values := range header {
		req.Header[name] = values
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "cairn/"+s.config.Version)
	res, err := s.client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &Failure{Why: why(c, err), Final: errors.Is(err, ErrPrivate)}
	}
	defer res.Body.Close()
	said, _ := io.ReadAll(io.LimitReader(res.Body, mostRead))
	if res.StatusCode/100 == 2 {
		return nil
	}
	f := &Failure{Why: fmt.Sprintf("the receiver answered %d", res.StatusCode), After: retry.After(res.Header, s.now())}
	if text := term.Line(text.Clip(strings.ToValidUTF8(string(said), ""), mostSaid)); text != "" && c.Kind == Slack && res.StatusCode/100 == 4 {
		f.Why += ": " + plain(c, text) // Slack's one word, as invalid_token
	}
	switch res.StatusCode {
	case 408, 409, 425, 429:
	default:
		f.Final = res.StatusCode < 500
	}
	if res.StatusCode/100 == 3 {
		f.Why += ": redirects are not followed"
	}
	return f
}

// why is what a client says without the address.
func why(c Channel, err error) string {
	var dns *net.DNSError
	switch {
	case errors.Is(err, ErrPrivate):
		return ErrPrivate.Error()
	case errors.Is(err, context.DeadlineExceeded), isTimeout(err):
		return "no answer in time"
	case errors.As(err, &dns):
		return "its name is not known"
	}
	var inner *url.Error
	if errors.As(err, &inner) {
		err = inner.Err
	}
	return plain(c, err.Error())
}

func isTimeout(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

// plain takes the address and what is secret in it out of a text.
func plain(c Channel, s string) string {
	if u, err := url.Parse(c.Target); err == nil && c.Kind != Mail {
		for _, part := range []string{c.Target, u.RequestURI(), strings.Trim(u.Path, "/")} {
			if len(part) > 1 {
				s = strings.ReplaceAll(s, part, "…")
			}
		}
	}
	return term.Line(text.Clip(s, mostSaid*2))
}

// Shown is an address without what is secret in it.
func (c Channel) Shown() string {
	if c.Kind == Mail {
		return c.Target
	}
	u, err := url.Parse(c.Target)
	if err != nil || u.Host == "" {
		return "…"
	}
	return u.Scheme + "://" + u.Host + "/…"
}
