package dashboard

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/text"
)

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

func (a *ask) pulse(ctx context.Context, r figures.Range) (p pulse) {
	who := map[string]bool{}
	for _, s := range a.ships(ctx, r) {
		p.ships, p.prs = p.ships+float64(s.Ships), p.prs+float64(s.PRs)
		who[a.author(s.User, s.Author, s.Email)] = true
	}
	for _, one := range a.retros(ctx, r) {
		if one.Metrics.Commits != nil {
			p.commits, p.retros = p.commits+*one.Metrics.Commits, true
		}
		for name, m := range one.Authors {
			if member := a.member(m.Email); member != nil && (r.Who == nil || r.Who.Is(member.ID)) {
				who[a.names[member.ID]] = true
			} else if member == nil && !m.Agent && (r.Who == nil || r.Who.Author == name) {
				who[name] = true
			}
		}
	}
	p.cost, p.rate = a.spent(ctx, r)
	for _, u := range a.usages(ctx, r) {
		p.saved, p.usages = p.saved+float64(u.TokensBefore-u.TokensAfter), true
		if u.User.Valid {
			who[a.name(u.User)] = true
		}
	}
	for _, one := range parted(ctx, a, "pushers", r, figures.Pushers) {
		if user := (uuid.NullUUID{UUID: one.User, Valid: true}); !a.bot(user) {
			who[a.name(user)] = true
		}
	}
	p.people = float64(len(who))
	return p
}

// done is the share of all phases of all plans that are done.
func (a *ask) done(ctx context.Context, r figures.Range) *float64 {
	r.From = time.Unix(0, 0)
	phases, done := 0, 0
	for _, p := range once(ctx, a, records, "plans", ofRepo(r), figures.PlanStates) {
		phases, done = phases+p.Phases, done+p.PhasesDone
	}
	return ratio(float64(done), float64(phases))
}

func pulseFigures(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "figures", Title: "In figures"}
	now := a.pulse(ctx, a.in())
	was := a.pulse(ctx, a.before())
	first := was.people == 0 && !was.retros // nothing was collected of the previous period
	plan := a.done(ctx, a.in())
	planned := a.done(ctx, a.before())
	alerts := a.alerts(ctx)
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
		figure("ships", "Releases", answer.Count, 1, "velocity", &now.ships, &was.ships), figure("prs", "Pull requests", answer.Count, 1, "velocity", &now.prs, &was.prs),
		figure("commits", "Commits", answer.Count, 0, "velocity", known(now.commits, now.retros), known(was.commits, was.retros)), passing,
		figure("cost", "Eval cost", answer.Dollars, -1, "cost", &now.cost, &was.cost), figure("people", "People active", answer.Count, 0, "people", &now.people, &was.people),
		figure("plan", "Phases done", answer.Percent, 1, "plans", plan, planned), figure("alerts", "Alerts firing", answer.Count, -1, "alerts", known(firing, rate != nil || len(alerts) > 0), nil),
		figure("saved", "Tokens saved", answer.Tokens, 1, "people", known(now.saved, now.usages), known(was.saved, was.usages)),
	}
	for i := range p.Figures {
		if f := &p.Figures[i]; first && f.Before != nil && *f.Before == 0 && *f.Value != 0 {
			f.Before = nil
		}
	}
}

// forgottenAfter is when something stale is no longer asked about: it has ended.
const forgottenAfter = 90 * 24 * time.Hour

const attentionID = "attention"

// attention lists what somebody should look at.
func attention(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: attentionID, Title: "What needs attention", Note: a.note("Open alerts, flaky cases, and suites and repositories with no record in two weeks.", "repo"), Empty: answer.Empty{Text: "Nothing needs attention."},
		Table: answer.Table{Columns: []answer.Column{col("what", "What", answer.Words), col("of", "Of", answer.Words), col("detail", "Detail", answer.Words)}}}
	add := func(what, mark, of, link, detail string) {
		p.Table.Add(answer.Marked(what, mark), answer.Linked(of, link), detail)
	}
	alerts := a.alerts(ctx)
	for _, state := range [...]string{"firing", "pending"} { // what is sure comes first
		for _, s := range alerts {
			if s.State != state {
				continue
			}
			add("alert "+state, alertState(&s).Mark, called(s.Suite), suiteLink(s.Repo, s.Suite), fmt.Sprintf("%s passed of %s expected, %s", answer.Show(s.Observed, answer.Percent), answer.Show(s.Expected, answer.Percent), s.Branch))
		}
	}
	cases, suites := 0, 0
	for _, s := range a.flaky(ctx) {
		if len(s.Cases) > 0 {
			cases, suites = cases+len(s.Cases), suites+1
		}
	}
	if cases > 0 {
		add("flaky", "warn", text.Count(cases, "case"), "flaky", "in "+text.Count(suites, "suite"))
	}
	today := a.now.UTC().Truncate(24 * time.Hour)
	long := figures.Range{Team: a.team.ID, From: today.Add(-forgottenAfter), To: today.AddDate(0, 0, 1)}
	runs := once(ctx, a, evals, "last runs", long, figures.LastRuns)
	for _, l := range runs {
		if stale(a.now, l.Day) && (a.filter.Repo == "" || l.Repo == a.filter.Repo) {
			add("stale suite", "warn", called(l.Suite), suiteLink(l.Repo, l.Suite), "last run "+l.Day)
		}
	}
	for _, f := range a.fresh {
		if a.filter.Repo != "" && f.Repo != a.filter.Repo {
			continue
		}
		last := newest([]figures.Fresh{f})
		if quiet := a.now.Sub(last); quiet > staleAfter && quiet < forgottenAfter {
			add("stale repository", "warn", f.Repo, "freshness", "last record "+last.Format(time.DateOnly))
		}
	}
}

const mostNewest = 8

func newestShips(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "newest-ships", Title: "Newest releases", Rows: "rows/ships", Note: a.note("", "repo", "person", "branch"), Empty: shipsEmpty}
	list := once(ctx, a, records, "newest ships", a.in(), func(ctx context.Context, tx *db.Tx, r figures.Range) ([]figures.Record, error) {
		return figures.ShipRows(ctx, tx, r, figures.After{}, mostNewest)
	})
	a.shipTable(&p.Table, list)
}

func newestRuns(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "newest-runs", Title: "Newest runs", Rows: "rows/runs", Note: a.note("", "repo", "person", "branch"), Empty: runsEmpty}
	list := a.newestRuns(ctx, nil, mostNewest)
	a.runTable(&p.Table, list)
}
