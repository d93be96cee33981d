package client

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"golang.org/x/oauth2"

	"cairn/internal/team/wire"
)

// About says what the server is. cairns is false for a server that is not
// cairn's, a Supabase project then.
func (c *Client) About(ctx context.Context) (about wire.About, cairns bool, err error) {
	err = c.send(ctx, Request{Method: http.MethodGet, Path: wire.Server}, "", &about)
	var e *Error
	if errors.As(err, &e) && e.Status >= 400 && e.Status < 500 && e.Kind != ErrBusy { // Supabase's gateway knows no such path
		return about, false, nil
	}
	return about, err == nil, err
}

// Providers returns the providers that a Supabase project has switched on, and
// whether it signs in by mail.
func (c *Client) Providers(ctx context.Context) (names []string, mail bool, err error) {
	var settings struct {
		External map[string]bool `json:"external"`
	}
	if err := c.send(ctx, Request{Method: http.MethodGet, Path: wire.Auth + "settings"}, "", &settings); err != nil {
		return nil, false, err
	}
	for name, on := range settings.External {
		switch {
		case name == "email":
			mail = on
		case on && name != "phone" && name != "anonymous_users":
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, mail, nil
}

// A Challenge is what proves, when a code comes back, that it was asked for
// here (PKCE, RFC 7636).
type Challenge struct{ verifier string }

// NewChallenge makes one for a single sign-in.
func NewChallenge() Challenge { return Challenge{oauth2.GenerateVerifier()} }

func (ch Challenge) query(redirect string) url.Values {
	return url.Values{
		"redirect_to":           {redirect},
		"code_challenge":        {oauth2.S256ChallengeFromVerifier(ch.verifier)},
		"code_challenge_method": {"s256"},
	}
}

// PageURL is the page of cairn's server that signs in, in a browser. With paste
// it ends on a page that shows a code instead of coming back.
func (c *Client) PageURL(ch Challenge, redirect string, paste bool) string {
	q := ch.query(redirect)
	if paste {
		q.Set("mode", "paste")
	}
	return c.base + "/signin?" + q.Encode()
}

// ProviderURL is where a browser signs in with a provider.
func (c *Client) ProviderURL(ch Challenge, provider, redirect string) string {
	q := ch.query(redirect)
	q.Set("provider", provider)
	return c.base + wire.Auth + "authorize?" + q.Encode()
}

// Exchange signs in with the code that a browser came back with.
func (c *Client) Exchange(ctx context.Context, ch Challenge, code string) error {
	return c.signIn(ctx, "token", url.Values{"grant_type": {"pkce"}}, map[string]string{"auth_code": code, "code_verifier": ch.verifier})
}

// Password signs in with a password.
func (c *Client) Password(ctx context.Context, email, password string) error {
	return c.signIn(ctx, "token", url.Values{"grant_type": {"password"}}, map[string]string{"email": email, "password": password})
}

// SendMail has the server send a mail with a link, and a code if it likes.
func (c *Client) SendMail(ctx context.Context, ch Challenge, email, redirect string) error {
	q := ch.query(redirect)
	return c.send(ctx, Request{
		Method: http.MethodPost, Path: wire.Auth + "otp", Query: url.Values{"redirect_to": {redirect}},
		Body: map[string]any{
			"email": email, "create_user": true, "data": map[string]any{},
			"code_challenge": q.Get("code_challenge"), "code_challenge_method": "s256",
		},
	}, "", nil)
}

// Code signs in with the code of a mail.
func (c *Client) Code(ctx context.Context, email, code string) error {
	return c.signIn(ctx, "verify", nil, map[string]string{"type": "email", "email": email, "token": code})
}

// Link signs in with the link of a mail or of an admin, which nobody began
// here. ok is false for a link that is another's: [Client.Follow] opens it.
func (c *Client) Link(ctx context.Context, link string) (ok bool, err error) {
	u, err := url.Parse(link)
	if err != nil || u.Scheme+"://"+u.Host != originOf(c.base) {
		return false, &Error{Kind: ErrRefused, Message: "the link is not one of " + c.base}
	}
	token, of := u.Query().Get("token"), u.Query().Get("type")
	if token == "" || of == "" || strings.HasPrefix(token, "pkce_") {
		return false, nil
	}
	return true, c.signIn(ctx, "verify", nil, map[string]string{"type": of, "token_hash": token})
}

// Invite signs in with what proves an invitation, on cairn's server.
func (c *Client) Invite(ctx context.Context, token string) error {
	return c.signIn(ctx, "verify", nil, map[string]string{"type": "invite", "token_hash": token})
}

// Join makes the user who is signed in a member of the team that invited them.
func (c *Client) Join(ctx context.Context, token string) error {
	return c.Do(ctx, http.MethodPost, wire.AcceptInvite, nil, map[string]string{"p_token": token}, nil)
}

// Follow opens the link of a mail as a browser would, and returns the code that
// it leads to.
func (c *Client) Follow(ctx context.Context, link string) (code string, err error) {
	u, err := url.Parse(link)
	if err != nil || u.Scheme+"://"+u.Host != originOf(c.base) {
		return "", &Error{Kind: ErrRefused, Message: "the link is not one of " + c.base}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, link, nil)
	if err != nil {
		return "", err
	}
	stay := *c.http
	stay.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	res, err := stay.Do(req)
	if err != nil {
		return "", networkError(c.base, err)
	}
	res.Body.Close()
	return Pasted(res.Header.Get("Location"))
}

func originOf(base string) string {
	u, _ := url.Parse(base)
	return u.Scheme + "://" + u.Host
}

// signIn posts to a path of sign-in and keeps the session that it answers with.
func (c *Client) signIn(ctx context.Context, path string, query url.Values, body any) error {
	var fresh wire.Session
	if err := c.send(ctx, Request{Method: http.MethodPost, Path: wire.Auth + path, Query: query, Body: body}, "", &fresh); err != nil {
		if e, ok := errors.AsType[*Error](err); ok && e.final() {
			return &Error{Kind: ErrSignIn, Status: e.Status, Code: e.Code, Message: "the server does not sign you in: " + e.Message, cause: e}
		}
		return err
	}
	return c.begin(ctx, fresh)
}

// begin keeps a session that the server answered with. One of a user with a
// second factor is worth nothing before its code: it waits for [Client.Factor].
func (c *Client) begin(ctx context.Context, fresh wire.Session) error {
	if fresh.AccessToken == "" || fresh.RefreshToken == "" {
		return &Error{Kind: ErrNetwork, Message: c.base + " answered the sign-in without a session"}
	}
	if level(fresh.AccessToken) == "aal1" && slices.ContainsFunc(fresh.User.Factors, isVerified) {
		c.mu.Lock()
		c.half = fresh
		c.mu.Unlock()
		return &Error{Kind: ErrFactor, Message: "the account has a second factor: its code is needed, too"}
	}
	unlock, err := c.store.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	c.opts.Log.Add("SIGNIN", "session", "OK", "")
	return c.save(Session{}, fresh)
}

// SignOut ends the session on the server, and here in any case. The error is
// that of the server: the session here is gone.
func (c *Client) SignOut(ctx context.Context) error {
	_, err := c.token(ctx)
	if err == nil {
		s, _ := c.current()
		err = c.send(ctx, Request{Method: http.MethodPost, Path: wire.Auth + "logout", Query: url.Values{"scope": {"local"}}}, s.AccessToken, nil)
	}
	if errors.Is(err, ErrSignIn) || errors.Is(err, ErrDenied) { // it was over
		err = nil
	}
	unlock, lockErr := c.store.lock(ctx)
	if lockErr != nil {
		return lockErr
	}
	defer unlock()
	_ = c.over("")
	c.opts.Log.Add("SIGNOUT", "session", "OK", "")
	if editErr := c.store.edit(c.base, func(Session) Session { return Session{} }); editErr != nil {
		return editErr
	}
	return err
}

// Forget removes the session from this machine and asks nobody: the server is gone.
func (c *Client) Forget(ctx context.Context) error {
	unlock, err := c.store.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return c.store.edit(c.base, func(Session) Session { return Session{} })
}

// Pasted finds the code in what a person pasted: the code itself, or the
// address that the browser ended on. A page that says why there is none is an
// error.
func Pasted(text string) (code string, err error) {
	text = strings.TrimSpace(text)
	u, parseErr := url.Parse(text)
	if parseErr != nil || u.Scheme == "" {
		return text, nil
	}
	q := u.Query()
	if fragment, err := url.ParseQuery(u.Fragment); err == nil && q.Get("code") == "" {
		for k, v := range fragment {
			q[k] = v
		}
	}
	switch {
	case q.Get("code") != "":
		return q.Get("code"), nil
	case q.Get("error") != "" || q.Get("error_description") != "":
		return "", &Error{Kind: ErrSignIn, Code: q.Get("error_code"), Message: "the server does not sign you in: " + cmp.Or(q.Get("error_description"), q.Get("error_code"), q.Get("error"))}
	}
	return "", &Error{Kind: ErrRefused, Message: "there is no code in that address"}
}

// InviteServer is the server that the link of an invitation is of, "" for a
// token alone.
func InviteServer(text string) string {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Host == "" {
		return ""
	}
	clean, _ := CleanURL(u.Scheme + "://" + u.Host + strings.TrimSuffix(u.EscapedPath(), "/join"))
	return clean
}

// InviteToken finds the token of an invitation in what a person was sent: the
// token itself, or a link with it.
func InviteToken(text string) string {
	text = strings.TrimSpace(text)
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" {
		return text
	}
	fragment, _ := url.ParseQuery(u.Fragment)
	for _, q := range []url.Values{u.Query(), fragment} {
		for _, name := range []string{"token", "token_hash", "invite"} {
			if q.Get(name) != "" {
				return q.Get(name)
			}
		}
	}
	if u.Fragment != "" && !strings.Contains(u.Fragment, "=") {
		return u.Fragment
	}
	return u.Path[strings.LastIndex(u.Path, "/")+1:]
}

// Factor ends a sign-in that failed with [ErrFactor], with a code of the user's
// authenticator app. After a wrong one it may be called again.
func (c *Client) Factor(ctx context.Context, code string) error {
	c.mu.Lock()
	half := c.half
	c.mu.Unlock()
	i := slices.IndexFunc(half.User.Factors, isVerified)
	if i < 0 {
		return NotSignedIn(c.base)
	}
	path := wire.Auth + "factors/" + half.User.Factors[i].ID
	var challenge struct {
		ID string `json:"id"`
	}
	if err := c.send(ctx, Request{Method: http.MethodPost, Path: path + "/challenge", Body: struct{}{}}, half.AccessToken, &challenge); err != nil {
		return err
	}
	var fresh wire.Session
	body := map[string]string{"challenge_id": challenge.ID, "code": code}
	if err := c.send(ctx, Request{Method: http.MethodPost, Path: path + "/verify", Body: body}, half.AccessToken, &fresh); err != nil {
		return err
	}
	return c.begin(ctx, fresh)
}

func isVerified(f wire.Factor) bool { return f.Type == "totp" && f.Status == "verified" }

// level is the assurance that an access token says: aal1, aal2. The token is
// the server's; nothing is checked here.
func level(token string) string {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return ""
	}
	var claims struct {
		AAL string `json:"aal"`
	}
	data, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || json.Unmarshal(data, &claims) != nil {
		return ""
	}
	return claims.AAL
}
