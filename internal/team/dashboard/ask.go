package dashboard

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/must"
	"cairn/internal/team/compare"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/local"
	"cairn/internal/team/wire"
)

// An ask is a request for a view: within one transaction, as the viewer.
type ask struct {
	tx     *db.Tx
	viewer Viewer
	team   Team
	view   view
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

	past *local.Sessions // of agents on this machine, nil where they are not known

	changed *changed // computed once, as are the others
	known   *store[any]
	other   map[int64]figures.Case // of prompts whose number is another's now, by ids below 0
	read    *wire.EvalRun
	own     own
	diff    *compare.Comparison
}

// know reads what every view needs.
func (a *ask) know(ctx context.Context, v view) {
	team := figures.Range{Team: a.team.ID}
	a.people = once(ctx, a, records, "people", team, func(ctx context.Context, tx *db.Tx, r figures.Range) ([]figures.Person, error) {
		return figures.People(ctx, tx, r.Team)
	})
	a.names = figures.Named(a.people, !a.ci())
	a.fresh = figures.JoinFresh(once(ctx, a, anything, "fresh", team, figures.FreshRuns), once(ctx, a, records, "fresh", team, figures.FreshRecords))
	for _, f := range a.fresh {
		a.repos = append(a.repos, f.Repo)
	}
	in := a.in()
	if v.byBranch {
		branches := parted(ctx, a, "branches", figures.Range{Team: in.Team, From: in.From, To: in.To, Repo: in.Repo}, figures.Branches)
		a.branches = slices.Compact(slices.Sorted(slices.Values(branches)))
	}
	if !v.byPerson {
		return
	}
	for _, s := range once(ctx, a, records, "authors", ofTeam(in), figures.Authors) {
		if a.member(s.Email) == nil && !slices.Contains(a.authors, s.Name) {
			a.authors = append(a.authors, s.Name)
		}
	}
	slices.Sort(a.authors)
}

// A kind is what a figure is of: of all that a team has, of records only, or of
// the runs of a time.
type kind uint8

const (
	anything kind = iota
	records
	evals
)

// settledAfter is when runs of a time are seldom pushed any more: the version of
// revisions counts one that is older than a week.
const settledAfter = 8 * 24 * time.Hour

// settled is a Monday before which a push of a new run changes nothing.
func (a *ask) settled() time.Time {
	at := a.now.UTC().Add(-settledAfter).Truncate(24 * time.Hour)
	return at.AddDate(0, 0, -(int(at.Weekday())+6)%7)
}

// version names what a figure of a range is right for.
func (a *ask) version(of kind, r figures.Range) string {
	switch {
	case of == records:
		return fmt.Sprint("r", a.team.Records)
	case of == evals && !r.To.IsZero() && !r.To.After(a.settled()):
		return fmt.Sprint("s", a.team.Revised)
	}
	return fmt.Sprint("v", a.team.Version)
}

// once asks for a figure once for all panels, and for all pages of the team
// until what it is of changes. What it returns is theirs together: nobody changes
// it. A figure of what only the reader may see has the reader in its name.
func once[Row any](ctx context.Context, a *ask, of kind, figure string, r figures.Range, from func(context.Context, *db.Tx, figures.Range) ([]Row, error)) []Row {
	key := a.figure(of, figure, r)
	if list, ok := a.known.get(key); ok {
		return list.([]Row)
	}
	list := must.Get(from(ctx, a.tx, r))
	keep(a, key, list)
	return list
}

// figure is what a figure is kept as.
func (a *ask) figure(of kind, figure string, r figures.Range) string {
	key := fmt.Sprintf("%s %s %q %d %d %q %q", a.team.ID, a.version(of, r), figure, r.From.UnixMicro(), r.To.UnixMicro(), r.Repo, r.Branch)
	if r.Who != nil {
		key += fmt.Sprintf(" %s %s %q %q", r.Who.User, r.Who.Also, r.Who.Author, r.Who.Email)
	}
	return key
}

// parted is once for what is of each run or day alone: a push leaves the part
// that is settled. The older part comes first.
func parted[Row any](ctx context.Context, a *ask, figure string, r figures.Range, from func(context.Context, *db.Tx, figures.Range) ([]Row, error)) []Row {
	at := a.settled()
	if !r.From.Before(at) || !at.Before(r.To) {
		return once(ctx, a, evals, figure, r, from)
	}
	old, live := r, r
	old.To, live.From = at, at
	return slices.Concat(once(ctx, a, evals, figure, old, from), once(ctx, a, evals, figure, live, from))
}

// latest is parted for the newest of a list, the newest first: the older part is
// asked for only where the other has too few.
func latest[Row any](ctx context.Context, a *ask, figure string, r figures.Range, most int, from func(context.Context, *db.Tx, figures.Range, int) ([]Row, error)) []Row {
	some := func(ctx context.Context, tx *db.Tx, r figures.Range) ([]Row, error) { return from(ctx, tx, r, most) }
	at := a.settled()
	if !r.From.Before(at) || !at.Before(r.To) {
		return once(ctx, a, evals, figure, r, some)
	}
	old, live := r, r
	old.To, live.From = at, at
	list := once(ctx, a, evals, figure, live, some)
	if len(list) >= most {
		return list
	}
	before := once(ctx, a, evals, figure, old, some)
	return slices.Concat(list, before[:min(len(before), most-len(list))])
}

// keep keeps a figure for others.
func keep[Row any](a *ask, key string, list []Row) {
	a.known.put(key, list, 256+bytesOf(reflect.ValueOf(list)))
}

// bytesOf is about what a value takes: names are strangers', and may be long.
func bytesOf(v reflect.Value) int {
	n := int(v.Type().Size())
	switch v.Kind() {
	case reflect.String:
		n += v.Len()
	case reflect.Slice:
		if alone(v.Type().Elem()) {
			return n + v.Len()*int(v.Type().Elem().Size())
		}
		for i := range v.Len() {
			n += bytesOf(v.Index(i))
		}
	case reflect.Map:
		for key, value := range v.Seq2() {
			n += 16 + bytesOf(key) + bytesOf(value)
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			n += bytesOf(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); !alone(f.Type()) {
				n += bytesOf(f) - int(f.Type().Size())
			}
		}
	}
	return n
}

// alone reports whether values of a type lead to no others; a time leads to its
// zone, which it shares.
func alone(t reflect.Type) bool {
	return t.Kind() <= reflect.Complex128 || t == reflect.TypeFor[time.Time]() || t.Kind() == reflect.Array && alone(t.Elem())
}

// aQuarter is how many weeks of records are kept together, counted from aMonday.
const aQuarter = 13 * 7 * 24 * time.Hour

var aMonday = time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)

// weekly is once for records that are sums of weeks, the oldest first. They are
// kept by quarters, which are the same for every number of weeks.
func weekly[Row any](ctx context.Context, a *ask, figure string, r figures.Range, week func(*Row) string, from func(context.Context, *db.Tx, figures.Range) ([]Row, error)) []Row {
	if r.From.Before(aMonday) || r.From.Sub(aMonday)%(7*24*time.Hour) != 0 || r.To.Sub(aMonday)%(7*24*time.Hour) != 0 {
		return once(ctx, a, records, figure, r, from) // a part of a week
	}
	within := func(list []Row, r figures.Range) []Row {
		first, end := r.From.Format(time.DateOnly), r.To.Format(time.DateOnly)
		return filtered(list, func(one *Row) bool { return week(one) >= first && week(one) < end })
	}
	var quarters []figures.Range
	var found [][]Row
	first, end := -1, 0 // of those that are missing
	for at := r.From.Add(-(r.From.Sub(aMonday) % aQuarter)); at.Before(r.To); at = at.Add(aQuarter) {
		q := r
		q.From, q.To = at, at.Add(aQuarter)
		var list []Row
		if kept, ok := a.known.get(a.figure(records, figure, q)); ok {
			list = kept.([]Row)
		} else if end = len(quarters) + 1; first < 0 {
			first = end - 1
		}
		quarters, found = append(quarters, q), append(found, list)
	}
	if first >= 0 {
		gap := r
		gap.From, gap.To = quarters[first].From, quarters[end-1].To
		list := must.Get(from(ctx, a.tx, gap))
		for i := first; i < end; i++ {
			found[i] = within(list, quarters[i])
			keep(a, a.figure(records, figure, quarters[i]), found[i])
		}
	}
	return within(slices.Concat(found...), r)
}

// retros and usages are read of the whole team, once for every filter.
func (a *ask) retros(ctx context.Context, r figures.Range) []figures.Retro {
	list := weekly(ctx, a, "retros", ofTeam(r), func(one *figures.Retro) string { return one.Week }, figures.Retros)
	return filtered(list, func(one *figures.Retro) bool { return r.Repo == "" || one.Repo == r.Repo })
}

func (a *ask) ships(ctx context.Context, r figures.Range) []figures.ShipWeek {
	return once(ctx, a, records, "ships", r, figures.ShipWeeks)
}

func (a *ask) usages(ctx context.Context, r figures.Range) []worked {
	list := weekly(ctx, a, "usages", ofTeam(r), func(one *worked) string { return one.Week }, workedWeeks)
	return filtered(list, func(one *worked) bool {
		return (r.Repo == "" || one.Repo == r.Repo) && (r.Who == nil || one.User.Valid && r.Who.Is(one.User.UUID))
	})
}

func filtered[Row any](list []Row, keep func(*Row) bool) (out []Row) {
	for i := range list {
		if keep(&list[i]) {
			out = append(out, list[i])
		}
	}
	return out
}

func (a *ask) spending(ctx context.Context, r figures.Range) []figures.Spend {
	return parted(ctx, a, "spending", ofTeam(r), figures.Spending)
}

// rates are of all suites.
func (a *ask) rates(ctx context.Context, r figures.Range) []figures.PassRate {
	return parted(ctx, a, "rates", r, func(ctx context.Context, tx *db.Tx, r figures.Range) ([]figures.PassRate, error) {
		return figures.Rates(ctx, tx, r, "")
	})
}

// criteria are the weakest.
func (a *ask) criteria(ctx context.Context) []figures.Criterion {
	return figures.Weakest(parted(ctx, a, "criteria", ofRepo(a.in()), figures.JudgedWeeks), mostCriteria)
}

// alerts are the newest, open ones and others.
func (a *ask) alerts(ctx context.Context) []figures.Alert {
	r := a.in()
	r.Who = nil
	return a.alertsOf(ctx, r)
}

func (a *ask) alertsOf(ctx context.Context, r figures.Range) []figures.Alert {
	return once(ctx, a, records, "alerts", r, func(ctx context.Context, tx *db.Tx, r figures.Range) ([]figures.Alert, error) {
		return figures.Alerts(ctx, tx, r, figures.After{}, mostAlerts)
	})
}

// ranked says whether the team wants its people ranked. Where it does not, lists
// of people are by name.
func (a *ask) ranked(ctx context.Context) bool {
	return slices.Contains(once(ctx, a, records, "ranked", figures.Range{Team: a.team.ID}, figures.Ranked), true)
}

// byRank are the names of people, those first of whom there is most, or by name.
func byRank[V any](ctx context.Context, a *ask, of map[string]V, rank func(x, y V) int) []string {
	ranked := a.ranked(ctx)
	return slices.SortedFunc(maps.Keys(of), func(x, y string) int {
		if !ranked {
			return byName(x, y)
		}
		return cmp.Or(rank(of[x], of[y]), strings.Compare(x, y))
	})
}

func byName(x, y string) int {
	return cmp.Or(strings.Compare(strings.ToLower(x), strings.ToLower(y)), strings.Compare(x, y))
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
			if p.ID != id && p.Role == "ci" && a.bot(uuid.NullUUID{UUID: id, Valid: true}) {
				r.Who.Also = append(r.Who.Also, p.ID)
			}
		}
	}
	return r
}

// ofTeam is a range for figures that know no filter but time.
func ofTeam(r figures.Range) figures.Range {
	return figures.Range{Team: r.Team, From: r.From, To: r.To}
}

// ofRepo is a range for figures that know neither person nor branch.
func ofRepo(r figures.Range) figures.Range {
	r.Who, r.Branch = nil, ""
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
func (a *ask) weeks() []string { return answer.Weeks(a.filter.From, a.filter.To) }

// week is the Monday of a day like 2026-03-04.
func week(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return answer.Weeks(at, at.Add(time.Hour))[0]
}

// col is a column of a table.
func col(key, title string, u answer.Unit) answer.Column {
	return answer.Column{Key: key, Title: title, Unit: u}
}

// figure is one with the same of the period before.
func figure(key, title string, u answer.Unit, better int, link string, value, before *float64) answer.Figure {
	return answer.Figure{Key: key, Title: title, Unit: u, Value: value, Before: before, Better: better, Link: link}
}

// ratio is nil where there is nothing to divide by.
func ratio(a, b float64) *float64 {
	if b == 0 {
		return nil
	}
	return answer.To(a / b)
}

// named is what an address names; what cannot be read names nothing.
func named[T any](v T, err error) T {
	if err != nil {
		must.Fail(errNothing)
	}
	return v
}

// sums are made of many rows, by what they are of.
type sums[K comparable, V any] map[K]*V

func (s sums[K, V]) of(key K) *V {
	if s[key] == nil {
		s[key] = new(V)
	}
	return s[key]
}

// draw gives a panel a chart that has something to draw.
func draw(p *answer.Panel, c *answer.Chart) {
	if len(c.Series) > 0 {
		p.Chart = c
	}
}

// at is a time for a cell, or nothing.
func at(t *time.Time) any {
	if t == nil {
		return nil
	}
	return *t
}
