package dashboard

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/must"
	"cairn/internal/team/db"
)

// A Shown is a view with its panels, as NAME.json has it and the command line prints it.
type Shown struct {
	Team   string            `json:"team"`
	View   string            `json:"view"`
	Title  string            `json:"title"`
	Filter map[string]string `json:"filter"`
	Panels []answer.Panel    `json:"panels"`
}

// find returns the view of a name.
func (p *pages) find(name string) (view, bool) {
	i := slices.IndexFunc(p.views, func(v view) bool { return v.name == name })
	switch {
	case i >= 0:
		return p.views[i], true
	case name == First, name == "overview":
		return p.find("")
	case name == "sources":
		return p.find("freshness")
	}
	return view{}, false
}

// request reads what is asked for, by whom; ok is false where that was answered already.
func (p *pages) request(w http.ResponseWriter, r *http.Request, name, form string) (q *request, ok bool) {
	viewer, ok := p.viewer(w, r)
	if !ok {
		return nil, false
	}
	team, ok := p.team(w, r, viewer)
	if !ok {
		return nil, false
	}
	v, ok := p.find(name)
	if !ok {
		p.missing(w, r)
		return nil, false
	}
	now := p.Now()
	filter, err := readFilter(r.URL.Query(), now)
	if err != nil {
		p.problem(w, r, http.StatusBadRequest, "The address is not valid", err.Error())
		return nil, false
	}
	args, ok := p.args(w, r, v)
	if v.live {
		team.Version = 0
	}
	q = &request{viewer: viewer, team: team, view: v, filter: filter, args: args, form: form, at: now}
	if (v.name == "" || v.name == "spend") && p.Sessions != nil && team.admin() && viewer.As.Team == uuid.Nil {
		q.past = p.Sessions()
	}
	return q, ok
}

// open returns the answer to a request, kept or made; nil where it was sent already.
func (p *pages) open(w http.ResponseWriter, r *http.Request, q *request, of func(*ask, []answer.Panel) (*reply, error)) *reply {
	if q.unchanged(w, r) {
		return nil
	}
	a, err := p.kept.make(r.Context(), q, func(ctx context.Context) (*reply, error) {
		list, a, err := p.panels(ctx, q)
		if err != nil {
			return nil, err
		}
		made, err := of(a, list)
		if err == nil {
			made.failed = slices.ContainsFunc(list, func(one answer.Panel) bool { return one.Failed != "" })
		}
		return made, err
	})
	switch {
	case errors.Is(err, errNothing):
		w.Header().Del("ETag")
		p.problem(w, r, http.StatusNotFound, "There is nothing of that name", "It is not there, or it was deleted.")
	case errors.Is(err, errMissing):
		w.Header().Del("ETag")
		p.missing(w, r)
	case err != nil:
		p.failed(w, r, err)
	default:
		if a.failed {
			w.Header().Del("ETag")
			w.Header().Set("Cache-Control", "no-store")
		}
		return a
	}
	return nil
}

// show answers with a view: a page, or JSON where the name ends with .json.
func (p *pages) show(w http.ResponseWriter, r *http.Request) {
	name, asJSON := strings.CutSuffix(viewName(r), ".json")
	form := ""
	if asJSON {
		form = "json"
	}
	q, ok := p.request(w, r, name, form)
	if !ok {
		return
	}
	a := p.open(w, r, q, func(a *ask, list []answer.Panel) (*reply, error) {
		title := cmp.Or(a.title, q.view.title)
		if asJSON {
			return document(Shown{Team: a.team.Slug, View: q.view.name, Title: title, Filter: flat(a.filter.query()), Panels: list})
		}
		return p.body(q, a, title, list)
	})
	switch {
	case a == nil:
	case asJSON:
		p.send(w, r, a)
	default:
		p.page(w, r, q, a)
	}
}

// panels makes a view's panels in one transaction that only reads. One that
// fails says so, the others are there.
func (p *pages) panels(ctx context.Context, q *request) (list []answer.Panel, a *ask, err error) {
	v := q.view
	a = &ask{viewer: q.viewer, team: q.team, known: p.figures(q.team), view: v, filter: q.filter, now: q.at, path: q.args, past: q.past}
	err = p.DB.View(ctx, q.viewer.As, func(tx *db.Tx) error {
		a.tx = tx
		if err := must.Catch(func() { a.know(ctx, v) }); err != nil {
			return err
		}
		if v.own != nil && q.form == "" {
			return must.Catch(func() { a.own = v.own(ctx, a) })
		}
		if q.form == "" && !v.still {
			a.filter = a.filter.reach(newest(a.fresh))
		}
		for _, make := range v.panels {
			var one answer.Panel
			if err := must.Catch(func() { make(ctx, a, &one) }); err != nil {
				if errors.Is(err, context.Canceled) || errors.Is(err, errNothing) {
					return err
				}
				p.Log.Error("panel failed", "view", v.name, "panel", one.ID, "error", err)
				one.Failed = "it could not be made; the server's log says why"
			}
			if one.ID == "" { // it has no meaning now
				continue
			}
			if f := a.filter; one.Nothing() && one.Failed == "" && one.Empty.Command != "" && f.Repo+f.Person+f.Branch != "" {
				one.Empty = answer.Empty{Text: "No rows match this filter."}
			}
			one.Command = command(v, one, a.filter, q.args)
			list = append(list, one)
		}
		return nil
	})
	return list, a, err
}

// errNothing says that an address names what there is not, errMissing that there
// is no such page.
var (
	errNothing = errors.New("nothing of that name")
	errMissing = errors.New("no such page")
)

// argNames are what addresses may name besides a filter; the first inCommand of
// them the command line has too.
var argNames = [...]string{"id", "suite", "after", "a", "b", "run", "with", "av", "bv"}

const inCommand = 5

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
			p.problem(w, r, http.StatusBadRequest, "The address is not valid", name+" is missing")
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
func command(v view, p answer.Panel, f Filter, args map[string]string) string {
	c := "cairn dashboard show " + cmp.Or(v.name, First) + " " + p.ID
	for _, name := range argNames[:inCommand] {
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
	id, form, _ := strings.Cut(r.PathValue("panel"), ".")
	q, ok := p.request(w, r, viewName(r), id+"."+form)
	if !ok {
		return
	}
	a := p.open(w, r, q, func(a *ask, list []answer.Panel) (*reply, error) {
		i := slices.IndexFunc(list, func(one answer.Panel) bool { return one.ID == id })
		switch {
		case i < 0 || form != "csv" && form != "json":
			return nil, errMissing
		case list[i].Failed != "":
			return nil, errors.New(list[i].Failed)
		case form == "json":
			rows, err := list[i].Table.Objects()
			if err != nil {
				return nil, err
			}
			return document(rows)
		}
		var b bytes.Buffer
		err := list[i].Table.CSV(&b)
		return &reply{contentType: "text/csv; charset=utf-8", filename: a.team.Slug + "-" + id + ".csv", body: b.Bytes()}, err
	})
	if a != nil {
		p.send(w, r, a)
	}
}

// document is an answer in JSON.
func document(v any) (*reply, error) {
	body, err := json.Marshal(v, json.Deterministic(true), jsontext.WithIndent("  "))
	return &reply{contentType: "application/json; charset=utf-8", body: body}, err
}

// send answers with what is no page.
func (p *pages) send(w http.ResponseWriter, r *http.Request, a *reply) {
	w.Header().Set("Content-Type", a.contentType)
	if a.filename != "" {
		w.Header().Set("Content-Disposition", `attachment; filename="`+a.filename+`"`)
	}
	if _, err := w.Write(a.body); err != nil {
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
