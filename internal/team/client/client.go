// Package client is the other side of a team's server: signing in, requests,
// delivering what waits in the queue, pulling what the team has. It speaks
// Supabase's protocol with net/http, so the server may be cairn's or a Supabase
// project.
//
// internal/cli imports it. It reads no settings, no repository and no
// environment: who calls it says which server, which files and which secrets
// of CI. It never prints and never asks. A token goes to the server it is for,
// and to no other: see Open, and send in request.go.
package client

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"cairn/internal/home"
	"cairn/internal/team/wire"
	"cairn/internal/term"
)

// Options say which server a client is for and what it has to sign in with.
type Options struct {
	URL      string // the server, as REPO/.cairn/team.json names it
	AnonKey  string // its public key
	TeamSlug string
	Home     home.Home // where the sessions are kept

	// A job of CI has a token, or the address and password of a user of its
	// own, instead of a session. They go to no server but those in Pinned,
	// which must not come from the repository.
	CI     CI
	Pinned []string

	InsecureHTTP bool   // let a token go over http to another machine
	Log          *Log   // nil for none
	Version      string // of cairn, for the User-Agent
	Now          func() time.Time
	Transport    http.RoundTripper // nil for our own
}

// CI is what a job of CI has to sign in with: a token of ours, or a user.
type CI struct {
	Token           string // cairn_ci_…
	Email, Password string
}

// Given reports whether there is anything to sign in with.
func (c CI) Given() bool { return c.Token != "" || c.Email != "" && c.Password != "" }

// A Client talks to one server on behalf of one user or job. It is safe for
// use by several goroutines.
type Client struct {
	opts  Options
	base  string // the URL without a slash at its end
	http  *http.Client
	store *store
	now   func() time.Time

	mu      sync.Mutex
	half    wire.Session  // a sign-in that waits for the second factor
	session Session       // what requests go out with; zero before it is read
	ahead   time.Duration // how far the server's clock is before ours
}

// Open returns a client. It makes no request. Credentials of CI for a server
// that is not pinned are refused here, so nothing can send them.
func Open(o Options) (*Client, error) {
	base, err := CleanURL(o.URL)
	if err != nil {
		return nil, err
	}
	if err := o.plainAllowed(base); err != nil {
		return nil, err
	}
	if strings.ContainsFunc(o.AnonKey, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, &Error{Kind: ErrRefused, Message: "the public key of " + base + " has characters that no key has: see anon_key in .cairn/team.json"}
	}
	if o.CI.Token != "" && !strings.HasPrefix(o.CI.Token, wire.TokenPrefix) {
		return nil, term.Hint(&Error{Kind: ErrSignIn, Message: "the token for CI does not begin with " + wire.TokenPrefix},
			"cairn team token create makes one")
	}
	if o.CI.Given() && !pinned(base, o.Pinned) {
		return nil, term.Hint(&Error{Kind: ErrSignIn, Message: fmt.Sprintf(
			"the credentials for CI are not sent to %s: only the repository names that server", base)},
			"set CAIRN_URL=%s in the job, if that is your team's server", base)
	}
	c := &Client{opts: o, base: base, store: openStore(o.Home), now: o.Now}
	if c.now == nil {
		c.now = time.Now
	}
	transport := o.Transport
	if transport == nil {
		transport = newTransport()
	}
	c.http = &http.Client{Transport: transport, CheckRedirect: c.checkRedirect}
	return c, nil
}

// URL is the server's, without a slash at its end: the key of auth.json.
func (c *Client) URL() string { return c.base }

// pinned reports whether a server is among those that were named outside the
// repository.
func pinned(base string, list []string) bool {
	return slices.ContainsFunc(list, func(u string) bool { clean, err := CleanURL(u); return err == nil && clean == base })
}

// CleanURL is a server's address in the one form that it is compared and kept
// in: scheme and host in lower case, no default port, no slash at the end.
func CleanURL(text string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(text))
	switch {
	case err != nil || u.Host == "" || u.Hostname() == "":
		return "", &Error{Kind: ErrRefused, Message: fmt.Sprintf("%q is no address of a server; https://team.example.com is like one", text)}
	case u.Scheme != "https" && u.Scheme != "http":
		return "", &Error{Kind: ErrRefused, Message: fmt.Sprintf("%s must begin with https://", text)}
	case u.User != nil:
		return "", &Error{Kind: ErrRefused, Message: "the address of a server holds no user and no password"}
	case u.RawQuery != "" || u.Fragment != "":
		return "", &Error{Kind: ErrRefused, Message: fmt.Sprintf("%s: the address of a server ends before ? and #", text)}
	}
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	if port := u.Port(); scheme == "https" && port == "443" || scheme == "http" && port == "80" {
		host = strings.TrimSuffix(host, ":"+port)
	}
	return scheme + "://" + host + strings.TrimRight(u.EscapedPath(), "/"), nil
}

// plainAllowed refuses http to another machine: everyone between would read
// the token.
func (o Options) plainAllowed(base string) error {
	u, _ := url.Parse(base)
	if u.Scheme == "https" || o.InsecureHTTP || loopback(u.Hostname()) {
		return nil
	}
	return term.Hint(&Error{Kind: ErrRefused, Message: base + " is not encrypted, so it gets no token"},
		"use https, or set CAIRN_INSECURE_HTTP=1 in a network that you trust")
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// checkRedirect follows redirects on the same server only: the token is for it
// alone, and a page that a network shows instead of the server is no answer.
func (c *Client) checkRedirect(r *http.Request, via []*http.Request) error {
	if len(via) >= 5 || !strings.EqualFold(r.URL.Host, via[0].URL.Host) || r.URL.Scheme != via[0].URL.Scheme {
		return http.ErrUseLastResponse
	}
	return nil
}

func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
		TLSClientConfig:       &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:   5 * time.Second,
		ForceAttemptHTTP2:     true,
		MaxIdleConnsPerHost:   10,
		IdleConnTimeout:       30 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
}
