package dashboard

import (
	"bytes"
	"cmp"
	"html/template"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/answer"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/evalpage"
	"cairn/internal/team/page"
)

var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"inRow": inRow, "rows": rows}).ParseFS(files, "assets/*.html"))
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
	Groups  []group
	Said    []without // panels that have no rows because there is nothing to report
	Without []without // panels without data, and what brings some
	Nobody  bool      // a filter leaves no rows
	Older   *option   // the time of the newest record, if that is before the period
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

// body makes what of a page of panels is the same for all with the same rights.
func (p *pages) body(q *request, a *ask, title string, panels []answer.Panel) (*reply, error) {
	if a.own.data != nil {
		made := &reply{title: title, body: []byte(scripted), own: a.own.script}
		if c, ok := a.own.data.(*evalpage.Case); ok {
			made.body, made.labels = c.Plain(), c.Labels
			c.Labels = nil
		}
		var err error
		made.data, err = json.Marshal(a.own.data, json.Deterministic(true))
		return made, err
	}
	f := framed{Title: title, Summary: q.view.summary, Made: a.now, Newest: newest(a.fresh)}
	if !q.view.still {
		f.Bar = newBar(q.view, a)
	}
	charts := map[string]*answer.Chart{}
	at := place{team: a.team, view: q.view.name, args: a.path, filter: a.filter}
	var cards []card
	for i := range panels {
		one := &panels[i]
		switch {
		case one.Failed == "" && one.Nothing():
			if one.ID != attentionID || !a.young() { // of nothing, nothing needs attention
				f.lacks(one)
			}
		case len(one.Figures) > 0 && one.Chart == nil && len(one.Table.Rows) == 0 && one.Failed == "":
			f.Figures = append(f.Figures, at.figures(known(one.Figures))...)
		default:
			c := at.card(one)
			if c.Chart != nil {
				charts[c.ID] = c.Chart
			}
			cards = append(cards, c)
		}
	}
	if len(cards) == 1 && cards[0].Table != nil { // a page of rows
		cards[0].Table.Long, cards[0].Table.Brief = false, false
	}
	f.Groups = layOut(cards)
	if empty := len(f.Figures) == 0 && !slices.ContainsFunc(cards, func(c card) bool { return c.ID != stepsID }); empty && f.Bar != nil {
		f.Older = at.older(f.Newest)
	}
	f.Nobody = len(cards) == 0 && len(f.Figures) == 0 && f.Bar != nil && f.Bar.Reset != ""
	made := &reply{title: title}
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, "body", f); err != nil {
		return nil, err
	}
	made.body = b.Bytes()
	if len(charts) == 0 {
		return made, nil
	}
	var err error
	made.data, err = json.Marshal(charts, json.Deterministic(true))
	return made, err
}

// scripted is the body of a page that its own script draws.
const scripted = `<noscript><p class="note warn">This page is drawn by a script of this server, and scripts are off.</p></noscript>`

// page answers with a page: its body below the viewer's own header.
func (p *pages) page(w http.ResponseWriter, r *http.Request, q *request, a *reply) {
	f := p.framed(q.viewer, q.team, q.filter, q.view.name)
	f.Title = a.title
	if a.labels != nil {
		a = p.withLabels(r.Context(), q, a)
	}
	p.render(w, r, http.StatusOK, f, a)
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
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == mediaJSON || strings.HasSuffix(r.URL.Path, ".json") { // a program asks
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
	var body bytes.Buffer
	if err := templates().ExecuteTemplate(&body, "body", f); err != nil {
		p.Log.Error("page failed", "path", r.URL.Path, "error", err)
		http.Error(w, "the page could not be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	p.render(w, r, status, f, &reply{body: body.Bytes()})
}

// render answers with a page: the frame's header above a body.
func (p *pages) render(w http.ResponseWriter, r *http.Request, status int, f framed, a *reply) {
	var above bytes.Buffer
	err := templates().ExecuteTemplate(&above, "above", f)
	shown := page.Page{Title: f.Title + " – cairn", Body: a.body, Forms: "'self'",
		Styles: []string{address("dashboard.css")}, Scripts: []string{address("dashboard.js")}, Live: a.labels != nil && a.labels.To != ""}
	if f.Team.Name != "" {
		shown.Title = f.Title + " – " + f.Team.Name + " – cairn"
	}
	if a.data != nil {
		shown.Data, shown.Scripts = jsontext.Value(a.data), append(shown.Scripts, address(cmp.Or(a.own, "chart")+".js"))
	}
	switch a.own {
	case "":
	case "compare":
		shown.Styles = append(shown.Styles, address("compare.css"))
	default:
		shown.Styles = append(shown.Styles, address("eval.css"))
	}
	shown.Above = above.Bytes()
	var doc []byte
	var policy string
	if err == nil {
		doc, policy, err = shown.Document()
	}
	if err != nil {
		p.Log.Error("page failed", "path", r.URL.Path, "error", err)
		http.Error(w, "the page could not be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
	w.WriteHeader(status)
	if _, err := w.Write(doc); err != nil {
		p.Log.Debug("page not sent", "path", r.URL.Path, "error", err)
	}
}
