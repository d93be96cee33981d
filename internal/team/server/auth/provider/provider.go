// Package provider asks others who somebody is: GitHub by OAuth, Google and any
// other issuer by OpenID Connect. server/auth sends browsers there and takes
// them back; here is only what is said to the provider and what it answers.
// Users, sessions and where a browser ends never belong here.
package provider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"cairn/internal/team/db/account"
	"cairn/internal/team/server/issuer"
)

// An Attempt is one sign-in as the provider sees it.
type Attempt struct {
	Callback string // where the provider sends the browser back to
	State    string
	Nonce    string // which a provider's ID token repeats
	Verifier string // of PKCE towards the provider
}

// Errors of Person.
var (
	// ErrDown says that the provider cannot be asked now.
	ErrDown = errors.New("the provider cannot be reached")
	// ErrRefused says that it does not vouch for what the browser brought.
	ErrRefused = errors.New("the provider does not accept the sign-in")
)

// A Config is how a provider knows this server.
type Config struct {
	Name   string // in ?provider=, as github; small letters, digits and -
	Title  string // on the button; "" is made of Name
	ID     string // client id
	Secret string
	// URL of a GitHub Enterprise server, or the issuer of OpenID Connect; "" is
	// github.com's or Google's where Name is github or google.
	URL string
	// Client asks it, nil for one with a timeout of 10 s.
	Client *http.Client
}

// New returns the provider of a configuration: GitHub where Name is github,
// else OpenID Connect.
func New(c Config) (Provider, error) {
	if c.Name == "" || strings.Trim(c.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return nil, fmt.Errorf("provider %q: the name must consist of small letters, digits and -", c.Name)
	}
	if c.ID == "" || c.Secret == "" {
		return nil, fmt.Errorf("provider %s: the client id or the client secret is missing", c.Name)
	}
	switch {
	case c.Name == "github" && c.URL == "":
		c.URL = "https://github.com"
	case c.Name == "google" && c.URL == "":
		c.URL = "https://accounts.google.com"
	}
	if u, err := url.Parse(c.URL); err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && !(u.Scheme == "http" && loopback(u.Hostname())) {
		return nil, fmt.Errorf("provider %s: the URL of its issuer is missing; it must be https://HOST", c.Name)
	}
	if c.Title == "" {
		c.Title = title(c.Name)
	}
	client := &http.Client{Timeout: 10 * time.Second}
	if c.Client != nil {
		copied := *c.Client
		client = &copied
	}
	client.Transport = short{client.Transport}
	b := base{name: c.Name, title: c.Title, id: c.ID, secret: c.Secret, client: client}
	if c.Name == "github" {
		return newGitHub(b, strings.TrimSuffix(c.URL, "/")), nil
	}
	return &openID{base: b, issuer: issuer.New(c.URL, c.Client)}, nil
}

// A Provider is one of them.
type Provider interface {
	Name() string
	Title() string
	// AuthURL returns where to send the browser. ErrDown.
	AuthURL(ctx context.Context, a Attempt) (string, error)
	// Person asks who has signed in with the code that the browser brought back.
	// The address that it knows may not be verified. ErrDown, ErrRefused.
	Person(ctx context.Context, code string, a Attempt) (account.Person, error)
	// Issuer is what the provider calls itself in ?iss= (RFC 9207), "" when it does not.
	Issuer() string
}

func title(name string) string {
	switch name {
	case "github":
		return "GitHub"
	case "google":
		return "Google"
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

func loopback(host string) bool { return host == "127.0.0.1" || host == "localhost" || host == "::1" }

type base struct {
	name, title, id, secret string
	client                  *http.Client
}

func (b base) Name() string { return b.name }

func (b base) Title() string { return b.title }

// exchange gives the code back for an access token.
func (b base) exchange(ctx context.Context, o *oauth2.Config, code, verifier string) (*oauth2.Token, error) {
	token, err := o.Exchange(context.WithValue(ctx, oauth2.HTTPClient, b.client), code, oauth2.VerifierOption(verifier))
	if err == nil {
		return token, nil
	}
	// The answer's text may have what was sent in it, so only its code is told.
	if bad, ok := errors.AsType[*oauth2.RetrieveError](err); ok && bad.Response != nil && bad.Response.StatusCode < 500 {
		return nil, fmt.Errorf("%w: token endpoint answered %d %q", ErrRefused, bad.Response.StatusCode, bad.ErrorCode)
	} else if ok {
		return nil, fmt.Errorf("%w: token endpoint answered %d", ErrDown, bad.Response.StatusCode)
	}
	if _, ok := errors.AsType[*url.Error](err); ok {
		return nil, fmt.Errorf("%w: %w", ErrDown, err)
	}
	return nil, fmt.Errorf("%w: its answer has no access token", ErrRefused)
}

// mostAnswer is how many bytes of an answer are read.
const mostAnswer = 1 << 20

// short keeps an answer from being without end.
type short struct{ next http.RoundTripper }

func (s short) RoundTrip(r *http.Request) (*http.Response, error) {
	next := s.next
	if next == nil {
		next = http.DefaultTransport
	}
	answer, err := next.RoundTrip(r)
	if err == nil {
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(answer.Body, mostAnswer), answer.Body}
	}
	return answer, err
}
