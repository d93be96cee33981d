package digest

import (
	"cmp"
	"context"
	"math"
	"slices"

	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/quality"
)

// A Change is a suite of the main branch that went to another level in the week.
type Change struct {
	Repo   string  `json:"repo"`
	Suite  string  `json:"suite"`
	Kind   string  `json:"kind"`
	Cases  int     `json:"cases"` // that ran before and after
	Before float64 `json:"before"`
	Now    float64 `json:"now"`
	Low    float64 `json:"low"` // 95 % interval of the difference
	High   float64 `json:"high"`
	P      float64 `json:"p_holm"`
	Since  string  `json:"since"`       // 2026-03-11, the day of the first run at the new level
	By     string  `json:"by,omitzero"` // whose push it came with, where somebody's is known
	SHA    string  `json:"git_sha,omitzero"`
	Moved  []Moved `json:"moved,omitempty"` // the fewest cases that make it up
}

// A Moved case fell or rose.
type Moved struct {
	Case   string  `json:"case"`
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

// changes are those of the week that pages show at its end.
func (r *Report) changes(ctx context.Context, tx *db.Tx, week, _ figures.Range) {
	found := must.Get(quality.Of(ctx, tx, week.Team, week.To))
	var commits []string
	list := slices.DeleteFunc(found.Changes, func(c quality.Change) bool { return c.First.At.Before(week.From) })
	changed := map[quality.Key]bool{}
	for _, c := range list {
		commits = append(commits, c.First.SHA)
		changed[c.Key] = true
	}
	for _, f := range found.Suites {
		switch {
		case changed[f.Key] || f.Newest.At.Before(week.From):
		case f.Unread:
			r.Unread++
		case !f.CanShow():
			r.TooSmall++
		default:
			r.Steady++
		}
	}
	if len(list) == 0 {
		return
	}
	authors := must.Get(figures.ShipAuthors(ctx, tx, week.Team, commits))
	names := quality.Names(ctx, tx, week.Team, list)
	for _, c := range list {
		one := Change{Repo: c.Repo, Suite: c.Key.Suite, Kind: c.Kind, Cases: c.Cases, Before: c.Before, Now: c.After, Low: c.Low, High: c.High, P: c.P,
			Since: c.First.At.UTC().Format("2006-01-02"), SHA: c.First.SHA}
		for _, m := range c.Named(names) {
			one.Moved = append(one.Moved, Moved{m.Title(), m.Before, m.After})
		}
		by := authors[figures.Commit{Repo: c.Repo, SHA: c.First.SHA}]
		if p := r.person(c.First.User, by.Name, by.Email); p != nil {
			if one.By = p.Name; !c.Fell() {
				p.Improvements++
			}
		}
		r.Changes = append(r.Changes, one)
	}
	slices.SortStableFunc(r.Changes, func(a, b Change) int { return cmp.Compare(math.Abs(b.Now-b.Before), math.Abs(a.Now-a.Before)) })
}
