package auth

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"cairn/internal/team/db/account"
	"cairn/internal/team/wire"
	"cairn/internal/text"
)

// codePath is the page that shows a code to paste, for who cannot be reached by a redirect.
const codePath = "/signin/code"

// asking reads who began a sign-in from a query or a form; nil with no problem
// is that nobody did.
func (s *server) asking(q url.Values) (a *asked, problem string) {
	challenge, to := q.Get("code_challenge"), q.Get("redirect_to")
	if challenge == "" && to == "" {
		return nil, ""
	}
	if q.Get("mode") == "paste" {
		to = s.SiteURL + codePath
	}
	if _, ok := s.mayRedirect(to); !ok {
		return nil, "This server may not send anybody to the address that asked for the sign-in."
	}
	if err := checkChallenge(challenge, q.Get("code_challenge_method")); err != nil || challenge == "" {
		return nil, "The link is incomplete: the code challenge is missing."
	}
	a = &asked{RedirectTo: to, Challenge: challenge}
	if team := q.Get("team"); text.IsSlug(team, wire.MostSlug) {
		a.Team = team
	}
	return a, ""
}

// query is the reverse of asking.
func (a *asked) query() url.Values {
	return url.Values{"redirect_to": {a.RedirectTo}, "code_challenge": {a.Challenge}, "code_challenge_method": {"s256"}}
}

// Query is for a page's link.
func (a *asked) Query() string { return a.query().Encode() }

// signinView is the page with every way to sign in.
func (s *server) signinView(a *asked) view {
	v := view{name: "signin", Title: "Sign in", Ask: a, Join: "/join?" + a.Query()}
	for _, p := range s.Providers {
		q := a.query()
		q.Set("provider", p.Name())
		v.Providers = append(v.Providers, button{p.Title(), wire.Auth + "authorize?" + q.Encode()})
	}
	return v
}

func (s *server) signinPage(w http.ResponseWriter, r *http.Request) {
	a, problem := s.asking(r.URL.Query())
	switch {
	case problem != "":
		s.show(w, r, view{name: "failed", status: http.StatusBadRequest, Title: "Sign in", Problem: problem})
	case a == nil: // to look at pages
		http.Redirect(w, r, "/enter", http.StatusSeeOther)
	default:
		s.show(w, r, s.signinView(a))
	}
}

// signinForm takes the page's forms: way is mail, password, code (from a mail) or typed (one that an admin gave).
func (s *server) signinForm(w http.ResponseWriter, r *http.Request) {
	err := s.posted(w, r)
	a, problem := s.asking(r.PostForm)
	if a == nil {
		s.show(w, r, view{name: "failed", status: http.StatusBadRequest, Title: "Sign in", Problem: problem + " Begin again on your machine.", Command: "cairn sync setup"})
		return
	}
	f, v := r.PostForm, s.signinView(a)
	var user uuid.UUID
	how := "password"
	switch way := f.Get("way"); {
	case err != nil:
	case way == "password":
		var u account.User
		u, err = s.checkPassword(r, f.Get("email"), f.Get("password"))
		user = u.ID
	case way == "code", way == "typed":
		if v.Typed = way == "typed"; !v.Typed {
			v = view{name: "mailed", Title: "Check your mail", Ask: a}
		}
		user, how, err = s.byCode(r, f.Get("email"), strings.ReplaceAll(f.Get("code"), " ", ""), "email")
	case way == "mail":
		err = s.sendLink(r, f.Get("email"), true, nil, ask{kind: account.MagicLink, challenge: a.Challenge, redirect: a.RedirectTo, silent: true})
		if err == nil {
			s.show(w, r, view{name: "mailed", Title: "Check your mail", Ask: a, Email: f.Get("email")})
			return
		}
	default:
		err = errForm
	}
	if err == nil {
		err = s.finish(w, r, a, user, how)
	}
	if err != nil {
		v.Email = f.Get("email")
		v.Problem, v.status = s.problem(r, err)
		s.show(w, r, v)
	}
}

// finish sends the browser back to the program that began the sign-in.
func (s *server) finish(w http.ResponseWriter, r *http.Request, a *asked, user uuid.UUID, how string) error {
	to, ok := s.mayRedirect(a.RedirectTo)
	if !ok {
		return errForm
	}
	if asked, err := s.askSecond(w, r, a, user, how); asked || err != nil {
		return err
	}
	return s.sendCode(w, r, to, account.Flow{Provider: "page", Challenge: a.Challenge, User: user, Method: how})
}

// codePage shows a code that somebody is to paste, if it can be one, or why
// there is none.
func (s *server) codePage(w http.ResponseWriter, r *http.Request) {
	code, err := uuid.Parse(r.URL.Query().Get("code"))
	if err != nil {
		why := "There is no code in this address. Begin again on your machine."
		if r.URL.Query().Has("error") {
			why = explained(r.URL.Query().Get("error_code"))
		}
		s.show(w, r, view{name: "failed", status: http.StatusBadRequest, Title: "Sign in", Problem: why, Command: "cairn sync setup"})
		return
	}
	s.show(w, r, view{name: "code", Title: "Almost done", Code: code.String()})
}

// An allowance is one address, or everything below one, that a sign-in may end at.
type allowance struct {
	scheme, host, path string
	below              bool
}

func parseAllowance(pattern string) (allowance, error) {
	base, below := strings.CutSuffix(pattern, "/**")
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" || strings.Contains(base, "*") {
		return allowance{}, fmt.Errorf("redirect address %q must be https://HOST/PATH; end it with /** to allow everything below", pattern)
	}
	return allowance{scheme: u.Scheme, host: strings.ToLower(u.Host), path: u.Path, below: below}, nil
}

// redirect returns where a sign-in is to end: what was asked for if it is
// allowed, else the server's own address.
func (s *server) redirect(asked string) *url.URL {
	if u, ok := s.mayRedirect(asked); ok {
		return u
	}
	u, _ := url.Parse(s.SiteURL) // New has looked at it
	return u
}

// mostRedirect is how long such an address may be: a stranger's is kept until
// the sign-in ends.
const mostRedirect = 2000

// mayRedirect says whether a sign-in may end at an address. What a browser
// might read in another way than we do is refused.
func (s *server) mayRedirect(asked string) (*url.URL, bool) {
	if len(asked) > mostRedirect {
		return nil, false
	}
	for _, c := range asked {
		if c <= ' ' || c == '\\' || c > '~' {
			return nil, false
		}
	}
	u, err := url.Parse(asked)
	if err != nil || u.Host == "" || u.User != nil || u.Opaque != "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, false
	}
	if u.Scheme == "http" && thisMachine(u.Hostname()) {
		return u, true
	}
	for _, a := range s.allowed {
		if u.Scheme != a.scheme || strings.ToLower(u.Host) != a.host {
			continue
		}
		if u.Path == a.path || a.below && strings.HasPrefix(u.Path, a.path+"/") && !strings.Contains(u.Path, "/..") {
			return u, true
		}
	}
	return nil, false
}

// thisMachine is the loopback of whoever's browser it is: RFC 8252, 7.3.
func thisMachine(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback() && ip.Zone() == ""
}
