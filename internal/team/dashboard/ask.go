package dashboard

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/panel"
	"cairn/internal/team/wire"
)

// An ask is a request for a view: within one transaction, as the viewer.
type ask struct {
	tx     *db.Tx
	viewer Viewer
	team   Team
	filter Filter
	now    time.Time
	title  string // of the page, where it is not the view's
	people []figures.Person
	names  map[uuid.UUID]string // of the team's people
	// repos, branches and authors are those that the filter bar offers, in order.
	// Authors are only known to git.
	repos, branches, authors []string
	fresh                    []figures.Fresh   // of each repository
	path                     map[string]string // what an address named: id, suite, after

	changed *changed // computed once, as are the others
	known   map[asked]any
	active  []figures.Activity
	read    *wire.EvalRun
}

// know reads what every view needs.
func (a *ask) know(ctx context.Context, v view) (err error) {
	if a.people, err = figures.People(ctx, a.tx, a.team.ID); err != nil {
		return err
	}
	a.names = figures.Named(a.people, !a.ci())
	if a.fresh, err = figures.Freshness(ctx, a.tx, a.team.ID); err != nil {
		return err
	}
	for _, f := range a.fresh {
		a.repos = append(a.repos, f.Repo)
	}
	in := a.in()
	if v.byBranch {
		if a.branches, err = figures.Branches(ctx, a.tx, in); err != nil {
			return err
		}
	}
	if !v.byPerson {
		return nil
	}
	authors, err := figures.Authors(ctx, a.tx, in)
	for _, s := range authors {
		if a.member(s.Email) == nil && !slices.Contains(a.authors, s.Name) {
			a.authors = append(a.authors, s.Name)
		}
	}
	slices.Sort(a.authors)
	return err
}

// An asked is a figure of some time.
type asked struct {
	figure   string
	from, to time.Time
}

// once asks for a figure once for all panels of a page. What it returns is
// theirs together: nobody changes it.
func once[Row any](ctx context.Context, a *ask, figure string, r figures.Range, of func(context.Context, *db.Tx, figures.Range) ([]Row, error)) ([]Row, error) {
	key := asked{figure, r.From, r.To}
	if list, ok := a.known[key]; ok {
		return list.([]Row), nil
	}
	list, err := of(ctx, a.tx, r)
	if err != nil {
		return nil, err
	}
	if a.known == nil {
		a.known = map[asked]any{}
	}
	a.known[key] = list
	return list, nil
}

func (a *ask) retros(ctx context.Context, r figures.Range) ([]figures.Retro, error) {
	return once(ctx, a, "retros", r, figures.Retros)
}

func (a *ask) ships(ctx context.Context, r figures.Range) ([]figures.ShipWeek, error) {
	return once(ctx, a, "ships", r, figures.ShipWeeks)
}

func (a *ask) usages(ctx context.Context, r figures.Range) ([]figures.Usage, error) {
	return once(ctx, a, "usages", r, figures.Usages)
}

func (a *ask) spending(ctx context.Context, r figures.Range) ([]figures.Spend, error) {
	return once(ctx, a, "spending", r, figures.Spending)
}

// rates are of all suites.
func (a *ask) rates(ctx context.Context, r figures.Range) ([]figures.PassRate, error) {
	return once(ctx, a, "rates", r, func(ctx context.Context, tx *db.Tx, r figures.Range) ([]figures.PassRate, error) {
		return figures.Rates(ctx, tx, r, "")
	})
}

// criteria are the weakest.
func (a *ask) criteria(ctx context.Context) ([]figures.Criterion, error) {
	return once(ctx, a, "criteria", a.in(), func(ctx context.Context, tx *db.Tx, r figures.Range) ([]figures.Criterion, error) {
		return figures.WeakestCriteria(ctx, tx, r, mostCriteria)
	})
}

// alerts are the newest, open ones and others.
func (a *ask) alerts(ctx context.Context) ([]figures.Alert, error) {
	return once(ctx, a, "alerts", a.in(), func(ctx context.Context, tx *db.Tx, r figures.Range) ([]figures.Alert, error) {
		return figures.Alerts(ctx, tx, r, figures.After{}, mostAlerts)
	})
}

// in is what is asked for, as figures take it.
func (a *ask) in() figures.Range {
	f := a.filter
	r := figures.Range{Team: a.team.ID, From: f.From, To: f.To, Repo: f.Repo, Branch: f.Branch}
	if f.Person == "" {
		return r
	}
	r.Who = &figures.Who{Author: f.Person}
	if id, err := uuid.Parse(f.Person); err == nil {
		r.Who = &figures.Who{User: id}
		for _, p := range a.people {
			if p.ID == id {
				r.Who.Email = p.Email
			}
		}
	}
	return r
}

// before is the same of the same length of time that ended where this begins.
func (a *ask) before() figures.Range {
	r := a.in()
	r.From, r.To = r.From.Add(-r.To.Sub(r.From)), r.From
	return r
}

// note is a sentence with what of the filter has no meaning here. of names the
// parts that have: repo, person, branch.
func (a *ask) note(text string, of ...string) string {
	for _, part := range [...][2]string{{"repo", a.filter.Repo}, {"person", a.filter.Person}, {"branch", a.filter.Branch}} {
		if part[1] == "" || slices.Contains(of, part[0]) {
			continue
		}
		name := part[0]
		if name == "repo" {
			name = "repository"
		}
		text += " Not filtered by " + name + "."
	}
	return strings.TrimSpace(text)
}

// name is what a person is called on pages.
func (a *ask) name(user uuid.NullUUID) string {
	if n := a.names[user.UUID]; user.Valid && n != "" {
		return n
	}
	if user.Valid {
		return "somebody who left"
	}
	return "nobody known"
}

// member finds a member by address.
func (a *ask) member(email string) *figures.Person {
	if email == "" {
		return nil
	}
	i := slices.IndexFunc(a.people, func(p figures.Person) bool { return strings.EqualFold(p.Email, email) })
	if i < 0 {
		return nil
	}
	return &a.people[i]
}

// author is who shipped: the member with the address that git has, else the
// name that git has, else who sent the log.
func (a *ask) author(user uuid.NullUUID, author, email string) string {
	if p := a.member(email); p != nil {
		return a.names[p.ID]
	}
	switch {
	case author != "":
		return author
	case email != "" && a.ci():
		local, _, _ := strings.Cut(email, "@")
		return local
	case email != "":
		return email
	}
	return a.name(user)
}

// ci says whether a token of CI looks, which sees nobody's mail address.
func (a *ask) ci() bool { return a.viewer.As.Team != uuid.Nil }

// bot says whether a user is CI's.
func (a *ask) bot(user uuid.NullUUID) bool {
	return user.Valid && slices.ContainsFunc(a.people, func(p figures.Person) bool { return p.ID == user.UUID && p.Role == "ci" })
}

// weeks are the Mondays of what is asked for.
func (a *ask) weeks() []string { return panel.Weeks(a.filter.From, a.filter.To) }

// week is the Monday of a day like 2026-03-04.
func week(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return panel.Weeks(at, at.Add(time.Hour))[0]
}

// col is a column of a table.
func col(key, title string, u panel.Unit) panel.Column {
	return panel.Column{Key: key, Title: title, Unit: u}
}

// figure is one with the same of the period before.
func figure(key, title string, u panel.Unit, better int, link string, value, before *float64) panel.Figure {
	return panel.Figure{Key: key, Title: title, Unit: u, Value: value, Before: before, Better: better, Link: link}
}

// ratio is nil where there is nothing to divide by.
func ratio(a, b float64) *float64 {
	if b == 0 {
		return nil
	}
	return panel.To(a / b)
}
