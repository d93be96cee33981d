// Package dashboard is the team's pages: what a team's rows say about its speed,
// its quality, its cost, its people and its plans, over any database of team/db.
// `cairn serve` shows them to who is signed in; `cairn dashboard` shows them over
// a copy of a Supabase project's rows.
//
//	dashboard.go  the handler: who asks for which page
//	filter.go     what of a team is shown: time, repository, person, branch
//	ask.go        what a request for a view knows: people, names, ranges
//	view.go       the list of views; view_NAME.go what each shows, as panels
//	cache.go      answers that are kept, and for whom
//	label.go      a member's label of an answer, the one thing that pages send
//	frame.go      panels as a page; assets/ its styles and scripts
//
// Server and cli import it. Numbers come from db/figures and db; nothing here
// writes to the database but Config.Labels, and SQL never belongs here.
package dashboard

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/local"
	"cairn/internal/team/page"
	"cairn/internal/team/wire"
)

// Config of the pages.
type Config struct {
	DB *db.DB
	// Viewer says who asks. ErrStranger sends a browser to SignIn.
	Viewer func(*http.Request) (Viewer, error)
	SignIn string // address where one signs in and is led to ?next=, "" for none
	Log    *slog.Logger
	Now    func() time.Time // nil is the clock
	// Sessions are what agents did on this machine, for owners and admins; nil, or
	// returning nil, where that is not known.
	Sessions func() *local.Sessions
	Labels   Labels // nil: nobody labels answers here
}

// Labels are where members' labels are kept. An error that is nobody's fault here has
// a method Refusal, with a status and a sentence.
type Labels interface {
	Of(ctx context.Context, as db.Identity, of wire.EvalLabel) ([]wire.EvalLabel, error)
	Set(ctx context.Context, as db.Identity, label wire.EvalLabel, gone bool) error
}

// ErrStranger says that nobody is signed in.
var ErrStranger = errors.New("nobody is signed in")

// A Viewer is who looks, and at which teams they may.
type Viewer struct {
	As    db.Identity
	Email string
	Teams []Team
}

// A Team of a viewer.
type Team struct {
	ID   uuid.UUID
	Slug string
	Name string
	Role string // of the viewer
	// Version is of what its pages show, Records of all of that but evals, Revised of
	// how cases of known runs went; 0 is not known, and nothing is kept.
	Version, Records, Revised int64
}

// TeamOf is a team that somebody is in.
func TeamOf(m figures.Membership) Team {
	return Team{ID: m.Team, Slug: m.Slug, Name: m.Name, Role: m.Role, Version: m.Version, Records: m.Records, Revised: m.Revised}
}

type pages struct {
	Config
	views []view
	mux   *http.ServeMux
	kept  *answers
	known *store[any] // figures
}

// New returns the handler of all pages. It answers / and everything below /t/
// and /assets/.
func New(c Config) http.Handler {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	p := &pages{Config: c, views: views(), mux: http.NewServeMux(), kept: newAnswers(), known: newStore[any](mostKnown)}
	p.mux.HandleFunc("GET /{$}", p.home)
	p.mux.HandleFunc("GET /t/{team}/{$}", p.show)
	p.mux.HandleFunc("GET /t/{team}/{view}", p.show)
	p.mux.HandleFunc("GET /t/{team}/{view}/{panel}", p.export)
	p.mux.HandleFunc("GET /t/{team}/rows/{kind}", p.show)
	p.mux.HandleFunc("GET /t/{team}/rows/{kind}/{panel}", p.export)
	p.mux.HandleFunc("POST /t/{team}/label", p.label)
	p.mux.HandleFunc("GET /assets/{sum}/{file}", p.asset)
	p.mux.HandleFunc("/", p.missing)
	return p
}

func (p *pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page.Headers(w.Header())
	p.mux.ServeHTTP(w, r)
}

// home leads to the first team.
func (p *pages) home(w http.ResponseWriter, r *http.Request) {
	v, ok := p.viewer(w, r)
	if !ok {
		return
	}
	if len(v.Teams) == 0 {
		p.problem(w, r, http.StatusOK, "You are in no team yet", "An owner or an admin of a team can invite you, or make one: cairn team create NAME")
		return
	}
	http.Redirect(w, r, "/t/"+v.Teams[0].Slug+"/", http.StatusSeeOther)
}

// viewer says who asks; ok is false where that was answered already.
func (p *pages) viewer(w http.ResponseWriter, r *http.Request) (v Viewer, ok bool) {
	v, err := p.Viewer(r)
	switch {
	case err == nil:
		return v, true
	case !errors.Is(err, ErrStranger):
		p.failed(w, r, err)
	case p.SignIn != "" && strings.Contains(r.Header.Get("Accept"), "text/html"):
		http.Redirect(w, r, p.SignIn+"?"+url.Values{"next": {r.URL.RequestURI()}}.Encode(), http.StatusSeeOther)
	default:
		p.problem(w, r, http.StatusUnauthorized, "You are not signed in", "cairn dashboard opens this page signed in.")
	}
	return v, false
}

// team finds the team of an address among the viewer's. One that is not theirs
// is answered like one that is not there.
func (p *pages) team(w http.ResponseWriter, r *http.Request, v Viewer) (Team, bool) {
	slug := r.PathValue("team")
	i := slices.IndexFunc(v.Teams, func(t Team) bool { return t.Slug == slug })
	if i < 0 {
		p.problem(w, r, http.StatusNotFound, "There is no such team", "It is not there, or you are not in it.")
		return Team{}, false
	}
	return v.Teams[i], true
}

func (p *pages) missing(w http.ResponseWriter, r *http.Request) {
	p.problem(w, r, http.StatusNotFound, "There is no such page", "The address may be mistyped, or of another version.")
}

// failed answers for what is our fault, or the database's.
func (p *pages) failed(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	p.Log.Error("page failed", "path", r.URL.Path, "error", err)
	w.Header().Del("ETag")
	p.problem(w, r, http.StatusServiceUnavailable, "The page could not be made", "The server's log says why. Try again in a minute.")
}
