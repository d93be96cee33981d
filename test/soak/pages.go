package soak

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"

	"cairn/internal/team/dashboard"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
)

// pages asks for every view of the dashboard as a browser does, as HTML, as the
// owner of the largest team: of the usual 12 weeks, of 104, and the views that
// have filters of a branch and of a person as well.
func (w *world) pages(ctx context.Context, d *db.DB, asked int) ([]Figure, error) {
	t := &w.teams[0]
	owner := t.member(0)
	site := dashboard.New(dashboard.Config{DB: d, Viewer: func(r *http.Request) (v dashboard.Viewer, err error) {
		v.As = owner
		err = d.View(r.Context(), owner, func(tx *db.Tx) error {
			teams, err := figures.TeamsOf(r.Context(), tx, owner.User)
			for _, m := range teams {
				v.Teams = append(v.Teams, dashboard.TeamOf(m))
			}
			return err
		})
		return v, err
	}})
	var out []Figure
	for _, q := range [...]struct{ name, query string }{{"12 weeks", ""}, {"104 weeks", "weeks=104"}, {"104 weeks of main", "weeks=104&branch=main"}, {"104 weeks of a person", "weeks=104&person=" + t.users[1].String()}} {
		for _, view := range dashboard.Views() {
			more, filtered := w.address(view)
			if q.query != "" && view == "run" || q.query != "" && view == "case" || len(q.name) > len("104 weeks") && !filtered {
				continue
			}
			f, err := times(view+", "+q.name, asked, func() (int, error) {
				args, _ := url.ParseQuery(q.query)
				for name, value := range more() {
					args.Set(name, value)
				}
				got := httptest.NewRecorder()
				site.ServeHTTP(got, httptest.NewRequestWithContext(ctx, http.MethodGet, "/t/team-0/"+view+"?"+args.Encode(), nil))
				if got.Code != http.StatusOK {
					return 0, fmt.Errorf("%s?%s: %d", view, args.Encode(), got.Code)
				}
				return got.Body.Len(), nil
			})
			if err != nil {
				return nil, err
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// address returns what an address of a view names besides a filter, each time
// of another row, and whether the view is one of many figures.
func (w *world) address(view string) (more func() map[string]string, figures bool) {
	t := &w.teams[0]
	repo, suite := w.random.IntN(repos), func() int { return w.random.IntN(suites) }
	switch view {
	case "suite":
		return func() map[string]string {
			return map[string]string{"repo": repoName(repo), "suite": suiteName(suite())}
		}, true
	case "run":
		return func() map[string]string { return map[string]string{"id": t.runs[w.random.IntN(len(t.runs))].String()} }, false
	case "case":
		return func() map[string]string {
			return map[string]string{"id": strconv.FormatInt(t.cases[repo][suite()][w.random.IntN(casesPerRun)], 10)}
		}, false
	case dashboard.First, "velocity", "quality", "cost", "people", "rows/runs", "rows/ships":
		return func() map[string]string { return nil }, true
	}
	return func() map[string]string { return nil }, false
}
