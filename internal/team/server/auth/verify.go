package auth

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"cairn/internal/team/db/account"
	"cairn/internal/team/wire"
)

// kinds are the tokens that a type of /verify takes, nil for one that is not there.
func kinds(of string) []account.Kind {
	switch of {
	case "email": // a code: whoever types it does not know which mail it came with
		return []account.Kind{account.MagicLink, account.Signup, account.Invite, account.Recovery}
	case "magiclink":
		return []account.Kind{account.MagicLink, account.Signup}
	case "signup":
		return []account.Kind{account.Signup}
	case "recovery":
		return []account.Kind{account.Recovery}
	case "invite":
		return []account.Kind{account.Invite}
	}
	return nil
}

// method is what a session of a ticket says how it was begun.
func method(k account.Kind) string {
	if k == account.Invite {
		return "invite"
	}
	return "otp"
}

// verify signs in with a token of a link, a code, or an invitation to a team.
func (s *server) verify(w http.ResponseWriter, r *http.Request) (any, error) {
	var q struct {
		Type      string `json:"type"`
		Email     string `json:"email"`
		Token     string `json:"token"`
		TokenHash string `json:"token_hash"`
	}
	err := read(w, r, &q)
	var user uuid.UUID
	how := "otp"
	switch {
	case err != nil:
	case q.Type == "":
		err = failure{status: 400, code: "validation_failed", message: "Verify requires a verification type"}
	case kinds(q.Type) == nil:
		err = failure{status: 400, code: "validation_failed", message: "Unsupported verification type"}
	case q.TokenHash != "" && (q.Token != "" || q.Email != ""):
		err = failure{status: 400, code: "validation_failed", message: "Only the token_hash and type should be provided"}
	case q.TokenHash != "" && q.Type == "invite":
		user, how, err = s.byInvitation(r, q.TokenHash, "")
	case q.TokenHash != "":
		user, how, err = s.byLink(r, q.TokenHash, q.Type)
	case q.Token == "":
		err = failure{status: 400, code: "validation_failed", message: "Verify requires a token or a token hash"}
	case q.Type == "invite" && len(q.Token) > codeLetters:
		user, how, err = s.byInvitation(r, q.Token, q.Email)
	case q.Email == "":
		err = failure{status: 400, code: "validation_failed", message: "Only an email address or phone number should be provided on verify"}
	default:
		user, how, err = s.byCode(r, q.Email, q.Token, q.Type)
	}
	if err != nil {
		return nil, err
	}
	return s.begin(r, user, how)
}

// codeLetters is how long a code is; an invitation's token is longer.
const codeLetters = 6

// byLink takes the token of a link.
func (s *server) byLink(r *http.Request, token, of string) (uuid.UUID, string, error) {
	t, err := s.take(r, token, of)
	return t.User, method(t.Kind), err
}

// take uses up the token of a link; its user has shown to read mail to the address.
func (s *server) take(r *http.Request, token, of string) (account.Ticket, error) {
	if err := s.limits.take(anyRequest, s.network(r)); err != nil {
		return account.Ticket{}, err
	}
	t, err := s.accounts.Use(r.Context(), token, kinds(of)...)
	if err == nil {
		_, err = s.accounts.Proven(r.Context(), t)
	}
	return t, err
}

// byCode takes a code of six digits. Wrong ones are counted as wrong passwords are.
func (s *server) byCode(r *http.Request, email, code, of string) (uuid.UUID, string, error) {
	var t account.Ticket
	err := s.guess(r, email, func() (err error) {
		t, err = s.accounts.UseCode(r.Context(), email, code, kinds(of)...)
		return err
	})
	if err == nil {
		_, err = s.accounts.Proven(r.Context(), t)
	}
	return t.User, method(t.Kind), err
}

// byInvitation takes the token of an invitation: the admin's, or one to a team,
// which is accepted as who the bearer token is of if that is a person.
func (s *server) byInvitation(r *http.Request, token, email string) (uuid.UUID, string, error) {
	if err := s.limits.take(joining, s.network(r)); err != nil {
		return uuid.Nil, "", err
	}
	user, how, err := s.byLink(r, token, "invite")
	if !errors.Is(err, account.ErrToken) {
		return user, how, err
	}
	var as uuid.UUID
	if u, _, err := s.person(r); err == nil {
		as = u.ID
	}
	j, err := s.accounts.Accept(r.Context(), token, email, "", as)
	return j.User.ID, "invite", err
}

// verifyLink is where the link of a mail leads: it signs in and sends the
// browser on, with a code for who began with PKCE, else with the session behind #.
// Where the link ends at this server itself, a person's browser is signed in to
// the pages: no page reads what stands behind #.
func (s *server) verifyLink(w http.ResponseWriter, r *http.Request) (any, error) {
	q := r.URL.Query()
	to := s.redirect(q.Get("redirect_to"))
	of := q.Get("type")
	if q.Get("token") == "" || kinds(of) == nil {
		return nil, failure{status: 400, code: "validation_failed", message: "Verify requires a token and a verification type"}
	}
	if s.opensPages(r, to) && !strings.HasPrefix(q.Get("token"), account.PKCEPrefix) {
		s.openLink(w, r, q.Get("token"), of)
		return nil, nil
	}
	t, err := s.take(r, q.Get("token"), of)
	if err == nil && t.Challenge != "" {
		err = s.sendCode(w, r, to, account.Flow{Provider: "mail", Challenge: t.Challenge, User: t.User, Method: method(t.Kind)})
		if err == nil {
			return nil, nil
		}
	}
	var made wire.Session
	if err == nil {
		made, err = s.begin(r, t.User, method(t.Kind))
	}
	var v url.Values
	if err != nil {
		f := asFailure(err)
		if f.status >= 500 {
			s.Log.Error("sign-in failed", "path", r.URL.Path, "error", err)
		}
		if f.code == "otp_expired" {
			f.message = "Email link is invalid or has expired"
		}
		v = url.Values{"sb": {""}, "error": {"access_denied"}, "error_code": {f.code}, "error_description": {f.message}}
	} else {
		v = fragment(made)
		v.Set("type", of)
	}
	away(w, to, "#"+v.Encode())
	return nil, nil
}

// sendCode sends the browser to where a sign-in ends, with ?code=.
func (s *server) sendCode(w http.ResponseWriter, r *http.Request, to *url.URL, f account.Flow) error {
	code, err := s.accounts.GiveCode(r.Context(), f)
	if err != nil {
		return err
	}
	away(w, withQuery(to, "code", code), "")
	return nil
}

// withQuery is an address with one more parameter.
func withQuery(u *url.URL, name, value string) *url.URL {
	out := *u
	q := out.Query()
	q.Set(name, value)
	out.RawQuery = q.Encode()
	return &out
}

// away sends the browser to an address that mayRedirect has looked at.
func away(w http.ResponseWriter, to *url.URL, fragment string) {
	out := *to
	out.Fragment, out.RawFragment = "", ""
	w.Header().Set("Location", out.String()+fragment)
	w.WriteHeader(http.StatusSeeOther)
}

// linkPath takes the form of a link that another page led to.
const linkPath = "/signin/link"

// opensPages says whether a request is a person's browser that is to end at
// this server. A program gets GoTrue's answer.
func (s *server) opensPages(r *http.Request, to *url.URL) bool {
	site, _ := url.Parse(s.SiteURL) // New has looked at it
	if s.Start == nil || to.Scheme != site.Scheme || to.Host != site.Host || strings.Trim(to.Path, "/") != strings.Trim(site.Path, "/") {
		return false
	}
	if mode := r.Header.Get("Sec-Fetch-Mode"); mode != "" {
		return mode == "navigate"
	}
	return strings.Contains(r.Header.Get("Accept"), "text/html")
}

// openLink signs a browser in with a link. Where another site's page led to it,
// the person is asked first: nobody may be signed in as somebody else by a click.
func (s *server) openLink(w http.ResponseWriter, r *http.Request, token, of string) {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		s.show(w, r, view{name: "link", Title: "Sign in", Token: token, Kind: of})
		return
	}
	s.takeLink(w, r, token, of)
}

func (s *server) linkForm(w http.ResponseWriter, r *http.Request) {
	err := s.posted(w, r)
	token, of := r.PostForm.Get("token"), r.PostForm.Get("type")
	if err == nil && (s.Start == nil || kinds(of) == nil) {
		err = errForm
	}
	if err != nil {
		s.showFailed(w, r, err)
		return
	}
	s.takeLink(w, r, token, of)
}

func (s *server) takeLink(w http.ResponseWriter, r *http.Request, token, of string) {
	t, err := s.take(r, token, of)
	if err == nil {
		err = s.enter(w, r, t.User, method(t.Kind))
	}
	if err != nil {
		s.showFailed(w, r, err)
	}
}

// enter signs the browser in to the pages and leads it there.
func (s *server) enter(w http.ResponseWriter, r *http.Request, user uuid.UUID, how string) error {
	if asked, err := s.askSecond(w, r, nil, user, how); asked || err != nil {
		return err
	}
	if err := s.Start(w, r, account.Flow{Provider: "page", User: user, Method: how}); err != nil {
		return err
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// showFailed says why a link does not sign in, and leads to other ways.
func (s *server) showFailed(w http.ResponseWriter, r *http.Request, err error) {
	v := view{name: "failed", Title: "Sign in", Link: "/enter"}
	v.Problem, v.status = s.problem(r, err)
	if f := asFailure(err); f.code == "otp_expired" {
		v.Problem = "This link was used before or is too old. Ask for another one."
	}
	s.show(w, r, v)
}
