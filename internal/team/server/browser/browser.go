// Package browser keeps a person's browser signed in to the team's pages: it
// begins a sign-in as any program on a machine does (PKCE), keeps the session in
// a cookie that no script can read, and ends it.
//
//	GET  /enter        begins a sign-in; ?next= is where it leads to
//	GET  /enter/done   ends it; the page of sign-in leads here
//	GET  /enter/with   a ticket that `cairn dashboard` asked for signs in, once
//	POST /signout      ends the session
//	POST wire.Enter    gives a ticket to who has an access token
//
// team/server mounts it. Ways to sign in belong to server/auth.
package browser

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/dashboard"
	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/server/access"
	"cairn/internal/team/server/api"
	"cairn/internal/team/wire"
)

// sessionLife is how long a browser stays signed in, and enterLife how long
// signing in may take.
const (
	sessionLife = 30 * 24 * time.Hour
	enterLife   = 10 * time.Minute
)

// Config of New; all but ClientIP is needed.
type Config struct {
	DB       *db.DB
	Accounts *account.Accounts
	Access   *access.Access
	SiteURL  string // without a slash at the end
	ClientIP func(*http.Request) netip.Addr
	Log      *slog.Logger
}

// A Browser signs browsers in.
type Browser struct{ Config }

// New returns what signs browsers in.
func New(c Config) *Browser { return &Browser{c} }

// Handler answers the addresses of the package's comment.
func (b *Browser) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /enter", b.enter)
	mux.HandleFunc("GET /enter/done", b.done)
	mux.HandleFunc("GET /enter/with", b.with)
	mux.HandleFunc("POST /signout", b.signOut)
	mux.HandleFunc("POST "+wire.Enter, b.ticket)
	return mux
}

// Viewer says who looks at a page: by the cookie, or by an access token for who
// prints it on the command line.
func (b *Browser) Viewer(r *http.Request) (dashboard.Viewer, error) {
	var v dashboard.Viewer
	var err error
	if cookie, missing := r.Cookie(b.cookie(r)); access.Bearer(r) == "" && missing == nil {
		v.As, v.Email, err = b.Access.Page(r, cookie.Value)
	} else {
		var claims *access.Claims
		v.As, claims, err = b.Access.Identify(r)
		if claims != nil {
			v.Email = claims.Email
		}
	}
	switch {
	case isStranger(err), err == nil && !mayLook(v.As):
		return v, dashboard.ErrStranger
	case err != nil:
		return v, err
	}
	// The server asks for one user's teams: policies would look them up once more for each table.
	err = b.DB.View(r.Context(), db.ServerItself, func(tx *db.Tx) error {
		teams, err := figures.TeamsOf(r.Context(), tx, v.As.User)
		for _, m := range teams {
			if v.As.Team == uuid.Nil || v.As.Team == m.Team {
				v.Teams = append(v.Teams, dashboard.TeamOf(m))
			}
		}
		return err
	})
	return v, err
}

func isStranger(err error) bool {
	return errors.Is(err, db.ErrToken) || errors.Is(err, access.ErrExpired) || errors.Is(err, db.ErrSession) || errors.Is(err, access.ErrRole)
}

// mayLook: pages are of all repositories of a team, so a token of CI that is
// for one sees none.
func mayLook(as db.Identity) bool {
	if as.Role != db.Authenticated || as.User == uuid.Nil {
		return false
	}
	return as.Team == uuid.Nil || as.Repo == "" && slices.Contains(as.Scopes, wire.ScopeRead)
}

// enter sends a browser to the page of sign-in.
func (b *Browser) enter(w http.ResponseWriter, r *http.Request) {
	base := b.base(r)
	if u, err := url.Parse(base); err != nil || u.Host != r.Host {
		to(w, r, base+"/enter?"+r.URL.RawQuery)
		return
	}
	verifier := rand.Text() + rand.Text()
	sum := sha256.Sum256([]byte(verifier))
	value := verifier + "." + base64.RawURLEncoding.EncodeToString([]byte(next(r.URL.Query().Get("next"))))
	http.SetCookie(w, &http.Cookie{Name: b.cookie(r) + "_enter", Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: b.secure(), MaxAge: int(enterLife.Seconds())})
	q := url.Values{"redirect_to": {base + "/enter/done"}, "code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"s256"}}
	if team := teamOf(r.URL.Query().Get("next")); team != "" {
		q.Set("team", team)
	}
	to(w, r, "/signin?"+q.Encode())
}

// done ends the sign-in that this browser began.
func (b *Browser) done(w http.ResponseWriter, r *http.Request) {
	cookie, err := r.Cookie(b.cookie(r) + "_enter")
	if err != nil {
		to(w, r, "/enter")
		return
	}
	verifier, encoded, _ := strings.Cut(cookie.Value, ".")
	goal, _ := base64.RawURLEncoding.DecodeString(encoded)
	b.begin(w, r, r.URL.Query().Get("code"), verifier, string(goal))
}

// with takes a ticket. Another site cannot send a browser here, or it could
// sign somebody in as somebody else.
func (b *Browser) with(w http.ResponseWriter, r *http.Request) {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "none" && site != "same-origin" {
		to(w, r, "/enter")
		return
	}
	code, verifier, _ := strings.Cut(r.URL.Query().Get("ticket"), ".")
	b.begin(w, r, code, verifier, r.URL.Query().Get("next"))
}

// begin starts the browser's session. A code that is used up or of another
// browser begins anew.
func (b *Browser) begin(w http.ResponseWriter, r *http.Request, code, verifier, goal string) {
	f, err := b.Accounts.TakeCode(r.Context(), code, verifier)
	if err == nil {
		err = b.Start(w, r, f)
	}
	switch {
	case errors.Is(err, account.ErrToken), errors.Is(err, account.ErrVerifier), errors.Is(err, account.ErrBanned):
		to(w, r, "/enter?"+url.Values{"next": {next(goal)}}.Encode())
		return
	case err != nil:
		b.Log.Error("sign-in failed", "path", r.URL.Path, "error", err)
		http.Error(w, "something went wrong here: try again in a minute", http.StatusServiceUnavailable)
		return
	}
	to(w, r, next(goal))
}

// Start starts the session of a browser for whom a flow has signed in.
func (b *Browser) Start(w http.ResponseWriter, r *http.Request, f account.Flow) error {
	until := time.Now().Add(sessionLife)
	ip := ""
	if b.ClientIP != nil {
		ip = b.ClientIP(r).String()
	}
	made, _, err := b.Accounts.Begin(r.Context(), account.Session{User: f.User, Method: f.Method, SecondFactor: f.SecondFactor, UserAgent: r.UserAgent(), IP: ip, NotAfter: until})
	if err != nil {
		return err
	}
	u, err := b.Accounts.User(r.Context(), f.User)
	if err != nil {
		return err
	}
	cookie, err := b.Access.Keys.SignPage(f.User, made.ID, u.Email, until)
	if err != nil {
		return err
	}
	if err := b.endSession(r); err != nil { // who was signed in here before is no more
		return err
	}
	http.SetCookie(w, &http.Cookie{Name: b.cookie(r), Value: cookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: b.secure(),
		MaxAge: int(sessionLife.Seconds())})
	http.SetCookie(w, &http.Cookie{Name: b.cookie(r) + "_enter", Path: "/", MaxAge: -1, HttpOnly: true, Secure: b.secure()})
	return nil
}

// Person is who is signed in in a browser; ok is false for nobody.
func (b *Browser) Person(r *http.Request) (user uuid.UUID, ok bool) {
	cookie, err := r.Cookie(b.cookie(r))
	if err != nil {
		return uuid.Nil, false
	}
	as, _, err := b.Access.Page(r, cookie.Value)
	return as.User, err == nil
}

// endSession ends the session of a browser's cookie, if there is one.
func (b *Browser) endSession(r *http.Request) error {
	cookie, err := r.Cookie(b.cookie(r))
	if err != nil {
		return nil
	}
	as, _, err := b.Access.Page(r, cookie.Value)
	if err != nil {
		return nil
	}
	return b.Accounts.End(r.Context(), as.User, as.Session, account.Local)
}

// signOut ends the session of this browser.
func (b *Browser) signOut(w http.ResponseWriter, r *http.Request) {
	if err := new(http.CrossOriginProtection).Check(r); err != nil {
		http.Error(w, "this was sent by another page", http.StatusForbidden)
		return
	}
	if err := b.endSession(r); err != nil {
		b.Log.Error("sign-out failed", "error", err)
		http.Error(w, "something went wrong here: try again in a minute", http.StatusServiceUnavailable)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: b.cookie(r), Path: "/", MaxAge: -1, HttpOnly: true, Secure: b.secure()})
	to(w, r, "/enter")
}

// ticket gives who has an access token of a person a way to open pages.
func (b *Browser) ticket(w http.ResponseWriter, r *http.Request) {
	as, claims, err := b.Access.Identify(r)
	if err == nil && (as.Role != db.Authenticated || as.Team != uuid.Nil || as.User == uuid.Nil) {
		err = db.ErrToken
	}
	switch {
	case isStranger(err):
		http.Error(w, `{"code":401,"error_code":"bad_jwt","msg":"this needs a person's access token"}`, http.StatusUnauthorized)
		return
	case err != nil:
		b.noTicket(w, err)
		return
	}
	verifier := rand.Text() + rand.Text()
	sum := sha256.Sum256([]byte(verifier))
	f := account.Flow{Provider: "ticket", Challenge: base64.RawURLEncoding.EncodeToString(sum[:]), User: as.User, Method: "ticket"}
	if claims != nil && claims.AAL == "aal2" {
		f.SecondFactor = time.Now().UTC()
	}
	code, err := b.Accounts.GiveCode(r.Context(), f)
	if err != nil {
		b.noTicket(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	api.Send(w, http.StatusOK, wire.Entry{URL: b.base(r) + "/enter/with?ticket=" + code + "." + verifier})
}

func (b *Browser) noTicket(w http.ResponseWriter, err error) {
	b.Log.Error("no ticket", "error", err)
	status := http.StatusInternalServerError
	if db.Unavailable(err) {
		status = http.StatusServiceUnavailable
	}
	http.Error(w, fmt.Sprintf(`{"code":%d,"msg":"something went wrong here"}`, status), status)
}

// base is the server's own address. On this machine it has several names, and
// a cookie is of one of them.
func (b *Browser) base(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.Host)
	ip, bad := netip.ParseAddr(host)
	if site, _ := url.Parse(b.SiteURL); err == nil && !b.secure() && (host == "localhost" || bad == nil && ip.IsLoopback()) && isLoopback(site.Hostname()) {
		return "http://" + r.Host
	}
	return b.SiteURL
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

func (b *Browser) secure() bool { return strings.HasPrefix(b.SiteURL, "https:") }

// cookie is the cookie's name. Behind TLS no other host of the domain can set
// it; without, servers on other ports of a machine have others.
func (b *Browser) cookie(r *http.Request) string {
	if b.secure() {
		return "__Host-cairn_session"
	}
	if _, port, err := net.SplitHostPort(r.Host); err == nil {
		return "cairn_session_" + port
	}
	return "cairn_session"
}

// next is an address of the pages, of an invitation or of the second factor,
// nothing else.
func next(path string) string {
	if u, err := url.Parse(path); err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(path, "/t/") && u.Path != "/join" && path != "/signin/factor" || strings.ContainsAny(path, "\\\n\r\t") {
		return "/"
	}
	return path
}

// teamOf is the slug of the team whose page an address is, "" for none.
func teamOf(path string) string {
	rest, _ := strings.CutPrefix(next(path), "/t/")
	slug, _, _ := strings.Cut(rest, "/")
	return slug
}

// to sends the browser elsewhere; nothing keeps the way.
func to(w http.ResponseWriter, r *http.Request, where string) {
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, where, http.StatusSeeOther)
}
