package dashboard

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
)

func pulseView() view {
	return view{
		name: "", title: "Pulse", summary: "How the team is doing, against the same time before.", byPerson: true, byBranch: true,
		panels: []func(context.Context, *ask) (answer.Panel, error){pulseFigures, attention, commitsByWeek, shipsByWeek, passRates, newestShips, newestRuns},
	}
}

// A pulse is what the first page's figures are made of.
type pulse struct {
	ships, prs, commits float64
	retros              bool
	rate                rate
	cost                float64
	people              float64
	saved               float64
	usages              bool
}

func (a *ask) pulse(ctx context.Context, r figures.Range) (p pulse, err error) {
	who := map[string]bool{}
	ships, err := a.ships(ctx, r)
	if err != nil {
		return p, err
	}
	for _, s := range ships {
		p.ships, p.prs = p.ships+float64(s.Ships), p.prs+float64(s.PRs)
		who[a.author(s.User, s.Author, s.Email)] = true
	}
	retros, err := a.retros(ctx, r)
	if err != nil {
		return p, err
	}
	for _, one := range retros {
		if one.Metrics.Commits != nil {
			p.commits, p.retros = p.commits+*one.Metrics.Commits, true
		}
		for name, m := range one.Authors {
			if member := a.member(m.Email); member != nil && (r.Who == nil || r.Who.User == member.ID) {
				who[a.names[member.ID]] = true
			} else if member == nil && !m.Agent && (r.Who == nil || r.Who.Author == name) {
				who[name] = true
			}
		}
	}
	if p.cost, p.rate, err = a.spent(ctx, r); err != nil {
		return p, err
	}
	usages, err := a.usages(ctx, r)
	if err != nil {
		return p, err
	}
	for _, u := range usages {
		p.saved, p.usages = p.saved+float64(u.TokensBefore-u.TokensAfter), true
		if u.User.Valid {
			who[a.name(u.User)] = true
		}
	}
	pushers, err := parted(ctx, a, "pushers", r, figures.Pushers)
	for _, one := range pushers {
		if user := (uuid.NullUUID{UUID: one.User, Valid: true}); !a.bot(user) {
			who[a.name(user)] = true
		}
	}
	p.people = float64(len(who))
	return p, err
}

// done is the share of all phases of all plans that are done.
func (a *ask) done(ctx context.Context, r figures.Range) (*float64, error) {
	r.From = time.Unix(0, 0)
	plans, err := once(ctx, a, records, "plans", ofRepo(r), figures.PlanStates)
	phases, done := 0, 0
	for _, p := range plans {
		phases, done = phases+p.Phases, done+p.PhasesDone
	}
	return ratio(float64(done), float64(phases)), err
}

func pulseFigures(ctx context.Context, a *ask) (answer.Panel, error) {
	p := answer.Panel{ID: "figures", Title: "In figures"}
	now, err := a.pulse(ctx, a.in())
	if err != nil {
		return p, err
	}
	was, err := a.pulse(ctx, a.before())
	if err != nil {
		return p, err
	}
	plan, err := a.done(ctx, a.in())
	if err != nil {
		return p, err
	}
	planned, err := a.done(ctx, a.before())
	if err != nil {
		return p, err
	}
	alerts, err := a.alerts(ctx)
	firing := 0.
	for _, s := range alerts {
		if s.State == "firing" {
			firing++
		}
	}
	rate, low, high := now.rate.share()
	before, _, _ := was.rate.share()
	passing := figure("pass-rate", "Pass rate", answer.Percent, 1, "quality", rate, before)
	if rate != nil {
		p.Note = fmt.Sprintf("The pass rate's 95 %% interval is %s to %s.", answer.Show(low, answer.Percent), answer.Show(high, answer.Percent))
	}
	p.Note = a.note(p.Note, "repo", "person", "branch")
	known := func(v float64, ok bool) *float64 {
		if !ok {
			return nil
		}
		return &v
	}
	p.Figures = []answer.Figure{
		figure("ships", "Ships", answer.Count, 1, "velocity", &now.ships, &was.ships), figure("prs", "Pull requests", answer.Count, 1, "velocity", &now.prs, &was.prs),
		figure("commits", "Commits", answer.Count, 0, "velocity", known(now.commits, now.retros), known(was.commits, was.retros)), passing,
		figure("cost", "Eval cost", answer.Dollars, -1, "cost", &now.cost, &was.cost), figure("people", "People active", answer.Count, 0, "people", &now.people, &was.people),
		figure("plan", "Plans done", answer.Percent, 1, "plans", plan, planned), figure("alerts", "Alerts firing", answer.Count, -1, "alerts", &firing, nil),
		figure("saved", "Tokens saved", answer.Tokens, 1, "people", known(now.saved, now.usages), known(was.saved, was.usages)),
	}
	return p, err
}

// forgottenAfter is when something stale is no longer asked about: it has ended.
const forgottenAfter = 90 * 24 * time.Hour

// attention lists what somebody should look at.
func attention(ctx context.Context, a *ask) (answer.Panel, error) {
	p := answer.Panel{ID: "attention", Title: "What needs attention", Note: a.note("Open alerts, what was not heard of for two weeks, the weakest criterion.", "repo"), Empty: answer.Empty{Text: "Nothing."},
		Table: answer.Table{Columns: []answer.Column{col("what", "What", answer.Words), col("of", "Of", answer.Words), col("detail", "Detail", answer.Words)}}}
	add := func(what, mark, of, link, detail string) {
		p.Table.Rows = append(p.Table.Rows, answer.Row{{Value: what, Mark: mark}, answer.Linked(of, link), answer.Of(detail)})
	}
	alerts, err := a.alerts(ctx)
	if err != nil {
		return p, err
	}
	for _, s := range alerts {
		if s.State != "resolved" {
			mark := map[string]string{"firing": "bad", "pending": "warn"}[s.State]
			add("alert "+s.State, mark, called(s.Suite), suiteLink(s.Repo, s.Suite), fmt.Sprintf("%s passed of %s expected, %s", answer.Show(s.Observed, answer.Percent), answer.Show(s.Expected, answer.Percent), s.Branch))
		}
	}
	today := a.now.UTC().Truncate(24 * time.Hour)
	long := figures.Range{Team: a.team.ID, From: today.Add(-forgottenAfter), To: today.AddDate(0, 0, 1)}
	runs, err := once(ctx, a, evals, "last runs", long, figures.LastRuns)
	if err != nil {
		return p, err
	}
	for _, l := range runs {
		if stale(a.now, l.Day) && (a.filter.Repo == "" || l.Repo == a.filter.Repo) {
			add("stale suite", "warn", called(l.Suite), suiteLink(l.Repo, l.Suite), "last run "+l.Day)
		}
	}
	for _, f := range a.fresh {
		if a.filter.Repo != "" && f.Repo != a.filter.Repo {
			continue
		}
		var last time.Time
		for _, at := range [...]*time.Time{f.Run, f.Ship, f.Retro, f.QA, f.Triaged, f.Plan, f.Usage} {
			if at != nil && at.After(last) {
				last = *at
			}
		}
		if quiet := a.now.Sub(last); quiet > staleAfter && quiet < forgottenAfter {
			add("stale repository", "warn", f.Repo, "freshness", "last heard of "+last.Format(time.DateOnly))
		}
	}
	weakest, err := a.criteria(ctx)
	for _, c := range weakest[:min(1, len(weakest))] {
		if name, scale := scaleOf(c.Name); scale == "0-1" {
			add("weakest criterion", "", name, "quality", fmt.Sprintf("%.2f on average", c.Mean))
		}
	}
	return p, err
}

const mostNewest = 8

func newestShips(ctx context.Context, a *ask) (answer.Panel, error) {
	p := answer.Panel{ID: "newest-ships", Title: "Newest ships", Rows: "rows/ships", Note: a.note("", "repo", "person", "branch"), Empty: shipsEmpty}
	list, err := once(ctx, a, records, "newest ships", a.in(), func(ctx context.Context, tx *db.Tx, r figures.Range) ([]figures.Record, error) {
		return figures.ShipRows(ctx, tx, r, figures.After{}, mostNewest)
	})
	a.shipTable(&p.Table, list)
	return p, err
}

func newestRuns(ctx context.Context, a *ask) (answer.Panel, error) {
	p := answer.Panel{ID: "newest-runs", Title: "Newest runs", Rows: "rows/runs", Note: a.note("", "repo", "person", "branch"), Empty: runsEmpty}
	list, err := a.newestRuns(ctx, nil, mostNewest)
	a.runTable(&p.Table, list)
	return p, err
}
