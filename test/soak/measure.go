package soak

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/alert"
	"cairn/internal/team/dashboard"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/quality"
)

// warmUp is how often a figure is asked for before that counts.
const warmUp = 5

// measure asks for every figure of the largest team, as a member of it.
func (w *world) measure(ctx context.Context, d *db.DB, asked int) ([]Figure, error) {
	t := &w.teams[0]
	last := func(days int) figures.Range {
		return figures.Range{Team: t.id, From: w.end.Truncate(24*time.Hour).AddDate(0, 0, -days), To: w.end}
	}
	branch := func(r figures.Range) figures.Range { r.Branch = "main"; return r }
	all := figures.Range{Team: t.id, From: w.months[0], To: w.end}
	random := w.random
	var out []Figure
	for _, q := range [...]struct {
		name string
		ask  func(*db.Tx) (int, error)
	}{
		{"pass rate of a suite, 90 days", func(tx *db.Tx) (int, error) {
			return size(figures.PassRates(ctx, tx, last(90), suiteName(random.IntN(suites)), ""))
		}},
		{"pass rate of every suite, 2 years", func(tx *db.Tx) (int, error) { return size(figures.PassRates(ctx, tx, all, "", "")) }},
		{"cost by model and week, 26 weeks", func(tx *db.Tx) (int, error) { return size(figures.Spending(ctx, tx, last(182))) }},
		{"cost by model and week, 2 years", func(tx *db.Tx) (int, error) { return size(figures.Spending(ctx, tx, all)) }},
		{"history of a case, last 50", func(tx *db.Tx) (int, error) {
			id := t.cases[random.IntN(repos)][random.IntN(suites)][random.IntN(casesPerRun)]
			return size(figures.CaseHistory(ctx, tx, figures.Ever(t.id), []int64{id}, 50))
		}},
		{"one run with its 100 cases", func(tx *db.Tx) (int, error) {
			run, err := figures.Run(ctx, tx, t.id, t.runs[random.IntN(len(t.runs))])
			return len(run.Results), err
		}},
		{"weakest judge criteria, 30 days", func(tx *db.Tx) (int, error) { return size(figures.WeakestCriteria(ctx, tx, last(30), 10)) }},
		{"who pushed runs, 2 years", func(tx *db.Tx) (int, error) { return size(figures.Pushers(ctx, tx, all)) }},
		{"QA health by week, 26 weeks", func(tx *db.Tx) (int, error) { return size(figures.QAHealth(ctx, tx, last(182))) }},
		{"triage by category, 90 days", func(tx *db.Tx) (int, error) { return size(figures.Triages(ctx, tx, last(90))) }},
		{"hotspots, 30 days", func(tx *db.Tx) (int, error) { return size(figures.Hotspots(ctx, tx, last(30), 20)) }},
		{"members' activity, 30 days", func(tx *db.Tx) (int, error) { return size(figures.Members(ctx, tx, last(30))) }},
		{"what a push is judged by", func(tx *db.Tx) (int, error) {
			pushed := notice.Waiting{Team: t.id, RunAt: w.end, Series: alert.Series{Repo: repoName(random.IntN(repos)), Suite: suiteName(random.IntN(suites)), Branch: "main", Kind: "eval"}}
			runs, err := notice.History(ctx, tx, pushed)
			if err != nil {
				return 0, err
			}
			_, err = notice.Active(ctx, tx, t.id, w.end.Add(-alert.Stale))
			return len(runs), err
		}},
		{"changes of a digest, 12 weeks", func(tx *db.Tx) (int, error) {
			found, err := quality.Of(ctx, tx, t.id, w.end)
			return len(found.Suites), err
		}},
		{"ships by author and week, 12 weeks", func(tx *db.Tx) (int, error) { return size(figures.ShipWeeks(ctx, tx, last(84))) }},
		{"retrospectives, 2 years", func(tx *db.Tx) (int, error) { return size(figures.Retros(ctx, tx, all)) }},
		{"suites, 12 weeks", func(tx *db.Tx) (int, error) { return size(figures.Suites(ctx, tx, last(84))) }},
		{"pass rates of a branch, 12 weeks", func(tx *db.Tx) (int, error) { return size(figures.Rates(ctx, tx, branch(last(84)), "")) }},
		{"runs of main, 12 weeks", func(tx *db.Tx) (int, error) { return size(figures.MainRuns(ctx, tx, last(84))) }},
		{"weakest judge criteria, 12 weeks", func(tx *db.Tx) (int, error) { return size(figures.WeakestCriteria(ctx, tx, last(84), 15)) }},
		{"a page of runs", func(tx *db.Tx) (int, error) { return size(figures.Runs(ctx, tx, all, nil, figures.After{}, 50)) }},
		{"cases of the newest 40 runs of a suite", func(tx *db.Tx) (int, error) {
			suite := suiteName(random.IntN(suites))
			runs, err := figures.Runs(ctx, tx, last(84), &suite, figures.After{}, 40)
			if err != nil {
				return 0, err
			}
			var ids []uuid.UUID
			var at []time.Time
			for _, r := range runs {
				ids, at = append(ids, r.ID), append(at, r.At)
			}
			found, err := figures.Results(ctx, tx, t.id, ids, at)
			return len(found), err
		}},
		{"a page of ships", func(tx *db.Tx) (int, error) { return size(figures.ShipRows(ctx, tx, all, figures.After{}, 50)) }},
		{"freshness of repositories", func(tx *db.Tx) (int, error) { return size(figures.Freshness(ctx, tx, t.id)) }},
	} {
		f, err := times(q.name, asked, func() (rows int, err error) {
			err = d.View(ctx, t.member(1), func(tx *db.Tx) (err error) {
				rows, err = q.ask(tx)
				return err
			})
			return rows, err
		})
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// times does something as often as asked, after some times that do not count.
func times(name string, asked int, do func() (rows int, err error)) (Figure, error) {
	f := Figure{Name: name}
	var took []time.Duration
	for i := range warmUp + asked {
		began := time.Now()
		rows, err := do()
		if err != nil {
			return f, fmt.Errorf("%s: %w", name, err)
		}
		if f.Rows = rows; i >= warmUp {
			took = append(took, time.Since(began))
		}
	}
	if f.Rows == 0 {
		return f, fmt.Errorf("%s: there is nothing", name)
	}
	slices.Sort(took)
	f.P50, f.P99 = took[len(took)/2], took[(len(took)*99+99)/100-1]
	return f, nil
}

func size[Row any](rows []Row, err error) (int, error) { return len(rows), err }

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
			if q.query != "" && (view == "run" || view == "compare" || view == "case") || len(q.name) > len("104 weeks") && !filtered {
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
	case "compare":
		return func() map[string]string {
			run := func() string { return t.runs[w.random.IntN(len(t.runs))].String() }
			return map[string]string{"a": run(), "b": run()}
		}, false
	case "case":
		return func() map[string]string {
			return map[string]string{"id": strconv.FormatInt(t.cases[repo][suite()][w.random.IntN(casesPerRun)], 10)}
		}, false
	case dashboard.First, "velocity", "quality", "cost", "people", "rows/runs", "rows/ships":
		return func() map[string]string { return nil }, true
	}
	return func() map[string]string { return nil }, false
}
