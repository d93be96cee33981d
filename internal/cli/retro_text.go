package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/team/retro"
	"cairn/internal/term"
	"cairn/internal/text"
)

// shownPeople and shownFiles are how many are printed.
const (
	shownPeople = 12
	shownFiles  = 8
)

// printReport prints one period for a person.
func (m *measuring) printReport(r retro.Report) error {
	out, paint := m.env.Stdout, term.NewPaint(m.env.Stdout, m.env.Getenv)
	fmt.Fprintln(out, paint.Bold(term.Line(r.Tweetable)))
	fmt.Fprintln(out, paint.Dim(m.scope(r)))
	if r.Shallow {
		term.Warn(m.env.Stderr, "this clone is shallow: what happened before its first commit is missing (git fetch --unshallow)")
	}
	if r.Metrics.Commits+r.Metrics.Merges+r.Metrics.BotCommits > 0 {
		fmt.Fprintln(out)
		if err := m.printMetrics(r, paint); err != nil {
			return err
		}
		if err := m.printPeople(r, paint); err != nil {
			return err
		}
		if err := m.printHotspots(r, paint); err != nil {
			return err
		}
	}
	return m.printTeam(paint)
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

func (m *measuring) printMetrics(r retro.Report, paint term.Paint) error {
	x := &r.Metrics
	g := grid{head: []string{"", ">", "", ">"}}
	g.row("Commits", strconv.Itoa(x.Commits), "Lines added", strconv.Itoa(x.Insertions))
	g.row("People", strconv.Itoa(x.Contributors), "Lines deleted", strconv.Itoa(x.Deletions))
	g.row("Pull requests merged", strconv.Itoa(x.PRsMerged), "Added in tests", testText(x.TestLOC, x.TestRatio))
	g.row("With an agent", shareText(x.AIAssistedCommits, x.Commits), "Files changed", strconv.Itoa(x.Files))
	g.row("Features", text.Percent(x.FeatPct, 0), "Fixes", text.Percent(x.FixPct, 0))
	g.row("Days with commits", fmt.Sprintf("%d of %d", x.ActiveDays, len(x.Days)), "Days in a row", strconv.Itoa(r.StreakDays))
	g.row("Sessions", strconv.Itoa(x.Sessions), "of 50 minutes and more", strconv.Itoa(x.DeepSessions))
	perHour := "–"
	if x.LOCPerSessionHour != nil {
		perHour = fmt.Sprintf("%.0f", *x.LOCPerSessionHour)
	}
	g.row("Average session", minutesText(x.AvgSessionMinutes), "Lines an hour of session", perHour)
	if x.BotCommits+x.Merges > 0 {
		g.row("Commits by bots", strconv.Itoa(x.BotCommits), "Merges", strconv.Itoa(x.Merges))
	}
	for i, row := range g.cells { // no headings
		for k := 0; k < len(row); k += 2 {
			g.cells[i][k] = paint.Dim(row[k])
		}
	}
	if err := g.print(skipLine(m.env.Stdout), paint); err != nil {
		return err
	}
	if x.PeakHour != nil {
		fmt.Fprintf(m.env.Stdout, "\n%s %s %s\n", paint.Dim("Hours"), term.Spark(x.Hours), paint.Dim(fmt.Sprintf("0–23, most at %d:00", *x.PeakHour)))
	}
	if len(x.Days) > 1 {
		fmt.Fprintf(m.env.Stdout, "%s  %s %s\n", paint.Dim("Days"), term.Spark(x.Days), paint.Dim("from "+r.From.Format("Mon Jan 2")))
	}
	if len(r.VersionRange) == 2 {
		versions := r.VersionRange[0]
		if r.VersionRange[1] != versions {
			versions += " → " + r.VersionRange[1]
		}
		fmt.Fprintf(m.env.Stdout, "%s %s\n", paint.Dim("Version"), term.Line(versions))
	}
	return nil
}

// minutesText is 42 min or 3 h 5 min.
func minutesText(minutes float64) string {
	n := int(minutes + 0.5)
	if n < 60 {
		return fmt.Sprintf("%d min", n)
	}
	return fmt.Sprintf("%d h %d min", n/60, n%60)
}

func testText(lines int, share float64) string {
	return fmt.Sprintf("%d (%s)", lines, text.Percent(share, 0))
}

func shareText(n, of int) string {
	if of == 0 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d (%s)", n, text.Percent(float64(n)/float64(of), 0))
}

func (m *measuring) printPeople(r retro.Report, paint term.Paint) error {
	type row struct {
		name string
		a    retro.Author
	}
	var rows []row
	for name, a := range r.Authors {
		rows = append(rows, row{name, a})
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(b.a.Commits-a.a.Commits, b.a.CoAuthored-a.a.CoAuthored, strings.Compare(a.name, b.name))
	})
	g := grid{head: []string{"<WHO", ">COMMITS", ">WITH", ">ADDED", ">DELETED", ">TESTS", ">PRS", ">SESSIONS", ">STREAK", "<MOST IN"}}
	for _, r := range rows[:min(shownPeople, len(rows))] {
		name, tests := term.Line(r.name), ""
		if r.a.Agent {
			name += " (agent)"
		}
		if r.a.Insertions > 0 {
			tests = text.Percent(r.a.TestRatio, 0)
		}
		g.row(name, number(r.a.Commits), number(r.a.CoAuthored), number(r.a.Insertions), number(r.a.Deletions), tests, number(r.a.PRsMerged),
			number(r.a.Sessions), number(r.a.StreakDays), term.Line(r.a.TopArea))
	}
	if len(g.cells) == 0 {
		return nil
	}
	fmt.Fprintln(m.env.Stdout)
	if err := g.print(m.env.Stdout, paint); err != nil {
		return err
	}
	m.more(len(rows)-shownPeople, paint)
	return nil
}

// number is "" for none: a column of nothing is left out.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func (m *measuring) more(n int, paint term.Paint) {
	if n > 0 {
		fmt.Fprintln(m.env.Stdout, paint.Dim(fmt.Sprintf("… and %d more", n)))
	}
}

func (m *measuring) printHotspots(r retro.Report, paint term.Paint) error {
	spots := r.Metrics.Hotspots
	if len(spots) == 0 {
		return nil
	}
	g := grid{head: []string{">COMMITS", "<FILE"}}
	for _, h := range spots[:min(shownFiles, len(spots))] {
		g.row(strconv.Itoa(h.Changes), term.Line(h.Path))
	}
	fmt.Fprintln(m.env.Stdout)
	return g.print(m.env.Stdout, paint)
}

// printWeeks prints a line a week, the newest first.
func (m *measuring) printWeeks(reports []retro.Report) error {
	out, paint := m.env.Stdout, term.NewPaint(m.env.Stdout, m.env.Getenv)
	if len(reports) == 0 {
		fmt.Fprintln(out, "no week has a commit")
		return nil
	}
	g := grid{head: []string{"WEEK UNTIL", ">COMMITS", ">PEOPLE", ">PRS", ">ADDED", ">DELETED", ">TESTS", ">AGENTS", ">SESSIONS", "DAYS", "<BUSIEST FILE"}}
	for _, r := range slices.Backward(reports) {
		x, busiest, tests := &r.Metrics, "", ""
		if len(x.Hotspots) > 0 {
			busiest = term.Line(x.Hotspots[0].Path)
		}
		if x.Insertions > 0 {
			tests = text.Percent(x.TestRatio, 0)
		}
		g.row(r.Date, number(x.Commits), number(x.Contributors), number(x.PRsMerged), number(x.Insertions), number(x.Deletions),
			tests, number(x.AIAssistedCommits), number(x.Sessions), term.Spark(x.Days), busiest)
	}
	return g.print(out, paint)
}

// printTeam prints what the last pull brought of the team.
func (m *measuring) printTeam(paint term.Paint) error {
	s, err := link.Find(m.env)
	if err != nil || s == nil || !s.Enabled {
		return nil
	}
	cache := client.OpenCache(s.Dir)
	meta := cache.Meta()
	if len(meta.Tables) == 0 || meta.URL != link.CleanURL(s.File.URL) {
		return nil
	}
	team, err := readRetros(cache)
	if err != nil {
		term.Warn(m.env.Stderr, "%v (cairn sync pull brings it anew)", err)
		return nil
	}
	head := s.Name()
	if team.pulse != "" {
		head += ": " + team.pulse
	}
	when := "no pull was complete yet"
	if !meta.LastPull.IsZero() {
		when = "as of " + text.Ago(meta.LastPull, time.Now())
	}
	fmt.Fprintf(m.env.Stdout, "\n%s %s\n", head, paint.Dim("("+when+")"))
	g := grid{head: []string{"<REPOSITORY", "UNTIL", "PERIOD", ">COMMITS", ">PEOPLE", ">PRS", ">ADDED", ">DELETED", ">TESTS", ">AGENTS"}}
	for _, r := range team.newest[:min(shownPeople, len(team.newest))] {
		x := &r.Metrics
		g.row(term.Line(r.Repo), term.Line(r.Date), term.Line(r.Period), figure(x.Commits), figure(x.Contributors), figure(x.PRsMerged),
			figure(x.Insertions), figure(x.Deletions), text.Percent(x.TestRatio, 0), figure(x.AIAssistedCommits))
	}
	if len(g.cells) == 0 {
		return nil
	}
	return g.print(m.env.Stdout, paint)
}

// figure is a number of a record that anyone may have written.
func figure(x float64) string {
	if x == 0 {
		return ""
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}
