package auth

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/google/uuid"

	"cairn/internal/team/db/account"
	"cairn/internal/team/page"
)

//go:embed pages
var pageFiles embed.FS

var pageTemplates = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(pageFiles, "pages/pages.html"))
})

func pageFile(name string) []byte {
	data, err := pageFiles.ReadFile("pages/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return data
}

// A view is what a page shows.
type view struct {
	name    string // of the template
	status  int    // 0 is 200
	Title   string
	Server  string // team.example
	Form    string // proves that the form is one of ours
	Ask     *asked // who began the sign-in, nil for nobody
	Problem string

	Email, Token, Kind, Code, Team, TeamName, Link, Join string
	Enter                                                string    // where somebody signs in and comes back to this page
	Signed                                               uuid.UUID // who is signed in as Email in this browser
	Member                                               bool      // Email is a member already
	Typed                                                bool      // a code was typed on the page of sign-in
	Text, Command                                        string
	Here                                                 bool // the sign-in is for pages of this server
	Account, Mail                                        bool
	Half                                                 string        // that somebody has signed in but for the second factor
	Factor                                               bool          // a second factor is asked for
	QR                                                   template.HTML // of an enrolment
	Providers                                            []button
	MinPassword, MaxPassword                             int
}

// Otpauth is Link as an address that only we make up: templates refuse its scheme else.
func (v view) Otpauth() template.URL { return template.URL(v.Link) }

// SignedIn is for templates.
func (v view) SignedIn() bool { return v.Signed != uuid.Nil }

// A button leads to a provider.
type button struct{ Title, URL string }

// An asked is the sign-in that a program on somebody's machine has begun: where
// the code goes, and the challenge that only this program can meet.
type asked struct{ RedirectTo, Challenge, Team string }

// show answers with a page.
func (s *server) show(w http.ResponseWriter, r *http.Request, v view) {
	form, err := s.form(w, r)
	if err != nil {
		s.Log.Error("page failed", "path", r.URL.Path, "error", err)
		http.Error(w, "the page could not be made", http.StatusInternalServerError)
		return
	}
	v.Form, v.MinPassword, v.MaxPassword = form, account.MinPassword, account.MaxPassword
	site, _ := url.Parse(s.SiteURL) // New has looked at it
	v.Server, v.Mail = site.Host, s.Mailer != nil
	p := page.Page{Title: v.Title + " – cairn", Above: brand, CSS: pageFile("pages.css"), Forms: "'self'"}
	if v.Ask != nil {
		p.Forms += " " + origin(v.Ask.RedirectTo)
		if to, err := url.Parse(v.Ask.RedirectTo); err == nil {
			v.Here = strings.HasPrefix(to.Path, "/enter/") && to.Host == r.Host
		}
	}
	if v.name == "join" || v.name == "signin" {
		p.JS = pageFile("join.js")
	}
	var b bytes.Buffer
	if err := pageTemplates().ExecuteTemplate(&b, v.name, v); err != nil {
		s.Log.Error("page failed", "path", r.URL.Path, "error", err)
		http.Error(w, "the page could not be made", http.StatusInternalServerError)
		return
	}
	p.Body = b.Bytes()
	if err := page.Serve(&statusWriter{w, v.status}, p); err != nil {
		s.Log.Debug("page not sent", "path", r.URL.Path, "error", err)
	}
}

// brand stands above each page.
var brand = []byte(`<header class="brand"><svg aria-hidden="true" viewBox="0 0 16 16"><path d="M2 14V9h3v5zM6.5 14V2h3v12zM11 14V6h3v8z"/></svg>cairn</header>`)

// statusWriter sends a status before the first byte.
type statusWriter struct {
	http.ResponseWriter
	status int // 0 is sent or 200
}

func (w *statusWriter) Write(b []byte) (int, error) {
	if w.status != 0 {
		w.WriteHeader(w.status)
		w.status = 0
	}
	return w.ResponseWriter.Write(b)
}

// origin is a source of the pages' policy. It knows no IPv6 addresses, so that
// machine's own is every http address.
func origin(of string) string {
	u, err := url.Parse(of)
	if err != nil || strings.Contains(u.Host, "[") {
		return "http:"
	}
	return u.Scheme + "://" + u.Host
}

// formCookie is the cookie's name. Behind TLS no other host of the domain can set it.
func (s *server) formCookie() string {
	if s.secure() {
		return "__Host-cairn_form"
	}
	return "cairn_form"
}

func (s *server) secure() bool { return strings.HasPrefix(s.SiteURL, "https:") }

// form returns what the page's forms carry: a signature of a cookie that only
// pages of ours set, so that no other site can send them.
func (s *server) form(w http.ResponseWriter, r *http.Request) (string, error) {
	value := ""
	if c, err := r.Cookie(s.formCookie()); err == nil {
		value = c.Value
	}
	if value == "" {
		value = rand.Text()
		r.AddCookie(&http.Cookie{Name: s.formCookie(), Value: value}) // the next page of this answer has the same
		http.SetCookie(w, &http.Cookie{Name: s.formCookie(), Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.secure()})
	}
	return s.signature(r, value)
}

func (s *server) signature(r *http.Request, value string) (string, error) {
	key, err := s.accounts.Secret(r.Context(), "forms", func() []byte { return []byte(rand.Text() + rand.Text()) })
	if err != nil {
		return "", err
	}
	m := hmac.New(sha256.New, key)
	m.Write([]byte(value))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil)), nil
}

// errForm says that a form was not one that we had shown.
var errForm = errors.New("the form is too old or was sent by another page: try again")

// posted reads a form and checks that it is one of ours.
func (s *server) posted(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	if err := r.ParseForm(); err != nil {
		return errForm
	}
	for _, list := range r.PostForm {
		for _, text := range list {
			if strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
				return errForm // no browser sends that, and PostgreSQL cannot keep it
			}
		}
	}
	if err := new(http.CrossOriginProtection).Check(r); err != nil {
		return errForm
	}
	c, err := r.Cookie(s.formCookie())
	if err != nil {
		return errForm
	}
	want, err := s.signature(r, c.Value)
	if err != nil {
		return err
	}
	if !hmac.Equal([]byte(r.PostForm.Get("form")), []byte(want)) {
		return errForm
	}
	return nil
}

// problem says to a person what went wrong, and the page's status.
func (s *server) problem(r *http.Request, err error) (string, int) {
	if errors.Is(err, errForm) {
		return sentence(err.Error()), http.StatusForbidden
	}
	f := asFailure(err)
	if f.status >= 500 {
		s.Log.Error("sign-in failed", "path", r.URL.Path, "error", err)
		return "Something went wrong here. Try again in a minute.", f.status
	}
	switch f.code {
	case "invalid_credentials":
		return "The e-mail address or the password is wrong.", f.status
	case "mfa_verification_failed":
		return "That code is wrong or was used before. Wait for the next one.", f.status
	case "mfa_factor_not_found":
		return "That took too long. Begin again.", f.status
	case "weak_password":
		if errors.Is(err, account.ErrEasy) {
			return "That password is easy to guess. Choose one that is no common word or name, with or without digits; several words that have nothing to do with each other are good.", f.status
		}
	case "otp_expired":
		return "That is used up, too old or was never made.", f.status
	case "over_request_rate_limit":
		return "Too many tries. Wait a minute.", f.status
	}
	return sentence(f.message), f.status
}

func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + strings.TrimSuffix(s[1:], ".") + "."
}
