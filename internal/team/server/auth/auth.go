// Package auth lets people sign in: the part of GoTrue's API that cairn's team
// part and supabase-js use, under [wire.Auth], and the pages for a browser.
//
// It answers with GoTrue's statuses, error codes and shapes; what differs is
// listed with reasons in testdata/differences.json. Users and tokens are kept by
// db/account, access tokens are signed by server/access. team/server mounts the
// handler. SQL never belongs here.
package auth

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/server/access"
	"cairn/internal/team/wire"
)

// A Mailer sends a mail, as text and as HTML.
type Mailer interface {
	Send(ctx context.Context, to, subject, text, html string) error
}

// Config of New. Accounts, Access and SiteURL are needed.
type Config struct {
	Accounts *account.Accounts
	Access   *access.Access
	// SiteURL is where people reach the server; https://team.example without a
	// slash at the end. Who asks for a redirect that is not allowed is sent there.
	SiteURL string
	// RedirectAllow are URLs that a sign-in may end at, besides SiteURL and
	// this machine's own (http://127.0.0.1:*): "https://a.example/x" is one
	// address, "https://a.example/**" everything below it.
	RedirectAllow []string
	Signup        bool   // strangers may make themselves an account
	Mailer        Mailer // nil: no mail
	Providers     []Provider
	// SignupDomains are those whose addresses, verified by a provider, may make
	// an account though strangers may not: team.example.
	SignupDomains []string
	// Start signs a browser in to the pages as a flow's user, and Signed says who is
	// signed in there; nil where there are no pages.
	Start  func(http.ResponseWriter, *http.Request, account.Flow) error
	Signed func(*http.Request) (user uuid.UUID, ok bool)
	// ClientIP says from where a request is; nil is the connection's other end.
	ClientIP func(*http.Request) netip.Addr
	Log      *slog.Logger
	Now      func() time.Time
}

type server struct {
	Config
	accounts *account.Accounts
	allowed  []allowance
	limits   limits
	hashing  *hashing
	behind   chan struct{} // one for each mail that is worked on after its answer
	working  sync.WaitGroup
}

// New returns the handler of everything below [wire.Auth], of [wire.Claim] and
// of the pages /signin, /join and /claim.
func New(c Config) (http.Handler, error) {
	s, err := newServer(c)
	if err != nil {
		return nil, err
	}
	return s.routes(), nil
}

func newServer(c Config) (*server, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.SiteURL = strings.TrimSuffix(c.SiteURL, "/")
	if u, err := url.Parse(c.SiteURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("the server's own address must be an http or https URL")
	}
	s := &server{Config: c, accounts: c.Accounts, hashing: newHashing(runtime.GOMAXPROCS(0)), behind: make(chan struct{}, mostBehind)}
	s.limits.now = c.Now
	for _, pattern := range append([]string{c.SiteURL + "/**"}, c.RedirectAllow...) {
		a, err := parseAllowance(pattern)
		if err != nil {
			return nil, err
		}
		s.allowed = append(s.allowed, a)
	}
	return s, nil
}

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	at := func(path string, list map[string]answering) {
		m := methods{}
		for method, does := range list {
			m[method] = s.answers(does)
		}
		mux.Handle(wire.Auth+path, m)
	}
	at("settings", map[string]answering{"GET": s.settings})
	at("health", map[string]answering{"GET": s.health})
	at(".well-known/jwks.json", map[string]answering{"GET": s.jwks})
	at("signup", map[string]answering{"POST": s.signup})
	at("token", map[string]answering{"POST": s.token})
	at("otp", map[string]answering{"POST": s.mailed(account.MagicLink)})
	at("magiclink", map[string]answering{"POST": s.mailed(account.MagicLink)})
	at("recover", map[string]answering{"POST": s.mailed(account.Recovery)})
	at("verify", map[string]answering{"GET": s.verifyLink, "POST": s.verify})
	at("invite", map[string]answering{"POST": s.invite})
	at("admin/generate_link", map[string]answering{"POST": s.generateLink})
	at("authorize", map[string]answering{"GET": s.authorize})
	at("callback", map[string]answering{"GET": s.callback})
	at("user", map[string]answering{"GET": s.getUser, "PUT": s.putUser})
	at("logout", map[string]answering{"POST": s.logout})
	at("admin/users", map[string]answering{"GET": s.adminList, "POST": s.adminCreate})
	at("admin/users/{id}", map[string]answering{"GET": s.adminGet, "PUT": s.adminUpdate, "DELETE": s.adminDelete})
	at("admin/users/{id}/factors", map[string]answering{"GET": s.adminFactors})
	at("admin/users/{id}/factors/{factor}", map[string]answering{"DELETE": s.adminUnenroll})
	at("factors", map[string]answering{"POST": s.enroll})
	at("factors/{id}", map[string]answering{"DELETE": s.unenroll})
	at("factors/{id}/challenge", map[string]answering{"POST": s.challenge})
	at("factors/{id}/verify", map[string]answering{"POST": s.verifyFactor})
	mux.Handle(wire.Claim, methods{"POST": s.answers(s.claim)})
	mux.Handle("/signin", methods{"GET": s.signinPage, "POST": s.signinForm})
	mux.Handle(linkPath, methods{"POST": s.linkForm})
	mux.Handle(secondPath, methods{"POST": s.secondForm})
	mux.Handle(factorPath, methods{"GET": s.factorPage, "POST": s.factorForm})
	mux.Handle(codePath, methods{"GET": s.codePage})
	mux.Handle("/join", methods{"GET": s.joinPage, "POST": s.joinForm})
	mux.Handle("/claim", methods{"GET": s.claimPage, "POST": s.claimForm})
	mux.HandleFunc("/", http.NotFound)
	return mux
}

// answering is a request of the protocol: what it is answered with, or why not.
// nil is answered already.
type answering func(http.ResponseWriter, *http.Request) (any, error)

func (s *server) answers(does answering) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := does(w, r)
		switch {
		case err != nil:
			s.fail(w, r, err)
		case body != nil:
			answer(w, http.StatusOK, body)
		}
	}
}

// methods answers one path by the request's method.
type methods map[string]func(http.ResponseWriter, *http.Request)

func (m methods) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	serve, ok := m[r.Method]
	if !ok {
		for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
			if m[method] != nil {
				w.Header().Add("Allow", method)
			}
		}
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	serve(w, r)
}

// settings says which ways to sign in there are.
func (s *server) settings(w http.ResponseWriter, r *http.Request) (any, error) {
	external := map[string]bool{}
	for _, name := range []string{"anonymous_users", "apple", "azure", "bitbucket", "discord", "facebook", "snapchat", "figma", "fly", "github", "gitlab",
		"google", "keycloak", "kakao", "linkedin", "linkedin_oidc", "notion", "spotify", "slack", "slack_oidc", "workos", "twitch", "twitter", "phone", "zoom"} {
		external[name] = false
	}
	external["email"] = true
	for _, p := range s.Providers {
		external[p.Name()] = true
	}
	return map[string]any{
		"external": external, "disable_signup": !s.Signup, "mailer_autoconfirm": s.Mailer == nil, "phone_autoconfirm": false,
		"sms_provider": "", "saml_enabled": false, "saml_private_key_next_configured": false, "passkeys_enabled": false,
	}, nil
}

func (s *server) health(w http.ResponseWriter, r *http.Request) (any, error) {
	return map[string]string{"version": "", "name": "cairn", "description": "sign-in of cairn's team server, in the protocol of GoTrue"}, nil
}

// jwks has no key: tokens are signed with a secret that only the server has.
func (s *server) jwks(w http.ResponseWriter, r *http.Request) (any, error) {
	w.Header().Set("Cache-Control", "public, max-age=600")
	return map[string][]string{"keys": {}}, nil
}

// bearer returns who the bearer token is of. The apikey header proves nobody here.
func (s *server) bearer(r *http.Request) (db.Identity, *access.Claims, error) {
	if access.Bearer(r) == "" {
		return db.Identity{}, nil, failure{status: 401, code: "no_authorization", message: "This endpoint requires a valid Bearer token"}
	}
	as, c, err := s.Access.Identify(r)
	switch {
	case errors.Is(err, db.ErrFactor):
		return as, c, err
	case errors.Is(err, access.ErrExpired):
		return as, nil, badJWT("invalid JWT: unable to parse or verify signature, token has invalid claims: token is expired")
	case errors.Is(err, db.ErrToken), errors.Is(err, access.ErrRole):
		return as, nil, badJWT("invalid JWT: unable to parse or verify signature, token signature is invalid")
	case errors.Is(err, db.ErrSession):
		return as, nil, s.gone(r, c)
	}
	return as, c, err
}

func badJWT(message string) failure {
	return failure{status: 403, code: "bad_jwt", message: message}
}

// gone tells a session that is over from a user that is gone.
func (s *server) gone(r *http.Request, c *access.Claims) error {
	id, err := c.User()
	if err != nil {
		return badJWT("invalid claim: sub claim must be a UUID")
	}
	_, err = s.accounts.User(r.Context(), id)
	switch {
	case errors.Is(err, account.ErrNotFound):
		return failure{status: 403, code: "user_not_found", message: "User from sub claim in JWT does not exist"}
	case err != nil:
		return err
	}
	return failure{status: 403, code: "session_not_found", message: "Session from session_id claim in JWT does not exist"}
}

// person returns the user that the bearer token is of, and the session.
func (s *server) person(r *http.Request) (account.User, uuid.UUID, error) {
	as, c, err := s.bearer(r)
	return s.personOf(r, as, c, err)
}

// halfway is person also for a session that has not shown its second factor.
func (s *server) halfway(r *http.Request) (account.User, uuid.UUID, error) {
	as, c, err := s.bearer(r)
	if errors.Is(err, db.ErrFactor) {
		err = nil
	}
	return s.personOf(r, as, c, err)
}

func (s *server) personOf(r *http.Request, as db.Identity, c *access.Claims, err error) (account.User, uuid.UUID, error) {
	switch {
	case err != nil:
		return account.User{}, uuid.Nil, err
	case c == nil || as.Role != db.Authenticated:
		return account.User{}, uuid.Nil, badJWT("invalid claim: missing sub claim")
	}
	u, err := s.accounts.User(r.Context(), as.User)
	if errors.Is(err, account.ErrNotFound) {
		err = failure{status: 403, code: "user_not_found", message: "User from sub claim in JWT does not exist"}
	}
	return u, as.Session, err
}

// admin is nil for the service key.
func (s *server) admin(r *http.Request) error {
	as, _, err := s.bearer(r)
	if err == nil && as.Role != db.Service {
		err = failure{status: 403, code: "not_admin", message: "User not allowed"}
	}
	return err
}

// ip returns from where a request is.
func (s *server) ip(r *http.Request) netip.Addr {
	if s.ClientIP != nil {
		return s.ClientIP(r)
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	ip, _ := netip.ParseAddr(host) // the zero one where there is none
	return ip.Unmap()
}
