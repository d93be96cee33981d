package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"cairn/internal/team/db/account"
	"cairn/internal/team/server/auth/provider"
	"cairn/internal/team/wire"
)

// A Provider is where people may sign in instead: GitHub, Google, any OpenID Connect.
type Provider = provider.Provider

// provider returns the one of a name, nil if there is none.
func (s *server) provider(name string) Provider {
	for _, p := range s.Providers {
		if p.Name() == name {
			return p
		}
	}
	return nil
}

// authorize sends the browser to a provider, with a cookie by which it is known
// when it comes back.
func (s *server) authorize(w http.ResponseWriter, r *http.Request) (any, error) {
	q := r.URL.Query()
	p := s.provider(q.Get("provider"))
	if p == nil {
		return nil, failure{status: 400, code: "validation_failed", message: "Unsupported provider: provider is not enabled"}
	}
	err := checkChallenge(q.Get("code_challenge"), q.Get("code_challenge_method"))
	if err == nil {
		err = s.limits.take(anyRequest, s.network(r))
	}
	if err != nil {
		return nil, err
	}
	f := account.Flow{Provider: p.Name(), Verifier: oauth2.GenerateVerifier(), Nonce: rand.Text(), Challenge: q.Get("code_challenge"),
		RedirectTo: s.redirect(q.Get("redirect_to")).String(), Method: "oauth"}
	state, err := s.accounts.BeginFlow(r.Context(), f)
	var to string
	if err == nil {
		to, err = p.AuthURL(r.Context(), s.attempt(f, state))
	}
	if errors.Is(err, provider.ErrDown) {
		s.Log.Error("a provider cannot be reached", "provider", p.Name(), "error", err)
		err = failure{status: 503, code: "unexpected_failure", message: p.Title() + " cannot be reached: try again later", retry: retryProvider}
	}
	if err != nil {
		return nil, err
	}
	http.SetCookie(w, s.cookie(state, int(account.FlowLife.Seconds())))
	http.Redirect(w, r, to, http.StatusFound)
	return nil, nil
}

// attempt is a sign-in as the provider sees it.
func (s *server) attempt(f account.Flow, state string) provider.Attempt {
	return provider.Attempt{Callback: s.SiteURL + wire.Auth + "callback", State: state, Nonce: f.Nonce, Verifier: f.Verifier}
}

// callback is where a provider sends the browser back to. A state is good once,
// and only in the browser that began with it: nobody can be signed in as
// somebody else by a link.
func (s *server) callback(w http.ResponseWriter, r *http.Request) (any, error) {
	q := r.URL.Query()
	f, to, err := s.begun(w, r, q.Get("state"))
	if err == nil {
		err = s.comeBack(w, r, q, f, to)
	}
	if err != nil {
		s.refuseCallback(w, to, err)
	}
	return nil, nil
}

// begun returns the sign-in that a browser comes back from, and where it is to end.
func (s *server) begun(w http.ResponseWriter, r *http.Request, state string) (account.Flow, *url.URL, error) {
	home := s.redirect("")
	bad := failure{status: 400, code: "bad_oauth_state", message: "OAuth state parameter is invalid"}
	if err := s.limits.take(anyRequest, s.network(r)); err != nil {
		return account.Flow{}, home, err
	}
	if !isState(state) {
		return account.Flow{}, home, bad
	}
	mine := s.cookie(state, -1)
	c, err := r.Cookie(mine.Name)
	if err != nil || subtle.ConstantTimeCompare([]byte(c.Value), []byte(state)) != 1 {
		return account.Flow{}, home, bad
	}
	mine.Value = ""
	http.SetCookie(w, mine)
	f, err := s.accounts.TakeFlow(r.Context(), state)
	if errors.Is(err, account.ErrToken) {
		err = bad
	}
	if err != nil {
		return f, home, err
	}
	return f, s.redirect(f.RedirectTo), nil
}

// comeBack asks the provider who it is, and sends the browser on: with a code
// for who began with PKCE, else with the session behind #.
func (s *server) comeBack(w http.ResponseWriter, r *http.Request, q url.Values, f account.Flow, to *url.URL) error {
	p := s.provider(f.Provider)
	if p == nil {
		return failure{status: 400, code: "bad_oauth_state", message: "OAuth state parameter is invalid"}
	}
	if iss := q.Get("iss"); iss != "" && p.Issuer() != "" && iss != p.Issuer() {
		return failure{status: 400, code: "bad_oauth_callback", message: "The answer is another provider's"}
	}
	if q.Has("error") {
		return failure{status: 403, code: "bad_oauth_callback", message: p.Title() + " did not let you in (" + word(q.Get("error")) + ")"}
	}
	if q.Get("code") == "" {
		return failure{status: 400, code: "bad_oauth_callback", message: "OAuth callback with missing authorization code"}
	}
	who, err := p.Person(r.Context(), q.Get("code"), s.attempt(f, ""))
	if err != nil {
		return s.providerFailure(p, err)
	}
	u, err := s.vouched(r.Context(), who)
	switch {
	case errors.Is(err, account.ErrEmail):
		return failure{status: 403, code: "provider_email_needs_verification", message: p.Title() + " does not say that your e-mail address is verified: verify it there first"}
	case errors.Is(err, account.ErrNotFound):
		return failure{status: 403, code: "signup_disabled", message: "There is no account for your e-mail address here: ask an admin for an invitation"}
	case errors.Is(err, account.ErrBanned):
		return failure{status: 403, code: "user_banned", message: "User is banned"}
	case err != nil:
		return err
	}
	if site, _ := url.Parse(s.SiteURL); f.Challenge != "" && (thisMachine(to.Hostname()) || to.Host == site.Host) {
		// What ends on a person's machine or on our pages cannot ask for the second
		// factor; an application does so by itself.
		if asked, err := s.askSecond(w, r, &asked{RedirectTo: to.String(), Challenge: f.Challenge}, u.ID, "oauth"); asked || err != nil {
			return err
		}
	}
	if f.Challenge != "" {
		return s.sendCode(w, r, to, account.Flow{Provider: f.Provider, Challenge: f.Challenge, User: u.ID, Method: "oauth"})
	}
	made, err := s.begin(r, u.ID, "oauth")
	if err != nil {
		return err
	}
	away(w, to, "#"+fragment(made).Encode())
	return nil
}

// fragment is a session as it stands behind # of an address.
func fragment(made wire.Session) url.Values {
	return url.Values{"sb": {""}, "access_token": {made.AccessToken}, "expires_at": {strconv.FormatInt(made.ExpiresAt, 10)},
		"expires_in": {strconv.Itoa(made.ExpiresIn)}, "refresh_token": {made.RefreshToken}, "token_type": {made.TokenType}}
}

// vouched finds or makes the user of somebody whom a provider knows. A new one
// is made for an address that the provider has verified, if strangers may sign
// up, its domain may, or it is invited.
func (s *server) vouched(ctx context.Context, who account.Person) (account.User, error) {
	may := s.Signup
	if email, err := account.Address(who.Email); err != nil || !who.Verified {
		may, who.Verified = false, false
	} else if who.Email = email; !may {
		_, domain, _ := strings.Cut(email, "@")
		may = slices.ContainsFunc(s.SignupDomains, func(d string) bool { return strings.EqualFold(d, domain) })
	}
	if who.Verified && !may {
		var err error
		if may, err = s.accounts.Invited(ctx, who.Email); err != nil {
			return account.User{}, err
		}
	}
	u, err := s.accounts.ByProvider(ctx, who, may)
	if errors.Is(err, account.ErrEmailTaken) { // made at this very moment
		u, err = s.accounts.ByProvider(ctx, who, may)
	}
	return u, err
}

// providerFailure is what the browser is told; why stands in the log.
func (s *server) providerFailure(p Provider, err error) error {
	s.Log.Error("a sign-in at a provider failed", "provider", p.Name(), "error", err)
	switch {
	case errors.Is(err, provider.ErrDown):
		return failure{status: 503, code: "unexpected_failure", message: p.Title() + " cannot be reached: try again later"}
	case errors.Is(err, provider.ErrRefused):
		return failure{status: 500, code: "unexpected_failure", message: "Unable to exchange external code"}
	}
	return err
}

// refuseCallback sends the browser on with what went wrong.
func (s *server) refuseCallback(w http.ResponseWriter, to *url.URL, err error) {
	f := asFailure(err)
	kind := "invalid_request"
	switch {
	case f.status == http.StatusForbidden:
		kind = "access_denied"
	case f.status >= 500:
		kind = "server_error"
		s.Log.Error("sign-in failed", "path", wire.Auth+"callback", "error", err)
	}
	u := withQuery(to, "error", kind)
	u = withQuery(u, "error_code", f.code)
	away(w, withQuery(u, "error_description", f.message), "")
}

// retryProvider is after how long one asks again whether a provider is there.
const retryProvider = 10 * time.Second

// stateLetters is the fewest letters of a state that can be ours.
const stateLetters = 16

// isState says whether a text can be a state: small letters and digits.
func isState(state string) bool {
	return len(state) >= stateLetters && len(state) <= 100 && strings.Trim(state, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// cookie ties a state to a browser for some seconds, -1 to forget it. Each
// sign-in has one of its own, so that two tabs do not get in each other's way.
func (s *server) cookie(state string, seconds int) *http.Cookie {
	c := &http.Cookie{Name: "cairn-state-" + state[:8], Value: state, Path: wire.Auth + "callback", MaxAge: seconds,
		HttpOnly: true, SameSite: http.SameSiteLaxMode}
	if strings.HasPrefix(s.SiteURL, "https://") {
		c.Name, c.Path, c.Secure = "__Host-"+c.Name, "/", true // no other host of the domain can set it
	}
	return c
}

// word keeps of a provider's error what can be one of RFC 6749's.
func word(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '_' || r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, s[:min(len(s), 40)])
	if s == "" {
		return "error"
	}
	return s
}

// explained says on a page why a sign-in at a provider failed. Only the code is
// taken from the address: anybody can write a link with any text in it.
func explained(code string) string {
	switch code {
	case "provider_email_needs_verification":
		return "The provider does not say that your e-mail address is verified. Verify it there, then begin again on your machine."
	case "signup_disabled":
		return "There is no account for your e-mail address here. Ask an admin of the team for an invitation."
	case "user_banned":
		return "Your account is banned. Ask an admin of the team."
	case "bad_oauth_state":
		return "The sign-in took too long or began in another browser. Begin again on your machine."
	case "bad_oauth_callback":
		return "The provider did not let you in. Begin again on your machine."
	}
	return "The provider could not be asked who you are. Begin again on your machine in a minute."
}
