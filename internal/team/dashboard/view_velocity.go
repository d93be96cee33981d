package dashboard

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"cairn/internal/answer"
	"cairn/internal/team/db/figures"
)

// shipsEmpty says what there would have to be: on a first day nothing is wrong.
var shipsEmpty = answer.Empty{Text: "No releases in this period. cairn counts version tags and merged pull requests.", Command: "cairn sync collect"}

// shipsByWeek stacks ships of people on weeks.
func shipsByWeek(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{
		ID: "ships-by-week", Title: "Releases per week and person", Rows: "rows/ships",
		Note:  a.note("A release is a version tag, a merged pull request, or what a skill reported as shipped.", "repo", "person", "branch"),
		Empty: shipsEmpty,
		Table: answer.Table{Columns: []answer.Column{
			col("week", "Week", answer.Week), col("person", "Person", answer.Words), col("ships", "Releases", answer.Count),
			col("prs", "Pull requests", answer.Count), col("versions", "Versions", answer.Count),
		}},
	}
	ships := a.ships(ctx, a.in())
	if len(ships) == 0 {
		return
	}
	type key struct{ week, name string }
	sums := sums[key, figures.ShipWeek]{}
	ranked := a.ranked(ctx)
	chart := answer.Chart{Kind: answer.Stack, Unit: answer.Count, Step: answer.Week, X: a.weeks(), ByName: !ranked}
	for _, s := range ships {
		k := key{s.Week, a.author(s.User, s.Author, s.Email)}
		sum := sums.of(k)
		sum.Ships, sum.PRs, sum.Versions = sum.Ships+s.Ships, sum.PRs+s.PRs, sum.Versions+s.Versions
		chart.Add(k.name, s.Week, float64(s.Ships))
	}
	for _, k := range slices.SortedFunc(maps.Keys(sums), func(x, y key) int {
		most := 0
		if ranked {
			most = cmp.Compare(sums[y].Ships, sums[x].Ships)
		}
		return cmp.Or(cmp.Compare(y.week, x.week), most, byName(x.name, y.name))
	}) {
		s := sums[k]
		p.Table.Add(k.week, k.name, s.Ships, s.PRs, s.Versions)
	}
	p.Chart = &chart
}

const retroNote = "Weekly commits from git; the latest measurement per repository."

var retroEmpty = answer.Empty{Text: "No commits were measured in this period.", Command: "cairn retro --history 12 --push"}

// commitsByWeek stacks commits of repositories on weeks.
func commitsByWeek(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{
		ID: "commits-by-week", Title: "Commits per week and repository", Rows: "rows/retros", Note: a.note(retroNote, "repo"), Empty: retroEmpty,
		Table: answer.Table{Columns: []answer.Column{col("week", "Week", answer.Week), col("repo", "Repository", answer.Words), col("commits", "Commits", answer.Count), col("prs", "PRs", answer.Count), col("assisted", "Agents", answer.Count)}},
	}
	chart := answer.Chart{Kind: answer.Stack, Unit: answer.Count, Step: answer.Week, X: a.weeks()}
	retros := a.retros(ctx, a.in())
	for _, r := range slices.Backward(retros) {
		if r.Metrics.Commits == nil {
			continue
		}
		p.Table.Add(r.Week, r.Repo, r.Metrics.Commits, r.Metrics.PRs, r.Metrics.Assisted)
		chart.Add(r.Repo, r.Week, *r.Metrics.Commits)
	}
	if len(p.Table.Rows) > 0 {
		p.Chart = &chart
	}
}

// linesByWeek draws lines that were added and removed.
func linesByWeek(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{
		ID: "lines-by-week", Title: "Lines per week", Rows: "rows/retros", Note: a.note(retroNote, "repo"), Empty: retroEmpty,
		Table: answer.Table{Columns: []answer.Column{col("week", "Week", answer.Week), col("added", "Added", answer.Count), col("removed", "Removed", answer.Count)}},
	}
	retros := a.retros(ctx, a.in())
	chart := answer.Chart{Kind: answer.Bars, Unit: answer.Count, Step: answer.Week, X: a.weeks()}
	sums := map[string][2]float64{}
	for _, r := range retros {
		if r.Metrics.Insertions == nil || r.Metrics.Deletions == nil {
			continue
		}
		s := sums[r.Week]
		sums[r.Week] = [2]float64{s[0] + *r.Metrics.Insertions, s[1] + *r.Metrics.Deletions}
		chart.Add("Added", r.Week, *r.Metrics.Insertions)
		chart.Add("Removed", r.Week, *r.Metrics.Deletions)
	}
	for _, w := range slices.Backward(slices.Sorted(maps.Keys(sums))) {
		p.Table.Add(w, sums[w][0], sums[w][1])
	}
	draw(p, &chart)
}

// committers sums what people committed.
func committers(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{
		ID: "committers", Title: "Commits and lines by person", Rows: "rows/retros", Note: a.note(retroNote+" Bots are left out.", "repo"), Empty: retroEmpty,
		Table: answer.Table{Columns: []answer.Column{col("person", "Person", answer.Words), col("commits", "Commits", answer.Count), col("added", "Added", answer.Count), col("removed", "Removed", answer.Count), col("weeks", "Weeks", answer.Count)}},
	}
	retros := a.retros(ctx, a.in())
	type sum struct {
		commits, added, removed float64
		weeks                   map[string]bool
	}
	sums := map[string]*sum{}
	for _, r := range retros {
		for name, m := range r.Authors {
			if m.Commits == nil {
				continue
			}
			if member := a.member(m.Email); member != nil {
				name = a.names[member.ID]
			}
			s := sums[name]
			if s == nil {
				s = &sum{weeks: map[string]bool{}}
				sums[name] = s
			}
			s.commits += *m.Commits
			s.weeks[r.Week] = true
			if m.Insertions != nil && m.Deletions != nil {
				s.added, s.removed = s.added+*m.Insertions, s.removed+*m.Deletions
			}
		}
	}
	for _, name := range byRank(ctx, a, sums, func(x, y *sum) int { return cmp.Compare(y.commits, x.commits) }) {
		s := sums[name]
		p.Table.Add(name, s.commits, s.added, s.removed, len(s.weeks))
	}
}

// longestStreak is how far back a streak is looked for, in days.
const longestStreak = 366

// streakOf are days in a row with a ship that end with the last day, or the day
// before, by person.
func (a *ask) streakOf(ctx context.Context) map[string]int {
	r := figures.Range{Team: a.team.ID, Repo: a.filter.Repo, To: a.filter.To}
	if r.To.After(a.now) { // the running week
		r.To = a.now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)
	}
	r.From = r.To.AddDate(0, 0, -longestStreak)
	shipped := map[string]map[string]bool{}
	for _, d := range once(ctx, a, records, "ship days", r, figures.ShipDays) {
		name := a.author(d.User, d.Author, d.Email)
		if shipped[name] == nil {
			shipped[name] = map[string]bool{}
		}
		shipped[name][d.Day] = true
	}
	out := map[string]int{}
	for name, have := range shipped {
		day := r.To.AddDate(0, 0, -1)
		if !have[day.Format(time.DateOnly)] {
			day = day.AddDate(0, 0, -1)
		}
		for have[day.Format(time.DateOnly)] {
			out[name]++
			day = day.AddDate(0, 0, -1)
		}
	}
	return out
}

func streaks(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{
		ID: "streaks", Title: "Streaks", Rows: "rows/ships", Note: a.note("Days in a row with a release, ending on the last day of the period or the day before it. Days are UTC; weekends count.", "repo"),
		Empty: answer.Empty{Text: "No releases on the last two days of this period.", Command: "cairn sync collect"},
		Table: answer.Table{Columns: []answer.Column{col("person", "Person", answer.Words), col("days", "Days", answer.Count)}},
	}
	of := a.streakOf(ctx)
	for _, name := range byRank(ctx, a, of, func(x, y int) int { return cmp.Compare(y, x) }) {
		p.Table.Add(name, of[name])
	}
}
