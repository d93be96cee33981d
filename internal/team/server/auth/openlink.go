package auth

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"cairn/internal/team/db/account"
)

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
