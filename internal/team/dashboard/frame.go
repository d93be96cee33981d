package dashboard

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/page"
	"cairn/internal/team/panel"
)

//go:embed assets
var files embed.FS

var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"show": func(c panel.Cell, u panel.Unit) string { return panel.Show(c.Value, u) },
	}).ParseFS(files, "assets/frame.html"))
})

// assets are what pages read besides themselves, by name.
type asset struct {
	kind string
	body []byte
}

// assets are read once; sum names this version of them, so that browsers may
// keep them for good.
var assets = sync.OnceValues(func() (sum string, list map[string]asset) {
	css, js := page.Base()
	list = map[string]asset{
		"dashboard.css": {"text/css; charset=utf-8", bytes.Join([][]byte{css, file("dashboard.css")}, []byte("\n"))},
		"dashboard.js":  {"text/javascript; charset=utf-8", bytes.Join([][]byte{js, file("dashboard.js")}, []byte("\n"))},
	}
	h := sha256.New()
	for _, name := range []string{"dashboard.css", "dashboard.js"} {
		h.Write(list[name].body)
	}
	return hex.EncodeToString(h.Sum(nil)[:6]), list
})

func file(name string) []byte {
	data, err := files.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return data
}

func (p *pages) asset(w http.ResponseWriter, r *http.Request) {
	sum, list := assets()
	a, ok := list[r.PathValue("file")]
	if !ok || r.PathValue("sum") != sum {
		p.missing(w, r)
		return
	}
	w.Header().Set("Content-Type", a.kind)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.Write(a.body)
}

// A framed is what the template shows.
type framed struct {
	Team    Team
	Teams   []Team
	Viewer  string
	Views   []framedView
	Title   string
	Summary string
	Query   string // of the filter: "" or ?weeks=4
	Filter  Filter
	Panels  []panel.Panel
	Problem string
	Made    time.Time
}

type framedView struct {
	Name, Title string
	Here        bool
}

// frame answers with a page of panels.
func (p *pages) frame(w http.ResponseWriter, r *http.Request, v view, a *ask, panels []panel.Panel) {
	f := framed{Team: a.team, Teams: a.viewer.Teams, Viewer: a.viewer.Email, Title: v.title, Summary: v.summary, Filter: a.filter, Panels: panels, Made: a.now}
	if q := a.filter.query().Encode(); q != "" {
		f.Query = "?" + q
	}
	for _, one := range p.views {
		if !one.hidden {
			f.Views = append(f.Views, framedView{one.name, one.title, one.name == v.name})
		}
	}
	p.render(w, r, http.StatusOK, f, panels)
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
		_ = json.MarshalWrite(w, map[string]string{"message": message, "hint": text})
		return
	}
	p.render(w, r, status, framed{Title: title, Problem: text}, nil)
}

func (p *pages) render(w http.ResponseWriter, r *http.Request, status int, f framed, data any) {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, "frame", f); err != nil {
		p.Log.Error("page failed", "path", r.URL.Path, "error", err)
		http.Error(w, "the page could not be made", http.StatusInternalServerError)
		return
	}
	sum, _ := assets()
	err := page.Serve(&statusWriter{w, status}, page.Page{
		Title: f.Title + " – cairn", Body: b.Bytes(), Data: data, Forms: "'self'",
		Styles: []string{"/assets/" + sum + "/dashboard.css"}, Scripts: []string{"/assets/" + sum + "/dashboard.js"},
	})
	if err != nil {
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
