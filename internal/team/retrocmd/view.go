package retrocmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/team/retro"
	"cairn/internal/term"
	"cairn/internal/text"
)

// mostPeople and mostFiles are how many are printed.
const (
	mostPeople = 12
	mostFiles  = 8
)

// view is one period for a person.
func (m *measuring) view(r retro.Report) answer.Views {
	if r.Shallow {
		term.Warn(m.env.Stderr, "this clone is shallow: what happened before its first commit is missing (git fetch --unshallow)")
	}
	views := answer.Views{answer.Painted(func(p *answer.Page) error {
		_, err := fmt.Fprintf(p, "%s\n%s\n", p.Bold(term.Line(r.Tweetable)), p.Dim(m.scope(r)))
		return err
	})}
	if r.Metrics.Commits+r.Metrics.Merges+r.Metrics.BotCommits > 0 {
		views = append(views, metrics(&r), charts(&r), people(r.Authors))
		files := answer.NewTable("commits:count", "file")
		for _, h := range r.Metrics.Hotspots[:min(mostFiles, len(r.Metrics.Hotspots))] {
			files.Add(h.Changes, h.Path)
		}
		views = append(views, below(files))
	}
	return append(views, m.teamView())
}

// below is a table after a blank line, nothing where it is empty.
func below(t *answer.Table) answer.Views {
	if len(t.Rows) == 0 {
		return nil
	}
	return answer.Views{answer.Line(""), t}
}

// scope says what was measured.
func (m *measuring) scope(r retro.Report) string {
	parts := []string{term.Line(cmp.Or(m.repo, "this repository")), r.From.Format(time.DateOnly) + " to " + r.Date}
	if m.retro.Rev != "" {
		parts = append(parts, "up to "+term.Line(m.retro.Rev))
	}
	if r.Metrics.Timezone != "" {
		parts = append(parts, "days of "+r.Metrics.Timezone)
	}
	return strings.Join(parts, " · ")
}

func metrics(r *retro.Report) answer.View {
	x, perHour := &r.Metrics, "none"
	if x.LOCPerSessionHour != nil {
		perHour = fmt.Sprintf("%.0f", *x.LOCPerSessionHour)
	}
	agents := fmt.Sprint(x.AIAssistedCommits)
	if x.Commits > 0 {
		agents = withShare(x.AIAssistedCommits, float64(x.AIAssistedCommits)/float64(x.Commits))
	}
	rows := [][4]any{
		{"Commits", x.Commits, "Lines added", x.Insertions},
		{"People", x.Contributors, "Lines deleted", x.Deletions},
		{"Pull requests merged", x.PRsMerged, "Added in tests", withShare(x.TestLOC, x.TestRatio)},
		{"With an agent", agents, "Files changed", x.Files},
		{"Features", text.Percent(x.FeatPct, 0), "Fixes", text.Percent(x.FixPct, 0)},
		{"Days with commits", fmt.Sprintf("%d of %d", x.ActiveDays, len(x.Days)), "Days in a row", r.StreakDays},
		{"Sessions", x.Sessions, "of 50 minutes and more", x.DeepSessions},
		{"Average session", minutes(x.AvgSessionMinutes), "Lines an hour of session", perHour},
	}
	if x.BotCommits+x.Merges > 0 {
		rows = append(rows, [4]any{"Commits by bots", x.BotCommits, "Merges", x.Merges})
	}
	t := answer.NewTable(":name", ":count", ":name", ":count")
	for _, row := range rows {
		t.Add(answer.Marked(row[0], "dim"), row[1], answer.Marked(row[2], "dim"), row[3])
	}
	return below(t)
}

// minutes is 42 min or 3 h 5 min.
func minutes(minutes float64) string {
	n := int(minutes + 0.5)
	if n < 60 {
		return fmt.Sprintf("%d min", n)
	}
	return fmt.Sprintf("%d h %d min", n/60, n%60)
}

func withShare(n int, share float64) string {
	return fmt.Sprintf("%s (%s)", text.Thousands(n), text.Percent(share, 0))
}

// charts draws the hours and days of commits.
func charts(r *retro.Report) answer.Painted {
	return func(p *answer.Page) error {
		x := &r.Metrics
		if x.PeakHour != nil {
			fmt.Fprintf(p, "\n%s %s %s\n", p.Dim("Hours"), term.Spark(x.Hours), p.Dim(fmt.Sprintf("0–23, most at %d:00", *x.PeakHour)))
		}
		if len(x.Days) > 1 {
			fmt.Fprintf(p, "%s  %s %s\n", p.Dim("Days"), term.Spark(x.Days), p.Dim("from "+r.From.Format("Mon Jan 2")))
		}
		if versions := slices.Compact(slices.Clone(r.VersionRange)); len(r.VersionRange) == 2 {
			fmt.Fprintf(p, "%s %s\n", p.Dim("Version"), term.Line(strings.Join(versions, " → ")))
		}
		return nil
	}
}

func people(authors map[string]retro.Author) answer.Views {
	type row struct {
		name string
		retro.Author
	}
	var rows []row
	for name, a := range authors {
		rows = append(rows, row{name, a})
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(b.Commits-a.Commits, b.CoAuthored-a.CoAuthored, strings.Compare(a.name, b.name))
	})
	t := answer.NewTable("who", "commits:count", "with:count", "added:count", "deleted:count", "tests:percent", "prs:count", "sessions:count", "streak:count", "most_in")
	for _, r := range rows[:min(mostPeople, len(rows))] {
		if r.Agent {
			r.name += " (agent)"
		}
		t.Add(r.name, answer.Some(r.Commits), answer.Some(r.CoAuthored), answer.Some(r.Insertions), answer.Some(r.Deletions), share(r.TestRatio, r.Insertions),
			answer.Some(r.PRsMerged), answer.Some(r.Sessions), answer.Some(r.StreakDays), r.TopArea)
	}
	views := below(t)
	if n := len(rows) - mostPeople; n > 0 {
		views = append(views, more(n))
	}
	return views
}

func more(n int) answer.Painted {
	return func(p *answer.Page) error {
		_, err := fmt.Fprintln(p, p.Dim(fmt.Sprintf("… and %d more", n)))
		return err
	}
}

// share is that of tests in the lines that were added, nothing where none were.
func share(of float64, added int) string {
	if added == 0 {
		return ""
	}
	return text.Percent(of, 0)
}

// weeksView has a line a week, the newest first.
func (m *measuring) weeksView(reports []retro.Report) answer.View {
	if len(reports) == 0 {
		return answer.Line("no week has a commit")
	}
	t := answer.NewTable("week_until:name", "commits:count", "people:count", "prs:count", "added:count", "deleted:count", "tests:percent", "agents:count", "sessions:count", "days:name", "busiest_file")
	for _, r := range slices.Backward(reports) {
		x, busiest := &r.Metrics, ""
		if len(x.Hotspots) > 0 {
			busiest = x.Hotspots[0].Path
		}
		t.Add(r.Date, answer.Some(x.Commits), answer.Some(x.Contributors), answer.Some(x.PRsMerged), answer.Some(x.Insertions), answer.Some(x.Deletions),
			share(x.TestRatio, x.Insertions), answer.Some(x.AIAssistedCommits), answer.Some(x.Sessions), term.Spark(x.Days), busiest)
	}
	return t
}
