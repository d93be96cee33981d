package dashboard

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/must"
	"cairn/internal/team/db/figures"
)

// A standing is what one person did.
type standing struct {
	ships, prs, runs, better, worse, streak int
	coverage                                *float64 // percentage points
}

// standings collects them by name.
func (a *ask) standings(ctx context.Context) map[string]*standing {
	out := sums[string, standing]{}
	in := a.in()
	for _, s := range a.ships(ctx, in) {
		o := out.of(a.author(s.User, s.Author, s.Email))
		o.ships, o.prs = o.ships+s.Ships, o.prs+s.PRs
	}
	for _, m := range a.activity(ctx) {
		id := uuid.NullUUID{UUID: m.User, Valid: true}
		if m.Runs > 0 && !a.bot(id) && (in.Who == nil || in.Who.User == m.User) {
			out.of(a.name(id)).runs += m.Runs
		}
	}
	for _, c := range a.changes(ctx).list {
		if !c.person || in.Who != nil && out[c.by] == nil {
			continue
		}
		if c.Fell() {
			out.of(c.by).worse++
		} else {
			out.of(c.by).better++
		}
	}
	for _, t := range once(ctx, a, records, "tests", in, figures.ShipTests) {
		if d := coverage(t.Tests); d != nil {
			o := out.of(a.author(t.User, t.Author, t.Email))
			if o.coverage == nil {
				o.coverage = answer.To(0)
			}
			*o.coverage += *d
		}
	}
	streaks := a.streakOf(ctx)
	for name, o := range out {
		o.streak = streaks[name]
	}
	return out
}

// coverage is what a ship's tests say that it added, in percentage points.
func coverage(tests []byte) *float64 {
	var said struct {
		Before jsontext.Value `json:"coverage_before"`
		After  jsontext.Value `json:"coverage_after"`
	}
	var before, after float64
	if json.Unmarshal(tests, &said) != nil || said.Before.Kind() != '0' || said.After.Kind() != '0' ||
		json.Unmarshal(said.Before, &before) != nil || json.Unmarshal(said.After, &after) != nil || before < 0 || before > 100 || after < 0 || after > 100 {
		return nil
	}
	return answer.To(after - before)
}

// activity counts sessions, which only their author and admins may see.
func (a *ask) activity(ctx context.Context) []figures.Activity {
	if !a.view.personal {
		must.Fail(fmt.Errorf("the view %s is kept for all members and asks for what is one's own", a.view.name))
	}
	return once(ctx, a, anything, "activity for "+a.viewer.As.User.String(), ofRepo(a.in()), figures.Members)
}

func leaderboard(ctx context.Context, a *ask, p *answer.Panel) {
	title, order := "People", "By name: this team does not rank people. "
	if a.ranked(ctx) {
		title, order = "Leaderboard", ""
	}
	*p = answer.Panel{ID: "leaderboard", Title: title, Rows: "rows/ships",
		Note:  a.note(order+"Releases count for the author that git names. Improvements and regressions passed a statistical test (see Quality) and count for the author of the commit, else for the sender of the run. Coverage is what releases say they added, in points.", "repo", "person"),
		Empty: answer.Empty{Text: "No releases and no eval runs in this period.", Command: "cairn sync collect"},
		Table: answer.Table{Columns: []answer.Column{col("person", "Person", answer.Words), col("ships", "Releases", answer.Count), col("prs", "Pull requests", answer.Count), col("better", "Improvements", answer.Count), col("worse", "Regressions", answer.Count),
			col("streak", "Streak, days", answer.Count), col("coverage", "Coverage", answer.Number), col("runs", "Eval runs", answer.Count)}}}
	of := a.standings(ctx)
	for _, name := range byRank(ctx, a, of, func(x, y *standing) int {
		return cmp.Or(cmp.Compare(y.ships, x.ships), cmp.Compare(y.better, x.better), cmp.Compare(y.runs, x.runs))
	}) {
		o := of[name]
		p.Table.Add(name, o.ships, o.prs, o.better, o.worse, o.streak, o.coverage, o.runs)
	}
}

var usageEmpty = answer.Empty{Text: "No work with agents was recorded in this period.", Command: "cairn sync collect"}

const usageNote = "Counts only. Saved is what compaction removed before the model read it."

// usageByPerson sums what people did with agents.
func usageByPerson(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "usage", Title: "Work with agents, by person", Rows: "rows/usage", Note: a.note(usageNote, "repo", "person"), Empty: usageEmpty,
		Table: answer.Table{Columns: []answer.Column{col("person", "Person", answer.Words), col("days", "Days", answer.Count), col("sessions", "Sessions", answer.Count), col("turns", "Turns", answer.Count), col("prompt", "Characters per prompt", answer.Count),
			col("tools", "Tool calls", answer.Count), col("most", "Most used", answer.Words), col("saved", "Tokens saved", answer.Tokens), col("share", "Saved", answer.Percent)}}}
	type sum struct {
		figures.Usage
		days map[string]uint8 // of each week
	}
	sums := map[string]*sum{}
	for _, u := range a.usages(ctx, a.in()) {
		name := a.name(u.User)
		s := sums[name]
		if s == nil {
			s = &sum{days: map[string]uint8{}}
			s.Tools = map[string]float64{}
			sums[name] = s
		}
		s.days[u.Week] |= u.days
		s.Sessions, s.Turns, s.Prompts, s.PromptChars = s.Sessions+u.Sessions, s.Turns+u.Turns, s.Prompts+u.Prompts, s.PromptChars+u.PromptChars
		s.TokensBefore, s.TokensAfter = s.TokensBefore+u.TokensBefore, s.TokensAfter+u.TokensAfter
		for _, c := range u.Tools {
			s.Tools[c.tool] += c.n
		}
	}
	for _, name := range byRank(ctx, a, sums, func(x, y *sum) int { return cmp.Compare(y.Turns, x.Turns) }) {
		s := sums[name]
		calls, most := 0., ""
		for _, tool := range sortedKeys(s.Tools) {
			if calls += s.Tools[tool]; s.Tools[tool] > s.Tools[most] {
				most = tool
			}
		}
		days := 0
		for _, in := range s.days {
			days += bits.OnesCount8(in)
		}
		saved := float64(s.TokensBefore - s.TokensAfter)
		p.Table.Add(name, days, s.Sessions, s.Turns, ratio(float64(s.PromptChars), float64(s.Prompts)), calls, most, saved, ratio(saved, float64(s.TokensBefore)))
	}
}

func usageByWeek(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "saved-by-week", Title: "Tokens saved per week and person", Rows: "rows/usage", Note: a.note(usageNote, "repo", "person"), Empty: usageEmpty,
		Table: answer.Table{Columns: []answer.Column{col("week", "Week", answer.Week), col("person", "Person", answer.Words), col("saved", "Saved", answer.Tokens), col("turns", "Turns", answer.Count)}}}
	list := a.usages(ctx, a.in())
	chart := answer.Chart{Kind: answer.Stack, Unit: answer.Tokens, Step: answer.Week, X: a.weeks(), ByName: !a.ranked(ctx)}
	type key struct{ week, name string }
	sums := map[key][2]int64{}
	for _, u := range list {
		k := key{u.Week, a.name(u.User)}
		s := sums[k]
		sums[k] = [2]int64{s[0] + u.TokensBefore - u.TokensAfter, s[1] + u.Turns}
		chart.Add(k.name, k.week, float64(u.TokensBefore-u.TokensAfter))
	}
	for _, k := range slices.SortedFunc(maps.Keys(sums), func(x, y key) int { return cmp.Or(cmp.Compare(y.week, x.week), cmp.Compare(x.name, y.name)) }) {
		p.Table.Add(k.week, k.name, sums[k][0], sums[k][1])
	}
	draw(p, &chart)
}

func members(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "members", Title: "Members", Note: a.note("What each member sent in this period.", "repo"),
		Table: answer.Table{Columns: []answer.Column{col("person", "Person", answer.Words), col("role", "Role", answer.Words), col("joined", "Joined", answer.Day), col("runs", "Eval runs", answer.Count), col("ships", "Releases", answer.Count), col("retros", "Retrospectives", answer.Count), col("reports", "QA reports", answer.Count), col("last", "Last", answer.Moment)}}}
	for _, m := range a.activity(ctx) {
		p.Table.Add(a.names[m.User], m.Role, m.JoinedAt, m.Runs, m.Ships, m.Retros, m.Reports, at(m.LastAt))
	}
}
