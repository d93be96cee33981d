package dashboard

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
)

var spendEmpty = answer.Empty{Text: "No agent tells what it costs in this period. Set OTEL_EXPORTER_OTLP_ENDPOINT of your agents to this server, with a token of the team.", Command: "cairn team token create --name agents --scope ingest"}

// spendNote says what is counted, and which command prints the same of one machine;
// "" is none.
func (a *ask) spendNote(by string) string {
	if by != "" {
		by = " Of one machine: cairn spend --by " + by + "."
	}
	return a.note("List prices, of requests whose price is known."+by, "repo")
}

// unnamed is what belongs to nothing that is known.
const unnamed = "(not known)"

func (a *ask) outlays(ctx context.Context, r figures.Range, by string) []figures.Outlay {
	return once(ctx, a, records, "outlays by "+by, r, func(ctx context.Context, tx *db.Tx, r figures.Range) ([]figures.Outlay, error) {
		return figures.Outlays(ctx, tx, r, by)
	})
}

// ofSpend is what is asked for without what would show one person's cost to another.
func ofSpend(r figures.Range) figures.Range {
	r.Who, r.Branch = nil, ""
	return r
}

// withoutPrice says how many requests have no price, which no sum of dollars has.
func withoutPrice(list []figures.Outlay) string {
	var unpriced, requests int64
	for _, o := range list {
		unpriced, requests = unpriced+o.Unpriced, requests+o.Requests
	}
	if unpriced == 0 {
		return ""
	}
	return fmt.Sprintf(" %s of %s requests have no known price and are in no sum.", answer.Show(unpriced, answer.Count), answer.Show(requests, answer.Count))
}

func spendFigures(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "figures", Title: "In figures"}
	now, then := a.outlays(ctx, ofSpend(a.in()), "all"), a.outlays(ctx, ofSpend(a.before()), "all")
	p.Note = a.spendNote("month") + withoutPrice(now)
	if len(now)+len(then) == 0 {
		p.Empty = spendEmpty
		return
	}
	var of [2]figures.Outlay
	for i, list := range [...][]figures.Outlay{now, then} {
		if len(list) > 0 {
			of[i] = list[0]
		}
	}
	at := func(key, title string, unit answer.Unit, value func(*figures.Outlay) *float64) {
		p.Figures = append(p.Figures, figure(key, title, unit, 0, "rows/spend", value(&of[0]), value(&of[1])))
	}
	at("spent", "Spent", answer.Dollars, func(o *figures.Outlay) *float64 { return answer.To(o.USD()) })
	at("sessions", "Sessions", answer.Count, func(o *figures.Outlay) *float64 { return answer.To(float64(o.Sessions)) })
	at("per-session", "Per session", answer.Dollars, func(o *figures.Outlay) *float64 { return ratio(o.USD(), float64(o.Sessions)) })
	at("requests", "Requests", answer.Count, func(o *figures.Outlay) *float64 { return answer.To(float64(o.Requests)) })
	at("cached", "Input from a cache", answer.Percent, func(o *figures.Outlay) *float64 {
		return ratio(float64(o.CacheRead), float64(o.Input+o.CacheRead+o.Write5m+o.Write1h))
	})
	at("unpriced", "Requests without a price", answer.Count, func(o *figures.Outlay) *float64 { return answer.To(float64(o.Unpriced)) })
}

func spendByWeek(ctx context.Context, a *ask, p *answer.Panel) {
	list := once(ctx, a, records, "outlays of weeks", ofSpend(a.in()), figures.WeekOutlays)
	*p = answer.Panel{ID: "spend-by-week", Title: "Spend per week and repository", Rows: "rows/spend", Note: a.spendNote("week") + withoutPrice(list), Empty: spendEmpty,
		Table: answer.Table{Columns: []answer.Column{col("week", "Week", answer.Week), col("repo", "Repository", answer.Words), col("cost", "Cost", answer.Dollars), col("requests", "Requests", answer.Count), col("unpriced", "Without a price", answer.Count)}}}
	chart := answer.Chart{Kind: answer.Stack, Unit: answer.Dollars, Step: answer.Week, X: a.weeks()}
	for _, o := range slices.Backward(list) {
		repo := cmp.Or(o.Repo, unnamed)
		p.Table.Add(o.Of, repo, o.USD(), o.Requests, o.Unpriced)
		chart.Add(repo, o.Of, o.USD())
	}
	draw(p, &chart)
}

// outlayTable lists what was spent by something.
func (a *ask) outlayTable(p *answer.Panel, list []figures.Outlay, title string, name func(*figures.Outlay) any, more ...besides) {
	p.Rows, p.Note = "rows/spend", p.Note+withoutPrice(list)
	if p.Empty.Text == "" {
		p.Empty = spendEmpty
	}
	if len(more) == 0 {
		more = spendTokens
	}
	p.Table.Columns = []answer.Column{col("name", title, answer.Words), col("cost", "Cost", answer.Dollars), col("sessions", "Sessions", answer.Count), col("requests", "Requests", answer.Count)}
	for _, m := range more {
		p.Table.Columns = append(p.Table.Columns, m.column)
	}
	p.Table.Columns = append(p.Table.Columns, col("unpriced", "Without a price", answer.Count))
	for i := range list {
		o := &list[i]
		row := []any{name(o), o.USD(), o.Sessions, o.Requests}
		for _, m := range more {
			row = append(row, m.value(o))
		}
		p.Table.Add(append(row, o.Unpriced)...)
	}
}

// besides is a column of a table of outlays.
type besides struct {
	column answer.Column
	value  func(*figures.Outlay) any
}

// spendTokens are the columns of a table that has no others.
var spendTokens = []besides{
	{col("input", "Input", answer.Tokens), func(o *figures.Outlay) any { return o.Input + o.Write5m + o.Write1h }},
	{col("cached", "From a cache", answer.Tokens), func(o *figures.Outlay) any { return o.CacheRead }},
	{col("output", "Output", answer.Tokens), func(o *figures.Outlay) any { return o.Output }},
}

func spendByRepo(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "spend-by-repo", Title: "Spend by repository", Note: a.spendNote("repo")}
	a.outlayTable(p, a.outlays(ctx, ofSpend(a.in()), "repo"), "Repository", func(o *figures.Outlay) any { return cmp.Or(o.Of, unnamed) })
}

func spendByBranch(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "spend-by-branch", Title: "Spend by branch", Note: a.spendNote("branch")}
	a.outlayTable(p, a.outlays(ctx, ofSpend(a.in()), "branch"), "Branch", func(o *figures.Outlay) any {
		if key := o.Key("branch"); key != "" {
			return key
		}
		return strings.TrimSpace(o.Repo + " " + unnamed)
	})
}

// spendByPull lists pull requests, with the titles that releases have.
func spendByPull(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "spend-by-pull-request", Title: "Spend by pull request", Note: a.spendNote("pr")}
	list := a.tied(ctx, p, "pr", "pull request")
	known, evals := a.shippedPulls(ctx), a.pullEvals(ctx)
	p.Note += " Evals are the last run of each suite on its branch, and the one on the default branch before; cairn eval compare tells whether they differ. Merges and reverts are those that releases name. The size and the review of a pull request are not known here: cairn spend pr says them on the machine of its repository."
	of := func(value func(figures.Shipped, *figures.Outlay) any) func(*figures.Outlay) any {
		return func(o *figures.Outlay) any {
			if s, ok := known[o.Key("pr")]; ok {
				return value(s, o)
			}
			return nil
		}
	}
	a.outlayTable(p, list, "Pull request", func(o *figures.Outlay) any { return pullTitle(known, o.Key("pr")) },
		besides{col("merged", "Merged", answer.Day), of(func(s figures.Shipped, _ *figures.Outlay) any { return s.At.UTC().Format(time.DateOnly) })},
		besides{col("waited", "Last request to merge", answer.Minutes), of(func(s figures.Shipped, o *figures.Outlay) any {
			if s.At.Before(o.Last) { // it went on behind the merge, or the day is all that is known
				return nil
			}
			return s.At.Sub(o.Last).Minutes()
		})},
		besides{col("reverted", "Reverted", answer.Words), of(func(s figures.Shipped, _ *figures.Outlay) any {
			if s.Reverted == nil {
				return "no"
			}
			return "yes, " + s.Reverted.At.UTC().Format(time.DateOnly)
		})},
		besides{col("evals", "Evals", answer.Words), func(o *figures.Outlay) any {
			if said := evals[o.Key("pr")]; said != "" {
				return said
			}
			return nil
		}})
}

// shippedPulls are what releases tell of pull requests, by their keys.
func (a *ask) shippedPulls(ctx context.Context) map[string]figures.Shipped {
	known := map[string]figures.Shipped{}
	for _, s := range once(ctx, a, records, "shipped pulls", ofTeam(a.in()), figures.ShippedPulls) {
		if key := s.Repo + "#" + strconv.Itoa(s.Number); known[key].URL == "" {
			known[key] = s
		}
	}
	return known
}

// pullTitle names a pull request as its release does.
func pullTitle(known map[string]figures.Shipped, key string) any {
	s := known[key]
	if !strings.HasPrefix(s.URL, "https://") {
		return key
	}
	return answer.Linked(strings.TrimSpace(key+" "+s.Title), s.URL)
}

// ownPulls says what of pull requests' costs was avoidable, for a reader whose machine
// it is: cairn up found that out, and sent it nowhere.
func ownPulls(ctx context.Context, a *ask, p *answer.Panel) {
	if a.past == nil || len(a.past.Pulls) == 0 || a.view.name == "" && !a.young() {
		return
	}
	*p = answer.Panel{ID: "avoidable", Title: "What pull requests cost, and what was avoidable",
		Note: "From git and the transcripts on this machine, as cairn up read them last; sent nowhere. Avoidable: results that the model had before, calls repeated at once after they failed, " +
			"and caches that had expired or were lost for another reason. List prices; sizes of texts are estimates. Lines are those that it changes, review is from its first commit to the merge, reverted are commits of it. More of one: cairn spend pr.",
		Table: answer.Table{Columns: []answer.Column{col("pull", "Pull request", answer.Words), col("cost", "Cost", answer.Dollars), col("avoidable", "Avoidable", answer.Dollars), col("share", "Share", answer.Percent),
			col("expired", "Cache expired", answer.Dollars), col("lost", "Cache lost", answer.Dollars), col("again", "Read again", answer.Dollars), col("retries", "Repeated calls", answer.Dollars),
			col("lines", "Lines", answer.Count), col("review", "Review", answer.Minutes), col("reverted", "Reverted", answer.Count)}}}
	known, unread := a.shippedPulls(ctx), 0
	for _, repo := range slices.Sorted(maps.Keys(a.past.Pulls)) {
		if a.filter.Repo != "" && a.filter.Repo != repo {
			continue
		}
		for _, c := range a.past.Pulls[repo] {
			if c.Last.Before(a.filter.From) || !c.Last.Before(a.filter.To) {
				continue
			}
			name := pullTitle(known, repo+"#"+strconv.FormatInt(c.Pull, 10))
			row := []any{name, c.USD, nil, nil, nil, nil, nil, nil}
			if c.Read {
				row = []any{name, c.USD, c.Avoidable(), ratio(c.Avoidable(), c.USD), c.Expired, c.Lost, c.Again, c.Retries}
			} else {
				unread++
			}
			var lines, review, reverted any
			if c.Lines != nil {
				lines = *c.Lines
			}
			if !c.First.IsZero() && !c.Merged.Before(c.First) {
				review = c.Merged.Sub(c.First).Minutes()
			}
			if !c.First.IsZero() {
				reverted = c.Reverted
			}
			p.Table.Add(append(row, lines, review, reverted)...)
		}
	}
	if unread > 0 {
		p.Note += fmt.Sprintf(" Of %s it is not known: their transcripts are too large to be read on the way.", answer.Show(int64(unread), answer.Count))
	}
	p.Empty = answer.Empty{Text: "No request of an agent is tied to a pull request in this period."}
}

// ownSaved says what compaction saved on the reader's own machine, by rule.
func ownSaved(_ context.Context, a *ask, p *answer.Panel) {
	if a.past == nil || a.past.Saved == nil {
		return
	}
	s := a.past.Saved
	*p = answer.Panel{ID: "saved-by-rule", Title: "What compaction saved on this machine, by rule",
		Note: fmt.Sprintf("From the transcripts on this machine since %s, as cairn up read them last; sent nowhere. Each token counts as the bill would have: written to a cache once, read again by every later request. "+
			"%s in all, beside a bill of %s. Of one period: cairn compact gain.", a.past.Since.UTC().Format(time.DateOnly), answer.Show(s.USD, answer.Dollars), answer.Show(s.Bill, answer.Dollars)),
		Empty: answer.Empty{Text: "No rule saved anything whose price is known."},
		Table: answer.Table{Columns: []answer.Column{col("rule", "Rule", answer.Words), col("saved", "Saved", answer.Dollars), col("share", "Share", answer.Percent)}}}
	if s.NotKnown > 0 {
		p.Note += fmt.Sprintf(" What %s saved tokens would have cost is not known: their sessions have no bill.", answer.Show(float64(s.NotKnown), answer.Tokens))
	}
	for _, r := range s.Rules {
		p.Table.Add(r.Rule, r.USD, ratio(r.USD, s.USD))
	}
}

// tied are the outlays that belong to something; the note says how much does not.
func (a *ask) tied(ctx context.Context, p *answer.Panel, by, noun string) []figures.Outlay {
	var rest float64
	list := filtered(a.outlays(ctx, ofSpend(a.in()), by), func(o *figures.Outlay) bool {
		if o.Of == "" {
			rest += o.USD()
		}
		return o.Of != ""
	})
	if rest > 0 {
		p.Note += fmt.Sprintf(" %s belong to no %s that is known.", answer.Show(rest, answer.Dollars), noun)
		p.Empty = answer.Empty{Text: "No agent's cost is tied to a " + noun + " in this period."}
	}
	return list
}

func spendByModel(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "spend-by-model", Title: "Spend by model", Note: a.spendNote("model")}
	a.outlayTable(p, a.outlays(ctx, ofSpend(a.in()), "model"), "Model", func(o *figures.Outlay) any { return modelName(o.Of) })
}

func spendByPhase(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "spend-by-phase", Title: "Spend by phase of the plan", Note: a.spendNote("phase") + " Plans hold no estimate of what a phase costs, so there is none beside it."}
	a.outlayTable(p, a.tied(ctx, p, "phase", "phase"), "Phase", func(o *figures.Outlay) any { return o.Key("phase") })
}

// leastPeople is how many people must have spent something before each one's is shown.
const leastPeople = 5

// spendByPerson shows the reader their own, and everybody's where the team turned that
// on and there are enough of them.
func spendByPerson(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "spend-by-person", Title: "Spend by person", Note: a.spendNote("")}
	all := a.outlays(ctx, ofSpend(a.in()), "person")
	people := filtered(all, func(o *figures.Outlay) bool { return o.User.Valid && !a.bot(o.User) })
	list := filtered(people, func(o *figures.Outlay) bool { return o.User.UUID == a.viewer.As.User })
	on := slices.Contains(once(ctx, a, records, "spend shown", figures.Range{Team: a.team.ID}, figures.SpendShown), true)
	switch {
	case on && len(people) >= leastPeople:
		list = slices.Clone(people)
		if !a.ranked(ctx) {
			slices.SortStableFunc(list, func(x, y figures.Outlay) int { return byName(a.name(x.User), a.name(y.User)) })
		}
	case on:
		p.Note += fmt.Sprintf(" Only yours: fewer than %d people have spent something.", leastPeople)
	default:
		p.Note += " Only yours: this team does not show what each spends."
	}
	a.outlayTable(p, list, "Person", func(o *figures.Outlay) any { return a.name(o.User) })
	p.Rows = ""
	p.Empty = answer.Empty{Text: "Your agents told no cost in this period.", Command: spendEmpty.Command}
}

// mostSessions is how many sessions are listed, the last ones.
const mostSessions = 200

// ownSessions are the reader's sessions in the order of time: which session somebody
// else had when is nobody's business.
func ownSessions(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "sessions", Title: "Your sessions over time", Note: a.spendNote("session") + " Only yours, the last first; times are UTC.",
		Empty: answer.Empty{Text: "Your agents told no session in this period.", Command: spendEmpty.Command},
		Table: answer.Table{Columns: []answer.Column{col("first", "First day", answer.Day), col("last", "Last request", answer.Moment), col("agent", "Agent", answer.Words), col("session", "Session", answer.Words),
			col("cost", "Cost", answer.Dollars), col("requests", "Requests", answer.Count), col("unpriced", "Without a price", answer.Count)}}}
	r := ofSpend(a.in())
	r.Who = &figures.Who{User: a.viewer.As.User}
	list := filtered(a.outlays(ctx, r, "session"), func(o *figures.Outlay) bool { return o.Of != "" })
	p.Note += withoutPrice(list)
	slices.SortStableFunc(list, func(x, y figures.Outlay) int { return y.Last.Compare(x.Last) })
	chart := answer.Chart{Kind: answer.Stack, Unit: answer.Dollars, Step: answer.Week, X: a.weeks()}
	for i := range list {
		o := &list[i]
		chart.Add(cmp.Or(o.Agent, unnamed), week(o.First.UTC().Format(time.DateOnly)), o.USD())
	}
	for _, o := range list[:min(len(list), mostSessions)] {
		p.Table.Add(o.First.UTC().Format(time.DateOnly), o.Last, o.Agent, o.Of, o.USD(), o.Requests, o.Unpriced)
	}
	if left := len(list) - mostSessions; left > 0 {
		p.Note += fmt.Sprintf(" %s older ones are not listed.", answer.Show(int64(left), answer.Count))
	}
	draw(p, &chart)
}

// spendSaved is what compaction kept away from models, which no price is put on: what it
// would have cost depends on how often it would have been read again.
func spendSaved(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "saved", Title: "Tokens that compaction saved", Rows: "rows/usage", Note: a.note("Counts only. Saved is what compaction removed before the model read it. It has no price here: that depends on how often it would have been read again.", "repo"), Empty: usageEmpty,
		Table: answer.Table{Columns: []answer.Column{col("week", "Week", answer.Week), col("saved", "Saved", answer.Tokens), col("before", "Of", answer.Tokens), col("share", "Saved", answer.Percent)}}}
	type sum struct{ before, after int64 }
	weeks := sums[string, sum]{}
	for _, u := range a.usages(ctx, ofSpend(a.in())) {
		s := weeks.of(u.Week)
		s.before, s.after = s.before+u.TokensBefore, s.after+u.TokensAfter
	}
	chart := answer.Chart{Kind: answer.Bars, Unit: answer.Tokens, Step: answer.Week, X: a.weeks()}
	for _, w := range slices.Backward(sortedKeys(weeks)) {
		saved := float64(weeks[w].before - weeks[w].after)
		p.Table.Add(w, saved, weeks[w].before, ratio(saved, float64(weeks[w].before)))
		chart.Add("Saved", w, saved)
	}
	draw(p, &chart)
}

// spendRowsPanel lists rows without whose they are, but for the reader's own.
func spendRowsPanel(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "spend", Title: "Spend", Empty: spendEmpty,
		Note: a.note("Rows as they were sent. If several sources report a session, the ledger counts; without it events (otlp), then sums (metrics).", "repo"),
		Table: answer.Table{Columns: []answer.Column{col("at", "When", answer.Moment), col("repo", "Repository", answer.Words), col("day", "Day", answer.Words), col("source", "Source", answer.Words), col("agent", "Agent", answer.Words),
			col("session", "Session", answer.Words), col("branch", "Branch", answer.Words), col("commit", "Commit", answer.Words), col("pull", "Pull request", answer.Words), col("model", "Model", answer.Words),
			col("requests", "Requests", answer.Count), col("cost", "Cost", answer.Dollars), col("unpriced", "Without a price", answer.Count), col("yours", "Yours", answer.Words)}}}
	number := func(text string) float64 {
		n, _ := strconv.ParseFloat(text, 64) // the database's
		return n
	}
	me := uuid.NullUUID{UUID: a.viewer.As.User, Valid: a.viewer.As.User != uuid.Nil}
	for _, r := range paged(p, must.Get(figures.SpendRows(ctx, a.tx, ofSpend(a.in()), a.after(), rowsPage+1)), recordAt) {
		pull, yours := "", ""
		if r.Text[6] != "0" {
			pull = "#" + r.Text[6]
		}
		if me.Valid && r.User == me {
			yours = "yours"
		}
		p.Table.Add(r.At, r.Repo, r.Text[0], r.Text[1], r.Text[2], r.Text[3], r.Text[4], short(r.Text[5]), pull, r.Text[7], number(r.Text[8]), number(r.Text[9])/1e6, number(r.Text[10]), yours)
	}
}
