package dashboard

import (
	"bytes"
	"html/template"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/db/figures"
	"cairn/internal/team/page"
	"cairn/internal/team/panel"
)

var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"inRow": inRow}).ParseFS(files, "assets/*.html"))
})

// A framed is what the templates show.
type framed struct {
	Title   string
	Summary string
	Viewer  string // who is signed in, "" for nobody
	SignOut bool
	Team    Team
	Teams   []option // to switch to
	Views   []option
	Bar     *bar
	Figures []figureShown
	Cards   []card
	Made    time.Time
	Newest  time.Time // record of the team; zero is none
	Problem *problemShown
}

// An option is one of several; Here is the one that is shown.
type option struct {
	Name, Link string
	Here       bool
}

// A problemShown is why there is no page, and what to do.
type problemShown struct {
	Status        int
	Text, Command string
	Back          string // a page that is there
}

// frame answers with a page of panels.
func (p *pages) frame(w http.ResponseWriter, r *http.Request, v view, a *ask, panels []panel.Panel) {
	f := p.framed(a.viewer, a.team, a.filter, v.name)
	f.Title, f.Summary, f.Made, f.Newest = v.title, v.summary, a.now, newest(a.fresh)
	if !v.still {
		f.Bar = newBar(v, a)
	}
	charts := map[string]*panel.Chart{}
	at := place{team: a.team, view: v.name, args: a.path, filter: a.filter}
	for i := range panels {
		one := &panels[i]
		if len(one.Figures) > 0 && one.Chart == nil && len(one.Table.Rows) == 0 && one.Failed == "" {
			f.Figures = append(f.Figures, at.figures(one.Figures)...)
			continue
		}
		c := at.card(one)
		if c.Chart != nil {
			charts[c.ID] = c.Chart
		}
		f.Cards = append(f.Cards, c)
	}
	layOut(f.Cards)
	if len(f.Cards) == 1 && f.Cards[0].Table != nil { // a page of rows
		f.Cards[0].Table.Long, f.Cards[0].Table.Brief = false, false
	}
	p.render(w, r, http.StatusOK, f, charts)
}

// newest is when a team was last heard of.
func newest(all []figures.Fresh) (at time.Time) {
	for _, f := range all {
		for _, t := range [...]*time.Time{f.Run, f.Ship, f.Retro, f.QA, f.Triaged, f.Plan, f.Usage} {
			if t != nil && t.After(at) {
				at = *t
			}
		}
	}
	return at
}

// framed is the frame of a view, without what is in it.
func (p *pages) framed(viewer Viewer, team Team, filter Filter, name string) framed {
	f := framed{Viewer: viewer.Email, SignOut: p.SignIn != "", Team: team}
	for _, t := range viewer.Teams { // repositories and people are of one team
		link := place{team: t, filter: Filter{Weeks: filter.Weeks, From: filter.From, To: filter.To}}
		f.Teams = append(f.Teams, option{t.Name, link.to(name), t.ID == team.ID})
	}
	for _, one := range p.views {
		if !one.hidden {
			f.Views = append(f.Views, option{one.title, place{team: team, filter: filter}.to(one.name), one.name == name})
		}
	}
	return f
}

// problem answers with a page that says what is wrong and what to do.
func (p *pages) problem(w http.ResponseWriter, r *http.Request, status int, title, text string) {
	if strings.HasSuffix(r.URL.Path, ".json") { // a program asks
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(status)
		message := strings.ToLower(title[:1]) + title[1:]
		if status == http.StatusBadRequest {
			message, text = text, ""
		}
		_ = json.MarshalWrite(w, map[string]string{"message": message, "hint": text}, json.Deterministic(true))
		return
	}
	f := framed{Title: title, Problem: &problemShown{Status: status, Text: text, Back: "/"}}
	if status == http.StatusUnauthorized {
		f.Problem.Command, f.Problem.Back = "cairn dashboard", p.SignIn
	}
	if status == http.StatusServiceUnavailable {
		f.Problem.Back = r.URL.RequestURI()
	}
	p.render(w, r, status, f, nil)
}

// render answers with a page. Charts, if there are any, are what its script draws.
func (p *pages) render(w http.ResponseWriter, r *http.Request, status int, f framed, charts map[string]*panel.Chart) {
	var above, body bytes.Buffer
	err := templates().ExecuteTemplate(&above, "above", f)
	if err == nil {
		err = templates().ExecuteTemplate(&body, "body", f)
	}
	if err != nil {
		p.Log.Error("page failed", "path", r.URL.Path, "error", err)
		http.Error(w, "the page could not be made", http.StatusInternalServerError)
		return
	}
	shown := page.Page{Title: f.Title + " – cairn", Above: above.Bytes(), Body: body.Bytes(), Forms: "'self'",
		Styles: []string{address("dashboard.css")}, Scripts: []string{address("dashboard.js")}}
	if f.Team.Name != "" {
		shown.Title = f.Title + " – " + f.Team.Name + " – cairn"
	}
	if len(charts) > 0 {
		shown.Data, shown.Scripts = charts, append(shown.Scripts, address("chart.js"))
	}
	if err := page.Serve(&statusWriter{w, status}, shown); err != nil {
		p.Log.Debug("page not sent", "path", r.URL.Path, "error", err)
	}
}

// statusWriter sends a status before the first byte.
type statusWriter struct {
	http.ResponseWriter
	status int // 0 is sent
}

func (w *statusWriter) Write(b []byte) (int, error) {
	if w.status != 0 {
		w.WriteHeader(w.status)
		w.status = 0
	}
	return w.ResponseWriter.Write(b)
}
