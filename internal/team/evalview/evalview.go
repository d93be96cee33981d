// Package evalview serves the runs of this machine as pages: a list of runs, a
// run, a case with what was asked and answered, and a comparison of two runs or of
// two variants. What the pages show and how they look is package evalpage's, which
// the team's pages use too.
//
// The command line starts it. It listens on loopback, behind a secret (loopback),
// and writes nothing but labels.
package evalview

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"cairn/internal/team/eval"
	"cairn/internal/team/evalpage"
	"cairn/internal/team/judge"
	"cairn/internal/team/loopback"
	"cairn/internal/team/page"
	"cairn/internal/team/result"
)

// A Store is where runs are found.
type Store interface {
	List() ([]eval.Entry, error)
	Load(eval.Entry) (*result.Run, error)
	Glance(eval.Entry) (*result.Run, error) // only which cases it has, and how they ended
}

// Options say what is shown. Files are runs outside of the store.
type Options struct {
	Store  Store
	Files  []*result.Run
	First  []string // ids of the runs on the first page: none, one or two
	Labels string   // directory of labels
	Team   Team     // where labels are sent besides; nil for nowhere
	Site   evalpage.Site
	Port   int
	Idle   time.Duration // how long it goes on without a request
}

// A Team has labels of its members.
type Team interface {
	Of(*result.Run) (mine []judge.Label, others []judge.Voice, err error)
	Set(run *result.Run, r *result.Result, criterion string, pass, gone bool) error
}

// A View is a server of pages.
type View struct {
	*loopback.Door
	opts  Options
	files map[string]*result.Run

	mu     sync.Mutex
	runs   map[string]*opened // some that were read, by id
	recent []string           // their ids, the one asked for last at the end
	went   map[string]*once
	last   time.Time // of a request
}

// Start listens.
func Start(opts Options) (*View, error) {
	v := &View{opts: opts, files: map[string]*result.Run{}, runs: map[string]*opened{}, went: map[string]*once{}, last: time.Now()}
	for _, run := range opts.Files {
		v.files[run.ID] = run
	}
	var err error
	v.Door, err = loopback.Listen(opts.Port, "", "cairn eval view")
	return v, err
}

// Run serves until ctx ends, or until there was no request for opts.Idle; idle
// reports which.
func (v *View) Run(ctx context.Context) (idle bool, err error) {
	stop := v.Serve(v)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !idle && ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case now := <-tick.C:
			v.mu.Lock()
			idle = now.Sub(v.last) >= v.opts.Idle
			v.mu.Unlock()
		}
	}
	return idle, stop()
}

// ServeHTTP answers those whom the door lets in.
func (v *View) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rest, ok := v.Inside(w, r)
	if !ok {
		return
	}
	v.mu.Lock()
	v.last = time.Now()
	v.mu.Unlock()
	if rest == "label" && r.Method == http.MethodPost {
		v.label(w, r)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.Error(w, "this page is read-only", http.StatusMethodNotAllowed)
		return
	}
	q := r.URL.Query()
	var p page.Page
	var err error
	switch rest {
	case "":
		if to := v.first(); to != "" {
			http.Redirect(w, r, to, http.StatusSeeOther)
			return
		}
		p, err = v.list()
	case "runs":
		p, err = v.list()
	case "run":
		p, err = v.run(q.Get("id"))
	case "case":
		p, err = v.oneCase(q.Get("run"), q.Get("case"), q.Get("with"))
	case "compare":
		p, err = v.compare(side{q.Get("a"), q.Get("av")}, side{q.Get("b"), q.Get("bv")})
	default:
		err = errors.New("there is no such page")
	}
	if err != nil {
		missing(w, err)
		return
	}
	_ = page.Serve(w, p)
}

// missing answers with a page that says what was not found.
func missing(w http.ResponseWriter, err error) {
	said := evalpage.Visible(err.Error())
	doc, policy, failed := page.Page{Title: "Not found", Body: []byte("<h1>Not found</h1>\n<p>" + page.Text(strings.ToUpper(said[:1])+said[1:]) + ".</p>\n<p><a href=\"runs\">All runs</a></p>")}.Document()
	if failed != nil {
		http.Error(w, said, http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write(doc)
}

// first is the page to begin with: a run, two beside each other, or the list.
func (v *View) first() string {
	switch ids := v.opts.First; len(ids) {
	case 0:
		return ""
	case 1:
		return runLink(ids[0])
	default:
		return compareLink(side{run: ids[0]}, side{run: ids[1]})
	}
}

// A side is one of two that are compared: a run, or one variant of it.
type side struct{ run, variant string }

func runLink(id string) string { return "run?" + url.Values{"id": {id}}.Encode() }

func caseLink(run, id string) string {
	return "case?" + url.Values{"run": {run}}.Encode() + "&case=" + url.QueryEscape(id)
}

func compareLink(a, b side) string {
	q := url.Values{"a": {a.run}, "b": {b.run}}
	if a.variant != "" || b.variant != "" {
		q.Set("av", a.variant)
		q.Set("bv", b.variant)
	}
	return "compare?" + q.Encode()
}
