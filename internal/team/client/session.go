package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"cairn/internal/team/wire"
)

// early is how long before its end an access token is renewed.
const early = time.Minute

// Session returns what auth.json has of this server.
func (c *Client) Session() (Session, error) {
	all, err := c.store.read()
	return all[c.base], err
}

// Automatic reports whether the client acts for a job of CI.
func (c *Client) Automatic() bool { return c.opts.CI.Given() }

// Bearer returns the access token, for a program that sends something itself.
func (c *Client) Bearer(ctx context.Context) (string, error) { return c.token(ctx) }

// token returns the access token that a request goes out with, renewed if its
// end is near by the server's clock.
func (c *Client) token(ctx context.Context) (string, error) {
	if c.opts.CI.Token != "" {
		return c.opts.CI.Token, nil
	}
	s, err := c.current()
	if err != nil {
		return "", err
	}
	if s.AccessToken == "" || c.serverNow().Add(early).Unix() >= s.ExpiresAt {
		if err := c.renew(ctx, s.AccessToken); err != nil {
			return "", err
		}
		s, err = c.current()
	}
	return s.AccessToken, err
}

// current is the session in memory, or the one of auth.json.
func (c *Client) current() (Session, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session.SignedIn() || c.opts.CI.Given() {
		return c.session, nil
	}
	all, err := c.store.read()
	if err != nil {
		return Session{}, err
	}
	s, ok := all[c.base]
	if !ok || !s.SignedIn() {
		return Session{}, NotSignedIn(c.base)
	}
	c.take(s)
	return s, nil
}

// take makes a session the one of this client; mu is held.
func (c *Client) take(s Session) {
	c.session = s
	if c.ahead == 0 {
		c.ahead = time.Duration(s.ClockAhead) * time.Second
	}
}

// serverNow is the time by the server's clock, as far as it is known.
func (c *Client) serverNow() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now().Add(c.ahead)
}

// lookAtClock learns from an answer how far the server's clock is before ours.
func (c *Client) lookAtClock(date string) {
	at, err := http.ParseTime(date)
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead = at.Sub(c.now()).Round(time.Second)
}

// renew replaces an access token that is over, or is said to be. Processes that
// find out at the same time do it once: the first refreshes under the lock, the
// others take what it wrote. A refresh token that the server does not take ends
// the session.
func (c *Client) renew(ctx context.Context, old string) error {
	if c.opts.CI.Given() {
		return c.signInJob(ctx, old)
	}
	unlock, err := c.store.lock(ctx)
	if err == nil {
		defer unlock()
	} else if ctx.Err() != nil {
		return networkError(c.base, ctx.Err())
	}
	all, err := c.store.read()
	if err != nil {
		return err
	}
	s := all[c.base]
	c.mu.Lock()
	mine := c.session
	c.mu.Unlock()
	switch {
	case !s.SignedIn() && mine.SignedIn():
		return c.over("the session with " + c.base + " is over")
	case !s.SignedIn():
		return NotSignedIn(c.base)
	}
	if mine.ExpiresAt > s.ExpiresAt { // the disk had no place for it
		s = mine
	}
	if s.AccessToken != old && s.AccessToken != "" { // another process or goroutine did it
		c.mu.Lock()
		c.take(s)
		c.mu.Unlock()
		return nil
	}
	var fresh wire.Session
	err = c.send(ctx, Request{
		Method: http.MethodPost, Path: wire.Auth + "token", Query: url.Values{"grant_type": {"refresh_token"}},
		Body: map[string]string{"refresh_token": s.RefreshToken},
	}, "", &fresh)
	var e *Error
	switch {
	case err == nil && fresh.AccessToken == "":
		return c.stranger(&http.Response{}, "there is no token in the answer")
	case err == nil:
		return c.keep(s, fresh)
	case errors.As(err, &e) && e.Code == "" && e.Kind == ErrSignIn: // a gateway's, not of the session
		return err
	case errors.As(err, &e) && (e.final() || e.Kind == ErrSignIn):
		c.opts.Log.Add("REFRESH", "session", "REFUSED", e.Message)
		if err := c.store.edit(c.base, func(Session) Session { return Session{} }); err != nil {
			return err
		}
		return c.over("the session with " + c.base + " is over: " + e.Message)
	}
	return err
}

// over forgets the session and says so.
func (c *Client) over(message string) *Error {
	c.mu.Lock()
	c.session = Session{}
	c.mu.Unlock()
	return &Error{Kind: ErrSignIn, Message: message}
}

// keep writes a refreshed session, with the lock held. Where the disk does not
// take it, it serves this process: the server knows who comes again with the
// token before the last.
func (c *Client) keep(was Session, fresh wire.Session) error {
	if err := c.save(was, fresh); err != nil {
		c.opts.Log.Add("REFRESH", "session", "UNSAVED", last(err))
	}
	return nil
}

// save makes a session that the server gave the one of this client and of
// auth.json, with the lock held.
func (c *Client) save(was Session, fresh wire.Session) error {
	was.AccessToken, was.RefreshToken = fresh.AccessToken, fresh.RefreshToken
	c.mu.Lock()
	was.ExpiresAt = fresh.ExpiresAt
	if was.ExpiresAt == 0 {
		was.ExpiresAt = c.now().Add(c.ahead).Unix() + int64(fresh.ExpiresIn)
	}
	was.ClockAhead = int64(c.ahead / time.Second)
	if fresh.User.ID != "" {
		was.UserID, was.Email = fresh.User.ID, fresh.User.Email
	}
	was.AnonKey = c.opts.AnonKey
	c.session = was
	c.mu.Unlock()
	return c.store.edit(c.base, func(Session) Session { return was })
}

// signInJob signs a user of CI in with the password. The session is this
// process's own: jobs side by side would take each other's refresh tokens.
func (c *Client) signInJob(ctx context.Context, old string) error {
	if c.opts.CI.Token != "" {
		return &Error{Kind: ErrSignIn, Message: "the server does not know the token for CI: it is revoked, expired or another server's"}
	}
	c.mu.Lock()
	done := c.session.AccessToken != old
	c.mu.Unlock()
	if done {
		return nil
	}
	var fresh wire.Session
	err := c.send(ctx, Request{
		Method: http.MethodPost, Path: wire.Auth + "token", Query: url.Values{"grant_type": {"password"}},
		Body: map[string]string{"email": c.opts.CI.Email, "password": c.opts.CI.Password},
	}, "", &fresh)
	if err != nil {
		if e, ok := errors.AsType[*Error](err); ok && e.final() {
			return &Error{Kind: ErrSignIn, Status: e.Status, Code: e.Code, Message: "the user for CI cannot sign in: " + e.Message}
		}
		return err
	}
	c.mu.Lock()
	c.session = Session{AccessToken: fresh.AccessToken, ExpiresAt: fresh.ExpiresAt, UserID: fresh.User.ID, Email: fresh.User.Email}
	c.mu.Unlock()
	return nil
}

func isKind(err, kind error) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == kind
}

// What holds a token says in print only what it is: see wire.

// Format implements [fmt.Formatter].
func (s Session) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "session of %s", s.Email) }

// Format implements [fmt.Formatter].
func (c CI) Format(f fmt.State, _ rune) {
	if c.Given() {
		fmt.Fprint(f, "credentials for CI")
		return
	}
	fmt.Fprint(f, "no credentials for CI")
}

// Format implements [fmt.Formatter].
func (c *Client) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "client of %s", c.base) }

// Format implements [fmt.Formatter].
func (ch Challenge) Format(f fmt.State, _ rune) { fmt.Fprint(f, "challenge") }
