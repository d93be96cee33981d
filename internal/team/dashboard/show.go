package dashboard

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/db"
	"cairn/internal/team/panel"
)

// A Shown is a view with its panels, as NAME.json has it and the command line prints it.
type Shown struct {
	Team   string            `json:"team"`
	View   string            `json:"view"`
	Title  string            `json:"title"`
	Filter map[string]string `json:"filter"`
	Panels []panel.Panel     `json:"panels"`
}

// find returns the view of a name.
func (p *pages) find(name string) (view, bool) {
	i := slices.IndexFunc(p.views, func(v view) bool { return v.name == name })
	switch {
	case i >= 0:
		return p.views[i], true
	case name == First:
		return p.find("")
	}
	return view{}, false
}

// open makes the view of a name for who asks, as the address wants it; ok is
// false where that was answered already.
func (p *pages) open(w http.ResponseWriter, r *http.Request, name string) (v view, a *ask, panels []panel.Panel, ok bool) {
	viewer, ok := p.viewer(w, r)
	if !ok {
		return v, nil, nil, false
	}
	team, ok := p.team(w, r, viewer)
	if !ok {
		return v, nil, nil, false
	}
	if v, ok = p.find(name); !ok {
		p.missing(w, r)
		return v, nil, nil, false
	}
	filter, err := readFilter(r.URL.Query(), p.Now())
	if err != nil {
		p.problem(w, r, http.StatusBadRequest, "The address asks for what there is not", err.Error())
		return v, nil, nil, false
	}
	args, ok := p.args(w, r, v)
	if !ok {
		return v, nil, nil, false
	}
	panels, a, err = p.panels(r.Context(), viewer, team, filter, v, args)
	switch {
	case errors.Is(err, errNothing):
		p.problem(w, r, http.StatusNotFound, "There is nothing of that name", "It is not there, or it was deleted.")
	case err != nil:
		p.failed(w, r, err)
	}
	return v, a, panels, err == nil
}

// show answers with a view: a page, or JSON where the name ends with .json.
func (p *pages) show(w http.ResponseWriter, r *http.Request) {
	name, asJSON := strings.CutSuffix(viewName(r), ".json")
	v, a, panels, ok := p.open(w, r, name)
	if !ok {
		return
	}
	v.title = cmp.Or(a.title, v.title)
	if asJSON {
		p.answer(w, r, Shown{Team: a.team.Slug, View: v.name, Title: v.title, Filter: flat(a.filter.query()), Panels: panels})
		return
	}
	p.frame(w, r, v, a, panels)
}

// panels makes a view's panels in one transaction that only reads. One that
// fails says so, the others are there.
func (p *pages) panels(ctx context.Context, viewer Viewer, team Team, f Filter, v view, args map[string]string) (list []panel.Panel, a *ask, err error) {
	a = &ask{viewer: viewer, team: team, filter: f, now: p.Now(), path: args}
	err = p.DB.View(ctx, viewer.As, func(tx *db.Tx) error {
		a.tx = tx
		if err := a.know(ctx, v); err != nil {
			return err
		}
		for _, make := range v.panels {
			one, err := make(ctx, a)
			if err != nil {
				if errors.Is(err, context.Canceled) || errors.Is(err, errNothing) {
					return err
				}
				p.Log.Error("panel failed", "view", v.name, "panel", one.ID, "error", err)
				one.Failed = "it could not be made; the server's log says why"
			}
			one.Command = command(v, one, f, args)
			list = append(list, one)
		}
		return nil
	})
	return list, a, err
}

// errNothing says that an address names what there is not.
var errNothing = errors.New("nothing of that name")

// argNames are what addresses may name besides a filter.
var argNames = [...]string{"id", "suite", "after"}

// args reads them; ok is false where one is missing and that was answered.
func (p *pages) args(w http.ResponseWriter, r *http.Request, v view) (map[string]string, bool) {
	q := r.URL.Query()
	out := map[string]string{}
	for _, name := range argNames {
		if q.Has(name) {
			out[name] = q.Get(name)
		}
	}
	for _, name := range v.args {
		if _, ok := out[name]; !ok {
			p.problem(w, r, http.StatusBadRequest, "The address asks for what there is not", name+": it is wanted")
			return nil, false
		}
	}
	return out, true
}

// viewName is what an address calls a view: pages of rows have two parts.
func viewName(r *http.Request) string {
	if kind := r.PathValue("kind"); kind != "" {
		return "rows/" + kind
	}
	return r.PathValue("view")
}

// command is what prints a panel on the command line.
func command(v view, p panel.Panel, f Filter, args map[string]string) string {
	c := "cairn dashboard show " + cmp.Or(v.name, First) + " " + p.ID
	for _, name := range argNames {
		if args[name] != "" {
			c += " --" + name + " " + shellWord(args[name])
		}
	}
	q := f.query()
	if v.still {
		return c
	}
	for _, name := range []string{"weeks", "from", "to", "repo", "person", "branch"} {
		if value := q.Get(name); value != "" {
			c += " --" + name + " " + shellWord(value)
		}
	}
	return c
}

// shellWord quotes a word for a shell where it has to be.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./@:") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// export answers with one panel: PANEL.csv or PANEL.json.
func (p *pages) export(w http.ResponseWriter, r *http.Request) {
	_, a, panels, ok := p.open(w, r, viewName(r))
	if !ok {
		return
	}
	id, form, _ := strings.Cut(r.PathValue("panel"), ".")
	i := slices.IndexFunc(panels, func(one panel.Panel) bool { return one.ID == id })
	switch {
	case i < 0 || form != "csv" && form != "json":
		p.missing(w, r)
	case panels[i].Failed != "":
		p.failed(w, r, errors.New(panels[i].Failed))
	case form == "json":
		p.exportJSON(w, r, &panels[i].Table)
	default:
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		w.Header().Set("Content-Disposition", `attachment; filename="`+a.team.Slug+"-"+id+`.csv"`)
		if err := panels[i].Table.CSV(w); err != nil {
			p.Log.Debug("export not sent", "path", r.URL.Path, "error", err)
		}
	}
}

func (p *pages) exportJSON(w http.ResponseWriter, r *http.Request, t *panel.Table) {
	rows, err := t.Objects()
	if err != nil {
		p.failed(w, r, err)
		return
	}
	p.answer(w, r, rows)
}

// answer sends JSON.
func (p *pages) answer(w http.ResponseWriter, r *http.Request, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if err := json.MarshalWrite(w, v, json.Deterministic(true), jsontext.WithIndent("  ")); err != nil {
		p.Log.Debug("answer not sent", "path", r.URL.Path, "error", err)
	}
}

func flat(q url.Values) map[string]string {
	out := make(map[string]string, len(q))
	for name := range q {
		out[name] = q.Get(name)
	}
	return out
}
