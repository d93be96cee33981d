// Package digest puts together what a team did in a week: who shipped, which
// suites really changed, what models cost, and what nobody looked at. Its figures
// come from team/db/figures, the tests of what is more than noise from
// team/stats. docs/alerts.md tells what each line means. SQL and sending never
// belong here: team/herald calls it and team/notify writes it for a channel.
package digest

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/db/notice"
)

// A Report is a team's week.
type Report struct {
	Team     string    `json:"team"`
	From     string    `json:"from"`        // 2026-03-02, the first day
	To       string    `json:"to"`          // the last day
	People   []Person  `json:"leaderboard"` // by name, where the team does not rank people
	Ranked   bool      `json:"ranked"`
	Changes  []Change  `json:"changes"` // of suites: the real ones
	Steady   int       `json:"steady"`  // suites that ran and did not change
	TooSmall int       `json:"too_small"`
	Unread   int       `json:"not_checked,omitzero"` // suites with too many results to look at
	Costs    []Cost    `json:"costs"`
	Hotspots []Hotspot `json:"hotspots"`
	Stale    []Stale   `json:"stale"`
	Health   []Health  `json:"qa_health"`
	Plans    []Plan    `json:"plans"`
	names    map[uuid.UUID]string
	emails   map[string]string // address → name that a log gives
}

// A Person is what one member did.
type Person struct {
	Name         string `json:"name"`
	Ships        int    `json:"ships"`
	PRs          int    `json:"prs"`
	Runs         int    `json:"runs"`
	Streak       int    `json:"streak_days"`
	Improvements int    `json:"improvements"` // suites that are really better by a push of theirs
}

// A Cost is what a model cost in the week and in the one before.
type Cost struct {
	Model  string  `json:"model"`
	USD    float64 `json:"usd"`
	Before float64 `json:"usd_before"`
}

// A Hotspot is a file that changes often.
type Hotspot struct {
	Repo    string `json:"repo"`
	Path    string `json:"path"`
	Changes int    `json:"changes"`
}

// A Stale suite ran in the last three months, but not in the last two weeks.
type Stale struct {
	Repo  string `json:"repo"`
	Suite string `json:"suite"`
	Days  int    `json:"days"`
}

// A Health is what looks at running sites found.
type Health struct {
	Repo    string   `json:"repo"`
	Reports int      `json:"reports"`
	Mean    float64  `json:"mean"` // 0 to 100
	Worst   float64  `json:"worst"`
	Before  *float64 `json:"mean_before,omitzero"`
}

// A Plan is how far a project came.
type Plan struct {
	Repo       string `json:"repo"`
	Project    string `json:"project,omitzero"`
	Workstream string `json:"workstream,omitzero"`
	Milestone  string `json:"milestone,omitzero"`
	Done       int    `json:"phases_done"`
	Phases     int    `json:"phases"`
	Before     int    `json:"phases_done_before"`
}

const (
	staleDays, staleUntil = 14, 90
	mostLines             = 10
	longestStreak         = 366
)

// Gather reads a team's week.
func Gather(ctx context.Context, tx *db.Tx, s notice.Settings, w Week) (*Report, error) {
	r := &Report{Team: s.Slug, Ranked: s.Ranked, From: w.From.Format(time.DateOnly), To: w.To.AddDate(0, 0, -1).Format(time.DateOnly), emails: map[string]string{}}
	week := figures.Range{Team: s.Team, From: w.From, To: w.To}
	before := figures.Range{Team: s.Team, From: w.From.AddDate(0, 0, -7), To: w.From}
	if err := must.Catch(func() {
		r.names = must.Get(notice.People(ctx, tx, s.Team))
		for _, part := range [...]func(context.Context, *db.Tx, figures.Range, figures.Range){r.people, r.changes, r.costs, r.places, r.plans} {
			part(ctx, tx, week, before)
		}
	}); err != nil {
		return nil, err
	}
	slices.SortStableFunc(r.People, func(a, b Person) int {
		if !r.Ranked {
			return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.Name, b.Name))
		}
		return cmp.Or(cmp.Compare(b.Improvements, a.Improvements), cmp.Compare(b.Ships, a.Ships), cmp.Compare(b.Runs, a.Runs), strings.Compare(a.Name, b.Name))
	})
	return r, nil
}

// Empty says that nothing happened.
func (r *Report) Empty() bool {
	return len(r.People) == 0 && len(r.Changes) == 0 && r.Steady == 0 && len(r.Costs) == 0 && len(r.Health) == 0 && len(r.Plans) == 0
}

// person returns the row of somebody: whoever a log names, else
// who sent it. A bot of CI is nobody.
func (r *Report) person(user uuid.NullUUID, author, email string) *Person {
	name := author
	if email != "" {
		key := strings.ToLower(email)
		if r.emails[key] == "" {
			local, _, _ := strings.Cut(email, "@")
			r.emails[key] = cmp.Or(author, local) // channels and tokens of CI are shown no address
		}
		name = r.emails[key]
	}
	if name == "" {
		address := strings.ToLower(r.names[user.UUID])
		if address == "" || strings.HasSuffix(address, ".invalid") {
			return nil
		}
		local, _, _ := strings.Cut(address, "@")
		name = cmp.Or(r.emails[address], local)
	}
	i := slices.IndexFunc(r.People, func(p Person) bool { return p.Name == name })
	if i < 0 {
		i = len(r.People)
		r.People = append(r.People, Person{Name: name})
	}
	return &r.People[i]
}

func (r *Report) people(ctx context.Context, tx *db.Tx, week, _ figures.Range) {
	for _, s := range must.Get(figures.ShipWeeks(ctx, tx, week)) {
		if p := r.person(s.User, s.Author, s.Email); p != nil {
			p.Ships += s.Ships
			p.PRs += s.PRs
		}
	}
	for _, s := range must.Get(figures.Pushers(ctx, tx, week)) {
		if p := r.person(uuid.NullUUID{UUID: s.User, Valid: true}, "", ""); p != nil {
			p.Runs += s.Runs
		}
	}
	long := week
	long.From = week.To.AddDate(0, 0, -longestStreak)
	shipped := map[string]map[string]bool{}
	known := len(r.People)
	for _, d := range must.Get(figures.ShipDays(ctx, tx, long)) {
		if p := r.person(d.User, d.Author, d.Email); p != nil {
			if shipped[p.Name] == nil {
				shipped[p.Name] = map[string]bool{}
			}
			shipped[p.Name][d.Day] = true
		}
	}
	r.People = r.People[:known] // who shipped long ago only has no row
	for i := range r.People {
		r.People[i].Streak = streak(shipped[r.People[i].Name], week.To)
	}
}

// streak is how many days in a row somebody shipped, up to the last day before
// to, or the one before that.
func streak(days map[string]bool, to time.Time) (n int) {
	day := to.AddDate(0, 0, -1)
	if !days[day.Format(time.DateOnly)] {
		day = day.AddDate(0, 0, -1)
	}
	for days[day.Format(time.DateOnly)] {
		n++
		day = day.AddDate(0, 0, -1)
	}
	return n
}

func (r *Report) costs(ctx context.Context, tx *db.Tx, week, before figures.Range) {
	for i, of := range [...]figures.Range{week, before} {
		for _, s := range must.Get(figures.Spending(ctx, tx, of)) {
			at := slices.IndexFunc(r.Costs, func(c Cost) bool { return c.Model == s.Model })
			if at < 0 {
				at = len(r.Costs)
				r.Costs = append(r.Costs, Cost{Model: s.Model})
			}
			if i == 0 {
				r.Costs[at].USD += s.CostUSD
			} else {
				r.Costs[at].Before += s.CostUSD
			}
		}
	}
	r.Costs = slices.DeleteFunc(r.Costs, func(c Cost) bool { return c.USD < .005 && c.Before < .005 })
	slices.SortFunc(r.Costs, func(a, b Cost) int {
		return cmp.Or(cmp.Compare(b.USD, a.USD), cmp.Compare(b.Before, a.Before), strings.Compare(a.Model, b.Model))
	})
}

// places are files and suites and sites that want a look.
func (r *Report) places(ctx context.Context, tx *db.Tx, week, before figures.Range) {
	for _, h := range must.Get(figures.Hotspots(ctx, tx, week, 5)) {
		r.Hotspots = append(r.Hotspots, Hotspot(h))
	}
	long := week
	long.From = week.To.AddDate(0, 0, -staleUntil)
	for _, l := range must.Get(figures.LastRuns(ctx, tx, long)) {
		day, err := time.Parse(time.DateOnly, l.Day)
		if days := int(week.To.Sub(day).Hours() / 24); err == nil && days > staleDays {
			r.Stale = append(r.Stale, Stale{l.Repo, l.Suite, days})
		}
	}
	var healths [2]map[string]*Health
	for i, of := range [...]figures.Range{week, before} {
		healths[i] = map[string]*Health{}
		for _, f := range must.Get(figures.QAHealth(ctx, tx, of)) { // a digest's week may begin in the middle of a calendar's
			if f.Reports == f.Unscored {
				continue
			}
			h := healths[i][f.Repo]
			if h == nil {
				h = &Health{Repo: f.Repo, Worst: f.Worst}
				healths[i][f.Repo] = h
			}
			n := f.Reports - f.Unscored
			h.Mean += (f.Mean - h.Mean) * float64(n) / float64(h.Reports+n)
			h.Reports += n
			h.Worst = min(h.Worst, f.Worst)
		}
	}
	for repo, h := range healths[0] {
		if b := healths[1][repo]; b != nil {
			h.Before = &b.Mean
		}
		r.Health = append(r.Health, *h)
	}
	slices.SortFunc(r.Health, func(a, b Health) int { return cmp.Or(cmp.Compare(a.Mean, b.Mean), strings.Compare(a.Repo, b.Repo)) })
}

func (r *Report) plans(ctx context.Context, tx *db.Tx, week, before figures.Range) {
	now := must.Get(figures.PlanStates(ctx, tx, week))
	before.From = before.To.AddDate(0, 0, -staleUntil)
	then := must.Get(figures.PlanStates(ctx, tx, before))
	for _, p := range now {
		one := Plan{Repo: p.Repo, Project: p.Project, Workstream: p.Workstream, Milestone: p.Milestone, Done: p.PhasesDone, Phases: p.Phases}
		for _, b := range then {
			if b.Repo == p.Repo && b.Project == p.Project && b.Workstream == p.Workstream && b.Milestone == p.Milestone {
				one.Before = b.PhasesDone
			}
		}
		r.Plans = append(r.Plans, one)
	}
}
